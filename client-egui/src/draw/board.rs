//! The board: drawn row first, as the server sends it, and animated by the view model's scenes.

use std::time::Instant;

use client::{
    seat::Action,
    view::{
        animation::{Scene, Sprite},
        spoken::square_words,
    },
};
use eframe::egui::{
    Align2, Color32, FontId, Id, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke,
    StrokeKind, Ui, Vec2, WidgetInfo, vec2,
};
use protocol::Direction;

use super::header::driver_colour;
use crate::{
    desktop::Desktop,
    keys::board_id,
    settings::Labels,
    theme::{self, Colours, colours},
};

/// The gap between tiles, as a share of the board.
const GAP: f32 = 0.024;
/// How much of a tile its digits may fill.
const FILLS: f32 = 0.86;
/// The size of the digits by their number, as a share of a tile.
const DIGITS: [f32; 7] = [0.45, 0.45, 0.45, 0.37, 0.29, 0.235, 0.195];
/// No digit is smaller, in points.
const LEAST_DIGITS: f32 = 12.0;
/// A swipe is at least so long, in points, or a tenth of the board.
const SWIPE: f32 = 28.0;

/// Where the squares of a board are.
#[derive(Debug, Clone, Copy)]
struct Squares {
    first: Pos2,
    size: f32,
    step: f32,
}

impl Squares {
    fn of(board: Rect) -> Self {
        let gap = board.width() * GAP;
        let size = (board.width() - 5.0 * gap) / 4.0;
        Self { first: board.min + Vec2::splat(gap), size, step: size + gap }
    }

    fn at(self, row: f32, column: f32) -> Rect {
        let corner = self.first + vec2(column * self.step, row * self.step);
        Rect::from_min_size(corner, Vec2::splat(self.size))
    }
}

/// Draws the board into `rect` and takes clicks and swipes.
pub(super) fn draw(ui: &Ui, desktop: &mut Desktop, now: Instant, rect: Rect) -> Response {
    let response = ui.interact(rect, board_id(), Sense::click_and_drag());
    let grid = desktop.seat.grid();
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Board"));
    if response.clicked() {
        response.request_focus();
    }
    swipe(desktop, &response, rect);
    let colours = colours(ui.ctx());
    let painter = ui.painter().with_clip_rect(rect.expand(6.0));
    frame(ui, &painter, desktop, rect, &colours, response.has_focus());
    let squares = Squares::of(rect);
    let scene = match &desktop.seat.look {
        Some(look) => look.past.as_ref().map(|past| Scene::still(&past.grid)),
        None => desktop.seat.view.scene(now),
    };
    let clipped = painter.with_clip_rect(rect);
    let faint = desktop.seat.view.status(now).stale;
    if let Some(scene) = scene {
        for sprite in &scene.tiles {
            tile(&clipped, desktop, squares, sprite, faint);
        }
        if let Some((gained, share)) = scene.gain {
            gain(&clipped, rect, gained, share, &colours);
        }
    }
    if let Some([row, column]) = desktop.exploring {
        let square = squares.at(row as f32, column as f32);
        let stroke = Stroke::new(4.0, colours.accent);
        painter.rect_stroke(square, squares.size * 0.07, stroke, StrokeKind::Outside);
    }
    hint(&painter, desktop, rect, &colours);
    read(ui, grid.unwrap_or_default(), squares);
    response
}

/// The board without tiles. While a player drives, its edge has the player's colour; a board of the past is striped.
fn frame(
    ui: &Ui,
    painter: &Painter,
    desktop: &Desktop,
    rect: Rect,
    colours: &Colours,
    focused: bool,
) {
    let round = rect.width() * 0.025;
    painter.rect_filled(rect, round, colours.frame);
    if desktop.seat.look.is_some() {
        let stripes = painter.with_clip_rect(rect);
        let stroke = Stroke::new(5.0, colours.soft.gamma_multiply(0.55));
        let mut x = rect.left();
        while x < rect.right() + rect.width() {
            x += 24.0;
            let from = Pos2::new(x, rect.top());
            stripes.line_segment([from, from + vec2(-rect.height(), rect.height())], stroke);
        }
    }
    let squares = Squares::of(rect);
    for cell in 0..16_u8 {
        let square = squares.at((cell / 4).into(), (cell % 4).into());
        painter.rect_filled(square, squares.size * 0.07, colours.hole);
    }
    if let Some((colour, _)) = driver_colour(ui, desktop) {
        painter.rect_stroke(rect, round, Stroke::new(4.0, colour), StrokeKind::Inside);
    }
    if focused {
        painter.rect_stroke(rect, round, Stroke::new(3.0, colours.accent), StrokeKind::Outside);
    }
}

