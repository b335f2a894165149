//! Colours: the page's, light and dark, and the tiles' palettes.

use client::view::palette::{Palette, Rgb};
use eframe::egui::{
    Color32, Context, CornerRadius, FontId, Margin, Stroke, TextStyle, Theme as Brightness,
    ThemePreference, Vec2, Visuals, vec2,
};

use crate::settings::{Look, Settings};

/// The colours of everything but the tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colours {
    /// Behind everything.
    pub ground: Color32,
    /// Behind what belongs together.
    pub panel: Color32,
    /// Round a panel.
    pub rim: Color32,
    /// Round what can be pressed.
    pub strong_rim: Color32,
    /// Text.
    pub ink: Color32,
    /// Text that matters less.
    pub soft: Color32,
    /// The board.
    pub frame: Color32,
    /// An empty square.
    pub hole: Color32,
    /// What is pressed, chosen or has the focus.
    pub accent: Color32,
    /// On it.
    pub accent_ink: Color32,
    /// Good news.
    pub good: Color32,
    /// Something to look at.
    pub warn: Color32,
    /// Something is wrong.
    pub bad: Color32,
}

const fn hex(colour: u32) -> Color32 {
    let [_, red, green, blue] = colour.to_be_bytes();
    Color32::from_rgb(red, green, blue)
}

const LIGHT: Colours = Colours {
    ground: hex(0xf7_f4ee),
    panel: hex(0xff_fdf9),
    rim: hex(0xe2_dbcf),
    strong_rim: hex(0x8b_8172),
    ink: hex(0x21_1d18),
    soft: hex(0x65_5d51),
    frame: hex(0xd8_cdbd),
    hole: hex(0xe7_dfd3),
    accent: hex(0x9a_4a14),
    accent_ink: hex(0xff_ffff),
    good: hex(0x2c_7a3f),
    warn: hex(0xa3_5c00),
    bad: hex(0xb3_261e),
};

const DARK: Colours = Colours {
    ground: hex(0x16_1412),
    panel: hex(0x20_1d1a),
    rim: hex(0x37_322c),
    strong_rim: hex(0x8d_8478),
    ink: hex(0xf3_eee6),
    soft: hex(0xb3_a999),
    frame: hex(0x2c_2824),
    hole: hex(0x3a_352f),
    accent: hex(0xf0_a35e),
    accent_ink: hex(0x1f_1b16),
    good: hex(0x6c_c482),
    warn: hex(0xf0_b04a),
    bad: hex(0xff_8a80),
};

/// The colours in force.
pub fn colours(ctx: &Context) -> Colours {
    of(ctx.theme())
}

const fn of(brightness: Brightness) -> Colours {
    match brightness {
        Brightness::Dark => DARK,
        Brightness::Light => LIGHT,
    }
}

/// Makes the window look as the settings say.
pub fn apply(ctx: &Context, settings: &Settings) {
    ctx.set_theme(match settings.look {
        Look::System => ThemePreference::System,
        Look::Light => ThemePreference::Light,
        Look::Dark => ThemePreference::Dark,
    });
    for brightness in [Brightness::Light, Brightness::Dark] {
        ctx.style_mut_of(brightness, |style| {
            style.visuals = visuals(brightness);
            style.spacing.item_spacing = vec2(8.0, 6.0);
            style.spacing.button_padding = vec2(10.0, 5.0);
            style.spacing.interact_size = Vec2::splat(30.0);
            // A shadow over the edge would change the colours of what is under it.
            style.spacing.scroll.fade.strength = 0.0;
            style.spacing.window_margin = Margin::same(16);
            // Nothing of the window itself moves: a picture is drawn when something has happened, and once.
            style.animation_time = 0.0;
            let sizes = [
                (TextStyle::Small, 12.5),
                (TextStyle::Body, 15.0),
                (TextStyle::Button, 15.0),
                (TextStyle::Heading, 21.0),
            ];
            for (text_style, size) in sizes {
                style.text_styles.insert(text_style, FontId::proportional(size));
            }
        });
    }
}

