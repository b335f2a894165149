//! The file of a trained network: written once, read by everybody.
//!
//! Lines of text that tell what it is, an empty line, and the weights, compressed by zstd: for each stage and pattern a
//! bit for each weight, set unless it is zero, the lowest bit of a byte first; then the low bytes of those that are not
//! zero, then their high bytes. A weight is a number of steps, zigzag-coded: 0, -1, 1, -2, ... are 0, 1, 2, 3, ...

use std::{
    fmt::Write as _,
    io::{self, Read},
    str::FromStr,
};

use engine::Tile;

use super::{
    Network,
    downgrade::HIGHEST,
    pages,
    shape::{CELLS, PATTERNS, WEIGHTS},
};

/// The first line of every such file, but for the version.
const MAGIC: &str = "serve2048 n-tuple network ";
/// The version of the format.
const VERSION: &str = "1";

/// What a file tells of its network.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// The tiles with which the second stage and those after it begin.
    pub begins: Vec<Tile>,
    /// Points of one step of a weight.
    pub step: f32,
    /// Points that every board is worth besides its weights.
    pub base: f32,
    /// The largest tile that it has learned to play with: one that its own games reach often enough.
    pub learned: Tile,
    /// Games it has learned from.
    pub games: u64,
    /// The command that trained it.
    pub training: String,
    /// Its mean score one move ahead, with its interval and the number of games.
    pub score: String,
}

impl Default for About {
    fn default() -> Self {
        Self {
            begins: Vec::new(),
            step: 0.0,
            base: 0.0,
            learned: Tile::from_exponent(HIGHEST).expect("a tile has that exponent"),
            games: 0,
            training: String::new(),
            score: String::new(),
        }
    }
}

/// Why a file is no network that this program can use. The texts begin with what is wrong, for a sentence that names
/// the file.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// It does not begin as it should.
    #[error("it is not a file of weights")]
    Foreign,
    /// Another program's, older or newer.
    #[error("its format is version {0}, not {VERSION}")]
    Version(String),
    /// For another network.
    #[error("its network has the shape {0}, not {expected}", expected = shape())]
    Shape(String),
    /// A line is missing or cannot be read.
    #[error("its line \"{0}\" is missing or damaged")]
    Line(&'static str),
    /// It is shorter or longer than it says.
    #[error("it has {found} bytes of weights, not {told}: it was cut or added to")]
    Length {
        /// By its own word.
        told: usize,
        /// In truth.
        found: usize,
    },
    /// Its checksum is wrong.
    #[error("it is damaged: its checksum is {found:08x}, not {told:08x}")]
    Checksum {
        /// By its own word.
        told: u32,
        /// In truth.
        found: u32,
    },
    /// It cannot be unpacked, or there is no memory for it.
    #[error("its weights cannot be unpacked: {0}")]
    Unpacked(#[from] io::Error),
}

/// A file that has been checked, all but unpacked.
#[derive(Debug, Clone)]
pub struct Weights<'a> {
    about: About,
    packed: &'a [u8],
}

impl<'a> Weights<'a> {
    /// Checks the bytes of a file.
    ///
    /// # Errors
    /// - When they are not what [`write()`] wrote, for a network of this program's shape.
    pub fn check(file: &'a [u8]) -> Result<Self, WeightsError> {
        let rest = file.strip_prefix(MAGIC.as_bytes()).ok_or(WeightsError::Foreign)?;
        let end = rest.windows(2).position(|pair| pair == b"\n\n").ok_or(WeightsError::Foreign)?;
        let text = std::str::from_utf8(&rest[..end]).ok().ok_or(WeightsError::Foreign)?;
        let version = text.lines().next().unwrap_or_default();
        if version != VERSION {
            return Err(WeightsError::Version(version.to_owned()));
        }
        let found: String = value(text, "shape")?;
        if found != shape() {
            return Err(WeightsError::Shape(found));
        }
        let packed = &rest[end + 2..];
        let told = value(text, "bytes")?;
        if told != packed.len() {
            return Err(WeightsError::Length { told, found: packed.len() });
        }
        let told: String = value(text, "crc32")?;
        let told = u32::from_str_radix(&told, 16).ok().ok_or(WeightsError::Line("crc32"))?;
        let found = crc32fast::hash(packed);
        if told != found {
            return Err(WeightsError::Checksum { told, found });
        }
        let about = About {
            begins: begins(&value::<String>(text, "stages")?)?,
            step: value(text, "step")?,
            base: value(text, "base")?,
            learned: learned(&value::<String>(text, "learned")?)?,
            games: value(text, "games")?,
            training: value(text, "training")?,
            score: value(text, "score")?,
        };
        Ok(Self { about, packed })
    }

