//! Colours and characters: from the palettes that all clients share to what this terminal can show.

use client::view::palette::{Paint, Palette, Rgb, contrast};
use ratatui::{
    style::{Color, Modifier, Style},
    symbols::border,
};

use crate::options::Depth;

/// Between the tiles.
const FRAME: Rgb = Rgb(0xbb, 0xad, 0xa0);
/// An empty square.
const HOLLOW: Rgb = Rgb(0xcd, 0xc1, 0xb4);
const BLACK: Rgb = Rgb(0, 0, 0);
const WHITE: Rgb = Rgb(255, 255, 255);

/// What the drawing looks like.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    /// Colours that the terminal has.
    pub depth: Depth,
    /// Colours of the tiles.
    pub palette: Palette,
    /// Only ASCII characters.
    pub ascii: bool,
}

/// What a piece of text is, as far as its colour goes. It never differs from others by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// All is well.
    Good,
    /// Look here.
    Warning,
    /// Something does not work.
    Bad,
    /// Of less weight.
    Faint,
    /// A heading or a number that counts.
    Strong,
}

impl Theme {
    /// Whether tiles are filled with colour. Otherwise they have borders.
    pub fn fills(&self) -> bool {
        self.depth != Depth::None && self.palette != Palette::Plain
    }

    /// A tile. Without colour the digits alone are bold.
    pub fn tile(&self, value: u32) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        if !self.fills() {
            return style;
        }
        let paint = self.palette.tile(value);
        match self.depth {
            Depth::Truecolor => style.bg(rgb(paint.background)).fg(rgb(paint.ink)),
            Depth::Ansi256 => {
                let (background, ink) = indexed(paint);
                style.bg(Color::Indexed(background)).fg(Color::Indexed(ink))
            }
            Depth::Ansi16 => {
                let (background, ink) = basic(self.palette, value);
                style.bg(background).fg(ink)
            }
            Depth::None => style,
        }
    }

    /// Between the tiles.
    pub fn frame(&self) -> Style {
        self.ground(FRAME, Color::DarkGray)
    }

    /// An empty square.
    pub fn hollow(&self) -> Style {
        self.ground(HOLLOW, Color::Black)
    }

    fn ground(self, colour: Rgb, basic: Color) -> Style {
        match self.depth {
            _ if !self.fills() => Style::new(),
            Depth::Truecolor => Style::new().bg(rgb(colour)),
            Depth::Ansi256 => Style::new().bg(Color::Indexed(nearest(colour))),
            Depth::Ansi16 | Depth::None => Style::new().bg(basic),
        }
    }

    /// Text beside the board.
    pub fn text(&self, tone: Tone) -> Style {
        let style = match tone {
            Tone::Strong => Style::new().add_modifier(Modifier::BOLD),
            Tone::Faint => Style::new().add_modifier(Modifier::DIM),
            Tone::Good | Tone::Warning | Tone::Bad => Style::new(),
        };
        match tone {
            _ if self.depth == Depth::None => style,
            Tone::Good => style.fg(Color::Green),
            Tone::Warning => style.fg(Color::Yellow),
            Tone::Bad => style.fg(Color::Red),
            Tone::Faint | Tone::Strong => style,
        }
    }

    /// The border of a tile without colour: the heavier, the larger.
    pub fn tile_border(&self, value: u32) -> border::Set<'static> {
        match (self.ascii, value) {
            (false, ..64) => border::PLAIN,
            (false, 64..1024) => border::THICK,
            (false, _) => border::DOUBLE,
            (true, ..64) => ascii_border("-", "|"),
            (true, 64..1024) => ascii_border("=", "|"),
            (true, _) => ascii_border("#", "#"),
        }
    }

    /// The border of what lies over the board.
    pub const fn box_border(&self) -> border::Set<'static> {
        if self.ascii { ascii_border("-", "|") } else { border::ROUNDED }
    }

    /// One of two texts: with all characters, or in ASCII.
    pub const fn either(&self, all: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { all }
    }
}

const fn ascii_border(horizontal: &'static str, vertical: &'static str) -> border::Set<'static> {
    border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: vertical,
        vertical_right: vertical,
        horizontal_top: horizontal,
        horizontal_bottom: horizontal,
    }
}

const fn rgb(Rgb(red, green, blue): Rgb) -> Color {
    Color::Rgb(red, green, blue)
}

