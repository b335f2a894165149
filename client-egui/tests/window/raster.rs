//! Paints what egui asks for, without a graphics card, a driver or a display.
//!
//! egui hands over triangles with colours and a place in a texture, to be laid over each other; that is all there is to
//! it. The same picture comes out on every machine, which no driver promises.

#![expect(
    clippy::cast_sign_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    reason = "it is about pixels, whose numbers are whole, and about triangles, whose corners are a, b and c"
)]

use std::collections::HashMap;

use eframe::egui::{
    Color32, Context, FullOutput, ImageData, Mesh, Pos2, Rect, TextureId, TexturesDelta,
    epaint::{Primitive, Vertex},
};
use egui_kittest::TestRenderer;
use image::{Rgba, RgbaImage};

/// A picture in the memory of a graphics card that is none.
struct Texture {
    width: usize,
    height: usize,
    texels: Vec<Color32>,
}

/// The painter.
#[derive(Default)]
pub(crate) struct Raster {
    textures: HashMap<TextureId, Texture>,
}

impl TestRenderer for Raster {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        for (id, changes) in &delta.set {
            for change in changes {
                let ImageData::Color(image) = &change.image;
                let [width, height] = image.size;
                let Some([left, top]) = change.pos else {
                    let texels = image.pixels.clone();
                    self.textures.insert(*id, Texture { width, height, texels });
                    continue;
                };
                let texture = self.textures.get_mut(id).unwrap();
                for (row, texels) in image.pixels.chunks(width).enumerate() {
                    let from = (top + row) * texture.width + left;
                    texture.texels[from..from + width].copy_from_slice(texels);
                }
            }
        }
        for id in &delta.free {
            self.textures.remove(id);
        }
        delta.clear();
    }

    fn render(&mut self, ctx: &Context, output: &FullOutput) -> Result<RgbaImage, String> {
        let scale = ctx.pixels_per_point();
        let size = ctx.content_rect().size() * scale;
        let mut canvas = Canvas::new(size.x.round() as usize, size.y.round() as usize);
        for clipped in ctx.tessellate(output.shapes.clone(), scale) {
            let Primitive::Mesh(mesh) = clipped.primitive else {
                return Err("a picture within the picture is not ours".into());
            };
            let texture = self.textures.get(&mesh.texture_id).ok_or("no such texture")?;
            canvas.draw(&mesh, texture, clipped.clip_rect, scale);
        }
        Ok(canvas.finish())
    }
}