    /// What the file tells.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The memory that the network will take, in bytes.
    pub fn bytes(&self) -> usize {
        (self.about.begins.len() + 1) * WEIGHTS * size_of::<i16>()
    }

    /// Unpacks the network.
    ///
    /// # Errors
    /// - [`WeightsError::Unpacked`].
    pub fn unpack(&self) -> Result<Network, WeightsError> {
        let weights: &mut [i16] = pages::zeroed(self.bytes() / size_of::<i16>())?;
        let mut packed = zstd::stream::read::Decoder::with_buffer(self.packed)?;
        for pattern in weights.chunks_exact_mut(CELLS) {
            unpack(&mut packed, pattern)?;
        }
        Ok(Network::new(weights, &self.about))
    }
}

/// The bytes of the file of a network of `weights`, in steps; `level` is zstd's, up to 22.
///
/// # Errors
/// - When zstd fails.
///
/// # Panics
/// When there are not [`WEIGHTS`] weights for each stage.
pub fn write(weights: &[i16], about: &About, level: i32) -> io::Result<Vec<u8>> {
    assert_eq!(weights.len(), (about.begins.len() + 1) * WEIGHTS);
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), level)?;
    for pattern in weights.chunks_exact(CELLS) {
        pack(&mut encoder, pattern)?;
    }
    let packed = encoder.finish()?;
    let stages: Vec<_> = about.begins.iter().map(ToString::to_string).collect();
    let mut text = format!("{MAGIC}{VERSION}\n");
    let lines = [
        ("shape", shape()),
        ("stages", stages.join(" ")),
        ("step", about.step.to_string()),
        ("base", about.base.to_string()),
        ("learned", about.learned.to_string()),
        ("games", about.games.to_string()),
        ("training", about.training.clone()),
        ("score", about.score.clone()),
        ("bytes", packed.len().to_string()),
        ("crc32", format!("{:08x}", crc32fast::hash(&packed))),
    ];
    for (name, value) in lines {
        writeln!(text, "{name}: {}", value.replace('\n', " ")).expect("a string takes all");
    }
    text.push('\n');
    Ok([text.into_bytes(), packed].concat())
}

fn pack(to: &mut impl io::Write, pattern: &[i16]) -> io::Result<()> {
    let mask: Vec<u8> = pattern
        .chunks_exact(8)
        .map(|eight| eight.iter().rev().fold(0, |mask, &weight| mask << 1 | u8::from(weight != 0)))
        .collect();
    let codes = || pattern.iter().filter(|weight| **weight != 0).map(|&weight| zigzag(weight));
    to.write_all(&mask)?;
    to.write_all(&codes().map(|code| code as u8).collect::<Vec<_>>())?;
    to.write_all(&codes().map(|code| (code >> 8) as u8).collect::<Vec<_>>())
}