/// The nearest entries of the table of 256, with the ink that can be read best on what became of the background.
fn indexed(paint: Paint) -> (u8, u8) {
    let background = nearest(paint.background);
    let on = entry(background);
    let dark = contrast(on, BLACK) >= contrast(on, WHITE);
    (background, nearest(if dark { BLACK } else { WHITE }))
}

/// Of the cube and the greys: the first sixteen are not the same everywhere.
fn nearest(colour: Rgb) -> u8 {
    let distance = |index: u8| {
        let (one, other) = (entry(index), colour);
        let square = |one: u8, other: u8| u32::from(one.abs_diff(other)).pow(2);
        square(one.0, other.0) + square(one.1, other.1) + square(one.2, other.2)
    };
    (16..=255).min_by_key(|index| distance(*index)).unwrap_or(16)
}

/// The colour of an entry from 16 on: <https://invisible-island.net/xterm/xterm.faq.html>.
fn entry(index: u8) -> Rgb {
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    match index.saturating_sub(16) {
        cube @ 0..216 => Rgb(level(cube / 36), level(cube / 6 % 6), level(cube % 6)),
        grey => {
            let level = 8 + 10 * (grey - 216);
            Rgb(level, level, level)
        }
    }
}

/// Colours that the terminal decides: light ones with black, dark ones with white.
fn basic(palette: Palette, value: u32) -> (Color, Color) {
    let step = value.max(2).ilog2();
    if palette == Palette::ColourBlind {
        return match step {
            ..=4 => (Color::LightYellow, Color::Black),
            5..=9 => (Color::Gray, Color::Black),
            _ => (Color::Blue, Color::White),
        };
    }
    match step {
        1 => (Color::Gray, Color::Black),
        2 => (Color::White, Color::Black),
        3 => (Color::LightYellow, Color::Black),
        4 => (Color::Yellow, Color::Black),
        5 => (Color::LightRed, Color::Black),
        6 => (Color::Red, Color::White),
        7 => (Color::LightGreen, Color::Black),
        8 => (Color::Green, Color::Black),
        9 => (Color::LightCyan, Color::Black),
        10 => (Color::Cyan, Color::Black),
        11 => (Color::LightMagenta, Color::Black),
        _ => (Color::Blue, Color::White),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theme(depth: Depth, palette: Palette) -> Theme {
        Theme { depth, palette, ascii: false }
    }

    #[test]
    fn tiles_in_256_colours_can_be_read() {
        for palette in Palette::ALL {
            for exponent in 1..=17 {
                let (background, ink) = indexed(palette.tile(1 << exponent));
                let ratio = contrast(entry(background), entry(ink));
                assert!(ratio >= 4.5, "{} {}: {ratio:.2}", palette.name(), 1 << exponent);
            }
        }
    }

    #[test]
    fn the_table_of_256_has_its_known_colours() {
        for (index, colour) in [
            (16, Rgb(0, 0, 0)),
            (21, Rgb(0, 0, 255)),
            (196, Rgb(255, 0, 0)),
            (231, Rgb(255, 255, 255)),
            (232, Rgb(8, 8, 8)),
            (255, Rgb(238, 238, 238)),
        ] {
            assert_eq!((entry(index), nearest(colour)), (colour, index));
        }
    }

    #[test]
    fn without_colour_no_colour_is_used() {
        let theme = theme(Depth::None, Palette::Classic);
        for style in [
            theme.tile(8),
            theme.frame(),
            theme.hollow(),
            theme.text(Tone::Good),
            theme.text(Tone::Warning),
            theme.text(Tone::Bad),
        ] {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    #[test]
    fn the_plain_palette_has_borders_in_place_of_colours() {
        let theme = theme(Depth::Truecolor, Palette::Plain);
        assert!(!theme.fills());
        assert_eq!(theme.tile(8).bg, None);
    }

    #[test]
    fn borders_grow_heavier() {
        let theme = theme(Depth::None, Palette::Classic);
        let sides = [2, 64, 2048].map(|value| theme.tile_border(value).horizontal_top);
        assert_eq!(sides, ["─", "━", "═"]);
        let theme = Theme { ascii: true, ..theme };
        let sides = [2, 64, 2048].map(|value| theme.tile_border(value).horizontal_top);
        assert_eq!(sides, ["-", "=", "#"]);
    }
}