struct Canvas {
    width: usize,
    height: usize,
    /// Red, green, blue from 0 to 255.
    pixels: Vec<[f32; 3]>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![[0.0; 3]; width * height] }
    }

    fn finish(self) -> RgbaImage {
        let mut image = RgbaImage::new(self.width as u32, self.height as u32);
        for (to, [red, green, blue]) in image.pixels_mut().zip(self.pixels) {
            let byte = |share: f32| share.round().clamp(0.0, 255.0) as u8;
            *to = Rgba([byte(red), byte(green), byte(blue), 255]);
        }
        image
    }

    fn draw(&mut self, mesh: &Mesh, texture: &Texture, clip: Rect, scale: f32) {
        let clip = Rect::from_min_max(clip.min * scale, clip.max * scale);
        for corners in mesh.indices.chunks_exact(3) {
            let corner = |index: usize| {
                let vertex = mesh.vertices[corners[index] as usize];
                Vertex { pos: vertex.pos * scale, ..vertex }
            };
            self.triangle([corner(0), corner(1), corner(2)], texture, clip);
        }
    }

    fn triangle(&mut self, corners: [Vertex; 3], texture: &Texture, clip: Rect) {
        let [a, mut b, mut c] = corners;
        let doubled = side(a.pos, b.pos, c.pos);
        if doubled == 0.0 {
            return;
        }
        if doubled < 0.0 {
            std::mem::swap(&mut b, &mut c);
        }
        let area = doubled.abs();
        let bounds = Rect::from_points(&[a.pos, b.pos, c.pos]).intersect(clip.round_to_pixels());
        if bounds.is_negative() {
            return;
        }
        let rows = pixels(bounds.min.y, bounds.max.y, self.height);
        let columns = pixels(bounds.min.x, bounds.max.x, self.width);
        // One colour all over is most of a picture.
        let plain = a.uv == b.uv && b.uv == c.uv && a.color == b.color && b.color == c.color;
        let flat = plain.then(|| shade(to_floats(a.color), texture.at(a.uv)));
        for y in rows {
            for x in columns.clone() {
                let at = Pos2::new(x as f32 + 0.5, y as f32 + 0.5);
                let (of_a, of_b, of_c) =
                    (side(b.pos, c.pos, at), side(c.pos, a.pos, at), side(a.pos, b.pos, at));
                if !(inside(of_a, b.pos, c.pos)
                    && inside(of_b, c.pos, a.pos)
                    && inside(of_c, a.pos, b.pos))
                {
                    continue;
                }
                let source = flat.unwrap_or_else(|| {
                    let (i, j, k) = (of_a / area, of_b / area, of_c / area);
                    let mixed = |of: fn(&Vertex) -> f32| of(&a) * i + of(&b) * j + of(&c) * k;
                    let [ca, cb, cc] = [a, b, c].map(|corner| to_floats(corner.color));
                    let colour = std::array::from_fn(|n| ca[n] * i + cb[n] * j + cc[n] * k);
                    let uv = Pos2::new(mixed(|corner| corner.uv.x), mixed(|corner| corner.uv.y));
                    shade(colour, texture.at(uv))
                });
                let under = &mut self.pixels[y * self.width + x];
                let through = 1.0 - source[3] / 255.0;
                for (under, over) in under.iter_mut().zip(source) {
                    *under = over + *under * through;
                }
            }
        }
    }
}

impl Texture {
    /// What is at a place from 0 to 1, between the four nearest.
    fn at(&self, uv: Pos2) -> [f32; 4] {
        let x = (uv.x * self.width as f32 - 0.5).max(0.0);
        let y = (uv.y * self.height as f32 - 0.5).max(0.0);
        let (left, top) = (x as usize, y as usize);
        let texel = |column: usize, row: usize| {
            let at = row.min(self.height - 1) * self.width + column.min(self.width - 1);
            to_floats(self.texels[at])
        };
        let (across, down) = (x.fract(), y.fract());
        if across < 1e-3 && down < 1e-3 {
            return texel(left, top);
        }
        let corners = [
            texel(left, top),
            texel(left + 1, top),
            texel(left, top + 1),
            texel(left + 1, top + 1),
        ];
        std::array::from_fn(|n| {
            let upper = corners[0][n] * (1.0 - across) + corners[1][n] * across;
            let lower = corners[2][n] * (1.0 - across) + corners[3][n] * across;
            upper * (1.0 - down) + lower * down
        })
    }
}

/// Rectangles of clipping end between pixels.
trait Pixels {
    fn round_to_pixels(self) -> Self;
}

impl Pixels for Rect {
    fn round_to_pixels(self) -> Self {
        Self::from_min_max(self.min.round(), self.max.round())
    }
}

/// The pixels whose middles may lie between `from` and `to`.
fn pixels(from: f32, to: f32, most: usize) -> std::ops::Range<usize> {
    let first = (from - 0.5).ceil().max(0.0) as usize;
    let end = ((to - 0.5).floor() + 1.0).max(0.0) as usize;
    first..end.min(most)
}

/// Twice the area of a triangle, and on which side of the line from `a` to `b` the point is.
fn side(a: Pos2, b: Pos2, point: Pos2) -> f32 {
    (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
}

/// A point on the edge of two triangles is in one of them: the one whose left or upper edge it is.
fn inside(side: f32, from: Pos2, to: Pos2) -> bool {
    side > 0.0 || (side == 0.0 && (to.y < from.y || (to.y == from.y && to.x > from.x)))
}

fn to_floats(colour: Color32) -> [f32; 4] {
    colour.to_array().map(f32::from)
}

fn shade(colour: [f32; 4], texel: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|n| colour[n] * texel[n] / 255.0)
}