fn unpack(from: &mut impl Read, pattern: &mut [i16]) -> io::Result<()> {
    let mut mask = vec![0; CELLS / 8];
    from.read_exact(&mut mask)?;
    let count: u32 = mask.iter().map(|byte: &u8| byte.count_ones()).sum();
    let (mut low, mut high) = (vec![0; count as usize], vec![0; count as usize]);
    from.read_exact(&mut low)?;
    from.read_exact(&mut high)?;
    let mut codes = low.iter().zip(&high).map(|(&low, &high)| u16::from_le_bytes([low, high]));
    for (eight, mask) in pattern.chunks_exact_mut(8).zip(mask) {
        let set = eight.iter_mut().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
        for ((_, weight), code) in set.zip(&mut codes) {
            *weight = unzigzag(code);
        }
    }
    Ok(())
}

const fn zigzag(weight: i16) -> u16 {
    (weight << 1 ^ weight >> 15).cast_unsigned()
}

const fn unzigzag(code: u16) -> i16 {
    (code >> 1).cast_signed() ^ -(code & 1).cast_signed()
}

/// The shape in words: the squares of each pattern as hexadecimal digits.
fn shape() -> String {
    let digits = |pattern: &[u8; 6]| pattern.map(|square| format!("{square:x}")).concat();
    PATTERNS.iter().map(digits).collect::<Vec<_>>().join(" ")
}

/// What a line of the text says.
fn value<T: FromStr>(text: &str, name: &'static str) -> Result<T, WeightsError> {
    let found = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    found.and_then(|value| value.parse().ok()).ok_or(WeightsError::Line(name))
}

/// The tiles with which stages begin.
fn begins(text: &str) -> Result<Vec<Tile>, WeightsError> {
    let tile = |word: &str| tile(word, 9).ok_or(WeightsError::Line("stages"));
    text.split_whitespace().map(tile).collect()
}

/// The largest tile that was learned.
fn learned(text: &str) -> Result<Tile, WeightsError> {
    tile(text, 8).ok_or(WeightsError::Line("learned"))
}

/// A tile from 2^`least` to 32768.
fn tile(word: &str, least: u8) -> Option<Tile> {
    let tile = word.parse().ok().and_then(|value| Tile::from_value(value).ok())?;
    (least..=HIGHEST).contains(&tile.exponent()).then_some(tile)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about() -> About {
        About {
            step: 4.0,
            learned: Tile::from_exponent(14).unwrap(),
            games: 12,
            training: "lab train x".to_owned(),
            score: "7".to_owned(),
            ..About::default()
        }
    }

    fn weights() -> &'static mut [i16] {
        let weights: &mut [i16] = pages::zeroed(WEIGHTS).unwrap();
        for (weight, i) in weights.iter_mut().step_by(99_991).zip(0_i16..) {
            *weight = i.wrapping_mul(7_919);
        }
        weights
    }

    #[test]
    fn what_is_written_is_read() {
        let (weights, about) = (weights(), about());
        let file = write(weights, &about, 1).unwrap();
        let read = Weights::check(&file).unwrap();
        assert_eq!(read.about(), &about);
        assert_eq!(read.unpack().unwrap().weights(), weights);
        for weight in [0, 1, -1, i16::MAX, i16::MIN] {
            assert_eq!(unzigzag(zigzag(weight)), weight);
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told() {
        let file = write(weights(), &about(), 1).unwrap();
        let told = |file: &[u8]| Weights::check(file).unwrap_err().to_string();
        let edited = |from: &str, to: &str| {
            let text = String::from_utf8_lossy(&file[..300]).into_owned();
            let at = text.find(from).unwrap();
            [&file[..at], to.as_bytes(), &file[at + from.len()..]].concat()
        };
        assert_eq!(told(b"PK\x03\x04 something else"), "it is not a file of weights");
        assert_eq!(told(&file[..40]), "it is not a file of weights");
        assert_eq!(told(&edited("network 1", "network 2")), "its format is version 2, not 1");
        assert!(told(&edited("012345", "012346")).starts_with("its network has the shape 012346"));
        assert!(told(&edited("step", "stop")).contains("\"step\" is missing"));
        assert!(told(&file[..file.len() - 5]).contains("it was cut"));
        let mut damaged = file.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(told(&damaged).starts_with("it is damaged: its checksum is"));
    }
}