fn visuals(brightness: Brightness) -> Visuals {
    let colours = of(brightness);
    let mut visuals = match brightness {
        Brightness::Dark => Visuals::dark(),
        Brightness::Light => Visuals::light(),
    };
    let round = CornerRadius::same(8);
    visuals.panel_fill = colours.ground;
    visuals.window_fill = colours.panel;
    visuals.window_stroke = Stroke::new(1.0, colours.rim);
    visuals.extreme_bg_color = colours.panel;
    visuals.faint_bg_color = colours.panel;
    visuals.override_text_color = None;
    visuals.hyperlink_color = colours.accent;
    visuals.warn_fg_color = colours.warn;
    visuals.error_fg_color = colours.bad;
    visuals.selection.bg_fill = colours.accent;
    visuals.selection.stroke = Stroke::new(1.0, colours.accent_ink);
    visuals.text_cursor.blink = false;
    let widgets = &mut visuals.widgets;
    for state in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        state.corner_radius = round;
        state.fg_stroke = Stroke::new(1.0, colours.ink);
        state.bg_fill = colours.hole;
        state.weak_bg_fill = colours.panel;
        state.bg_stroke = Stroke::new(1.0, colours.strong_rim);
        state.expansion = 0.0;
    }
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, colours.rim);
    widgets.hovered.bg_stroke = Stroke::new(1.5, colours.ink);
    widgets.hovered.weak_bg_fill = colours.hole;
    widgets.active.bg_stroke = Stroke::new(2.0, colours.accent);
    widgets.active.weak_bg_fill = colours.hole;
    visuals
}

/// How a tile is painted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TilePaint {
    /// Behind the digits.
    pub fill: Color32,
    /// The digits.
    pub ink: Color32,
    /// Its border: one line, or two with a gap, of this width.
    pub border: Option<(f32, bool)>,
}

/// How to paint a tile of this value. In the plain palette the border tells the tiles apart, as on the page.
pub fn tile(palette: Palette, value: u32) -> TilePaint {
    let paint = palette.tile(value);
    let border = (palette == Palette::Plain).then_some(match value {
        ..128 => (1.0, false),
        128..2048 => (4.0, false),
        2048..16384 => (2.0, true),
        _ => (3.0, true),
    });
    TilePaint { fill: rgb(paint.background), ink: rgb(paint.ink), border }
}

const fn rgb(Rgb(red, green, blue): Rgb) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// The colour of the player of this number in the list, and the ink on it: the page's.
pub fn player(ctx: &Context, number: usize) -> (Color32, Color32) {
    const LIGHT: [Color32; 8] = [
        hex(0x1f_5fbf),
        hex(0x0f_766e),
        hex(0x8a_3fb0),
        hex(0xb3_356b),
        hex(0x4d_6b1e),
        hex(0x9a_5200),
        hex(0x40_568c),
        hex(0x7a_4b3a),
    ];
    const DARK: [Color32; 8] = [
        hex(0x8d_b8ff),
        hex(0x5f_d0c3),
        hex(0xd3_a0f0),
        hex(0xff_9cc2),
        hex(0xb0_d372),
        hex(0xf3_b36b),
        hex(0xa9_bdf0),
        hex(0xdc_ab97),
    ];
    match ctx.theme() {
        Brightness::Light => (LIGHT[number % LIGHT.len()], Color32::WHITE),
        Brightness::Dark => (DARK[number % DARK.len()], hex(0x16_1412)),
    }
}

#[cfg(test)]
mod tests {
    use client::view::palette::contrast;

    use super::*;

    fn ratio(one: Color32, other: Color32) -> f64 {
        let rgb = |colour: Color32| Rgb(colour.r(), colour.g(), colour.b());
        contrast(rgb(one), rgb(other))
    }

    #[test]
    fn text_can_be_read_in_light_and_dark() {
        for colours in [LIGHT, DARK] {
            for behind in [colours.ground, colours.panel] {
                for text in [
                    colours.ink,
                    colours.soft,
                    colours.good,
                    colours.warn,
                    colours.bad,
                    colours.accent,
                ] {
                    assert!(ratio(text, behind) >= 4.5, "{text:?} on {behind:?}");
                }
                assert!(ratio(colours.strong_rim, behind) >= 3.0);
            }
            assert!(ratio(colours.accent_ink, colours.accent) >= 4.5);
        }
    }

    #[test]
    fn plain_tiles_differ_by_their_borders() {
        let border = |value| tile(Palette::Plain, value).border;
        assert_eq!(border(2), border(64));
        let kinds = [border(2), border(128), border(2048), border(131_072)];
        for (index, kind) in kinds.iter().enumerate() {
            assert!(!kinds[..index].contains(kind));
        }
        assert_eq!(tile(Palette::Classic, 2).border, None);
    }
}
