//! The colours of the tiles, the same in every client.

/// A colour of the sRGB space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// How a tile is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    /// Behind the digits.
    pub background: Rgb,
    /// The digits.
    pub ink: Rgb,
}

/// A set of colours, by the name that every client gives it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Palette {
    /// The known colours, with inks dark enough to read.
    #[default]
    Classic,
    /// One ramp of falling lightness: readable in greyscale.
    ColourBlind,
    /// Every tile the same: the digits and the borders tell them apart.
    Plain,
}

/// Why a name is no palette's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not one of classic, colour-blind, plain")]
pub struct UnknownPalette {
    /// What was given.
    pub name: String,
}

const DARK_INK: Rgb = Rgb(0x1f, 0x1b, 0x16);
const LIGHT_INK: Rgb = Rgb(0xf9, 0xf6, 0xf2);
const BLACK_INK: Rgb = Rgb(0x11, 0x11, 0x11);
const WHITE_INK: Rgb = Rgb(0xff, 0xff, 0xff);

const fn paint(background: u32, ink: Rgb) -> Paint {
    let [_, red, green, blue] = background.to_be_bytes();
    Paint { background: Rgb(red, green, blue), ink }
}

/// 2, 4, 8, ... 131072.
const CLASSIC: [Paint; 17] = [
    paint(0xee_e4da, DARK_INK),
    paint(0xed_e0c8, DARK_INK),
    paint(0xf2_b179, DARK_INK),
    paint(0xf5_9563, DARK_INK),
    paint(0xf6_7c5f, DARK_INK),
    paint(0xf6_5e3b, DARK_INK),
    paint(0xed_cf72, DARK_INK),
    paint(0xed_cc61, DARK_INK),
    paint(0xed_c850, DARK_INK),
    paint(0xed_c53f, DARK_INK),
    paint(0xed_c22e, DARK_INK),
    paint(0x3c_3a32, LIGHT_INK),
    paint(0x3f_4f24, LIGHT_INK),
    paint(0x17_504a, LIGHT_INK),
    paint(0x17_456b, LIGHT_INK),
    paint(0x44_3279, LIGHT_INK),
    paint(0x6a_1f4e, LIGHT_INK),
];

/// 2, 4, 8, ... 131072.
const COLOUR_BLIND: [Paint; 17] = [
    paint(0xff_ea46, BLACK_INK),
    paint(0xf0_db52, BLACK_INK),
    paint(0xe0_cc5d, BLACK_INK),
    paint(0xce_bd67, BLACK_INK),
    paint(0xbc_af6e, BLACK_INK),
    paint(0xac_a273, BLACK_INK),
    paint(0x9c_9576, BLACK_INK),
    paint(0x8c_8879, BLACK_INK),
    paint(0x7d_7c76, BLACK_INK),
    paint(0x6e_7073, WHITE_INK),
    paint(0x60_646f, WHITE_INK),
    paint(0x51_586d, WHITE_INK),
    paint(0x40_4d6c, WHITE_INK),
    paint(0x27_416c, WHITE_INK),
    paint(0x07_366e, WHITE_INK),
    paint(0x00_2b60, WHITE_INK),
    paint(0x00_204c, WHITE_INK),
];

const PLAIN: [Paint; 1] = [paint(0xff_ffff, BLACK_INK)];

impl Palette {
    /// All of them, in the order to offer them.
    pub const ALL: [Self; 3] = [Self::Classic, Self::ColourBlind, Self::Plain];

    /// Its name in options and settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::ColourBlind => "colour-blind",
            Self::Plain => "plain",
        }
    }

    /// How to paint a tile. A value beyond the table has the last colour: it is drawn, not dropped.
    pub fn tile(self, value: u32) -> Paint {
        let paints = match self {
            Self::Classic => CLASSIC.as_slice(),
            Self::ColourBlind => COLOUR_BLIND.as_slice(),
            Self::Plain => PLAIN.as_slice(),
        };
        let step = value.max(2).ilog2() as usize - 1;
        paints[step.min(paints.len() - 1)]
    }
}