fn tile(painter: &Painter, desktop: &Desktop, squares: Squares, sprite: &Sprite, faint: bool) {
    let square = squares.at(sprite.row, sprite.column);
    let square = Rect::from_center_size(square.center(), square.size() * sprite.scale);
    let paint = theme::tile(desktop.settings.palette, sprite.value);
    let opacity = if faint { 0.45 * sprite.opacity } else { sprite.opacity };
    let shade = |colour: Color32| colour.gamma_multiply(opacity);
    let round = squares.size * 0.07;
    painter.rect_filled(square, round, shade(paint.fill));
    if let Some((width, twice)) = paint.border {
        let stroke = Stroke::new(width, shade(paint.ink));
        painter.rect_stroke(square, round, stroke, StrokeKind::Inside);
        if twice {
            let inner = square.shrink(2.0 * width);
            painter.rect_stroke(inner, round, stroke, StrokeKind::Inside);
        }
    }
    if sprite.outlined {
        let stroke = Stroke::new(4.0, shade(paint.ink));
        painter.rect_stroke(square, round, stroke, StrokeKind::Inside);
    }
    let text = label(sprite.value, desktop.settings.labels);
    digits(painter, square, squares.size * sprite.scale, &text, shade(paint.ink));
}

/// The digits as large as their number allows, and smaller if they would not fit all the same.
fn digits(painter: &Painter, square: Rect, size: f32, text: &str, ink: Color32) {
    let share = DIGITS.get(text.len()).copied().unwrap_or(0.17);
    let points = (size * share).max(LEAST_DIGITS);
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(points), ink);
    let fits = size * FILLS;
    let galley = if galley.size().x > fits {
        let points = points * fits / galley.size().x;
        painter.layout_no_wrap(text.to_owned(), FontId::proportional(points), ink)
    } else {
        galley
    };
    // The font has one weight; drawn twice, some whole pixels apart, its digits are as bold as a tile needs.
    let pixel = 1.0 / painter.pixels_per_point();
    let hair = (points * 0.035 / pixel).round().max(1.0) * pixel;
    let corner = square.center() - (galley.size() + vec2(hair, 0.0)) / 2.0;
    painter.galley(corner, std::sync::Arc::clone(&galley), ink);
    painter.galley(corner + vec2(hair, 0.0), galley, ink);
}

/// `131072`, or `131K` where short labels are wanted.
fn label(value: u32, labels: Labels) -> String {
    if labels == Labels::Short && value >= 10_000 {
        return format!("{}K", value / 1_000);
    }
    value.to_string()
}

/// "+8" floats up from the board's middle.
fn gain(painter: &Painter, rect: Rect, gained: u32, share: f32, colours: &Colours) {
    let size = rect.width() * 0.09;
    let at = rect.center_top() + vec2(0.0, rect.height() * (0.16 - 0.1 * share));
    let ink = colours.good.gamma_multiply(1.0 - share * share);
    let text = format!("+{gained}");
    let galley = painter.layout_no_wrap(text, FontId::proportional(size), ink);
    let behind = Rect::from_center_size(at, galley.size() + vec2(16.0, 4.0));
    painter.rect_filled(behind, 8.0, colours.panel.gamma_multiply(0.9 * (1.0 - share * share)));
    painter.galley(at - galley.size() / 2.0, galley, ink);
}

/// The hint as an arrow over the board's edge.
fn hint(painter: &Painter, desktop: &Desktop, rect: Rect, colours: &Colours) {
    let direction = desktop.seat.hint().and_then(|hint| hint.decision.direction);
    let Some(direction) = direction else { return };
    let toward = vector(direction);
    let radius = rect.width() * 0.06;
    let centre = rect.center() + toward * (rect.width() / 2.0 - radius * 1.2);
    painter.circle(centre, radius, colours.accent, Stroke::new(2.0, colours.panel));
    let across = vec2(-toward.y, toward.x);
    let tip = centre + toward * radius * 0.6;
    let (one, other) = (
        centre - toward * radius * 0.4 + across * radius * 0.5,
        centre - toward * radius * 0.4 - across * radius * 0.5,
    );
    painter.add(Shape::convex_polygon(vec![tip, one, other], colours.accent_ink, Stroke::NONE));
}