impl std::str::FromStr for Palette {
    type Err = UnknownPalette;

    fn from_str(name: &str) -> Result<Self, UnknownPalette> {
        let known = Self::ALL.into_iter().find(|palette| palette.name() == name);
        known.ok_or_else(|| UnknownPalette { name: name.into() })
    }
}

/// The contrast of two colours by WCAG 2.2, 1 to 21: <https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio>.
pub fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// <https://www.w3.org/TR/WCAG22/#dfn-relative-luminance>
fn luminance(Rgb(red, green, blue): Rgb) -> f64 {
    let linear = |channel: u8| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> impl Iterator<Item = u32> {
        (1..=17).map(|exponent| 1 << exponent)
    }

    fn ratio(palette: Palette, value: u32) -> f64 {
        let Paint { background, ink } = palette.tile(value);
        contrast(background, ink)
    }

    #[test]
    fn contrast_is_the_formula_of_wcag() {
        assert!((contrast(Rgb(0, 0, 0), Rgb(255, 255, 255)) - 21.0).abs() < 1e-9);
        assert!((contrast(Rgb(119, 119, 119), Rgb(255, 255, 255)) - 4.48).abs() < 0.005);
    }

    #[test]
    fn every_tile_of_every_palette_can_be_read() {
        for palette in Palette::ALL {
            for value in values() {
                let ratio = ratio(palette, value);
                assert!(ratio >= 4.5, "{} {value}: {ratio:.2}", palette.name());
            }
        }
    }

    #[test]
    fn the_ramp_for_the_colour_blind_has_the_measured_ratios_and_falls() {
        let measured = [
            15.4, 13.5, 11.7, 10.0, 8.5, 7.4, 6.3, 5.3, 4.5, 5.0, 5.9, 7.1, 8.4, 10.2, 11.9, 13.9,
            16.0,
        ];
        let mut lightness = f64::INFINITY;
        for (value, measured) in values().zip(measured) {
            let ratio = ratio(Palette::ColourBlind, value);
            assert!((ratio - measured).abs() < 0.06, "{value}: {ratio:.2} is not {measured}");
            let next = luminance(Palette::ColourBlind.tile(value).background);
            assert!(next < lightness, "{value}");
            lightness = next;
        }
    }

    #[test]
    fn a_value_beyond_the_table_has_the_last_colour() {
        for palette in Palette::ALL {
            assert_eq!(palette.tile(1 << 20), palette.tile(131_072));
            assert_eq!(palette.tile(0), palette.tile(2));
        }
    }

    #[test]
    fn the_page_has_the_same_colours() {
        let css = [
            include_str!("../../../static/theme.css"),
            include_str!("../../../static/palettes.css"),
        ];
        let rules = css.iter().flat_map(|css| css.split('}'));
        let rule = |name: &str| {
            let of = |rule: &&str| rule.contains("--t2: #") && rule.contains(name);
            rules.clone().find(of).unwrap().to_owned()
        };
        for (palette, name) in
            [(Palette::Classic, "Classic:"), (Palette::ColourBlind, "Colour-blind:")]
        {
            let rule = rule(name);
            for value in values() {
                let Rgb(red, green, blue) = palette.tile(value).background;
                let colour = format!("--t{value}: #{red:02x}{green:02x}{blue:02x};");
                assert!(rule.contains(&colour), "{} lacks {colour}", palette.name());
            }
        }
    }

    #[test]
    fn a_palette_is_found_by_its_name() {
        for palette in Palette::ALL {
            assert_eq!(palette.name().parse(), Ok(palette));
        }
        assert_eq!("Classic".parse::<Palette>(), Err(UnknownPalette { name: "Classic".into() }));
    }
}