const fn vector(direction: Direction) -> Vec2 {
    match direction {
        Direction::Up => Vec2::new(0.0, -1.0),
        Direction::Down => Vec2::new(0.0, 1.0),
        Direction::Left => Vec2::new(-1.0, 0.0),
        Direction::Right => Vec2::new(1.0, 0.0),
    }
}

/// The squares for those who hear the board.
fn read(ui: &Ui, grid: [[Option<u32>; 4]; 4], squares: Squares) {
    for row in 0..4 {
        for column in 0..4 {
            let square = squares.at(row as f32, column as f32);
            let id = Id::unique(("square", row, column));
            let text = square_words(&grid, row, column);
            let heard = ui.interact(square.shrink(squares.size * 0.4), id, Sense::hover());
            heard.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
        }
    }
}

/// A drag over the board plays once, at the moment when its direction is plain.
fn swipe(desktop: &mut Desktop, response: &Response, rect: Rect) {
    if response.drag_stopped() || !response.dragged() {
        desktop.swiped = false;
        return;
    }
    let Some((origin, now)) = response
        .ctx
        .input(|input| Some((input.pointer.press_origin()?, input.pointer.latest_pos()?)))
    else {
        return;
    };
    if let Some(direction) = swiped(now - origin, rect.width()).filter(|_| !desktop.swiped) {
        desktop.swiped = true;
        desktop.act(Action::Move(direction));
    }
}

/// The direction of a drag, once it is long enough and plain.
fn swiped(way: Vec2, board: f32) -> Option<Direction> {
    let (across, along) = (way.x.abs(), way.y.abs());
    let (long, short) = (across.max(along), across.min(along));
    if long < SWIPE.max(board * 0.1) || long < 1.5 * short {
        return None;
    }
    Some(match (across > along, way.x > 0.0, way.y > 0.0) {
        (true, true, _) => Direction::Right,
        (true, false, _) => Direction::Left,
        (false, _, true) => Direction::Down,
        (false, _, false) => Direction::Up,
    })
}

/// Text in the middle of a board that has nothing to show.
pub(super) fn placard(ui: &Ui, rect: Rect, text: &str) {
    let colours = colours(ui.ctx());
    let at = rect.center_top() + vec2(0.0, rect.height() * 0.3);
    ui.painter().text(at, Align2::CENTER_CENTER, text, FontId::proportional(17.0), colours.ink);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_row_first() {
        let squares = Squares::of(Rect::from_min_size(Pos2::ZERO, Vec2::splat(500.0)));
        let (second_row, second_column) = (squares.at(1.0, 0.0), squares.at(0.0, 1.0));
        assert!(second_row.top() > second_row.left(), "a row further is further down");
        assert!(second_column.left() > second_column.top());
        assert!((squares.at(3.0, 3.0).max.x - 488.0).abs() < 0.01, "the last gap is as the first");
    }

    #[test]
    fn a_swipe_is_long_and_plain() {
        assert_eq!(swiped(vec2(29.0, 3.0), 200.0), Some(Direction::Right));
        assert_eq!(swiped(vec2(-29.0, 19.0), 200.0), Some(Direction::Left));
        assert_eq!(swiped(vec2(3.0, -40.0), 200.0), Some(Direction::Up));
        assert_eq!(swiped(vec2(3.0, 40.0), 200.0), Some(Direction::Down));
        assert_eq!(swiped(vec2(27.0, 0.0), 200.0), None, "too short");
        assert_eq!(swiped(vec2(40.0, 0.0), 500.0), None, "too short for a large board");
        assert_eq!(swiped(vec2(40.0, 30.0), 200.0), None, "neither one nor the other");
    }

    #[test]
    fn large_tiles_have_short_labels_where_they_are_wanted() {
        assert_eq!(label(131_072, Labels::Full), "131072");
        assert_eq!(label(131_072, Labels::Short), "131K");
        assert_eq!(label(8_192, Labels::Short), "8192");
    }
}
