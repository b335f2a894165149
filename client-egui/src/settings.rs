//! What is remembered between two starts: the server and how things look. Nothing of a game.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use client::view::{animation::Motion, palette::Palette};
use directories::ProjectDirs;
use serde::{Deserialize, Serialize};

/// Light or dark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// As the system says.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

/// How much moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Moving {
    /// Tiles slide, pop and fade in.
    #[default]
    Full,
    /// Outlines mark what is new.
    Reduced,
    /// Every position is drawn at once.
    Off,
}

/// How tiles are labelled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Labels {
    /// 131072
    #[default]
    Full,
    /// 131K
    Short,
}

/// What keys that are held down do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Held {
    /// They count once.
    #[default]
    Once,
    /// They go on, eight times a second at most.
    Repeat,
}

/// What is remembered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The server that was used last.
    pub server: String,
    /// The palette's name.
    #[serde(with = "palette_name")]
    pub palette: Palette,
    /// Light or dark.
    pub look: Look,
    /// How much moves.
    pub moving: Moving,
    /// How tiles are labelled.
    pub labels: Labels,
    /// What keys that are held down do.
    pub held: Held,
    /// How large everything is; 1 is the system's own size.
    pub zoom: f32,
    /// The window has said that a player plays on without it.
    pub told_of_playing_on: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            server: "http://127.0.0.1:2048".into(),
            palette: Palette::Classic,
            look: Look::System,
            moving: Moving::Full,
            labels: Labels::Full,
            held: Held::Once,
            zoom: 1.0,
            told_of_playing_on: false,
        }
    }
}

impl Moving {
    /// As the view model calls it.
    pub const fn motion(self) -> Motion {
        match self {
            Self::Full => Motion::Full,
            Self::Reduced => Motion::Reduced,
            Self::Off => Motion::Off,
        }
    }
}

mod palette_name {
    use client::view::palette::Palette;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(super) fn serialize<S: Serializer>(palette: &Palette, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(palette.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Palette, D::Error> {
        let name = String::deserialize(from)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// The file that the settings are kept in, or nothing.
#[derive(Debug, Clone, Default)]
pub struct Keeper {
    file: Option<PathBuf>,
}

impl Keeper {
    /// In the folder that the platform has for that.
    pub fn of_this_user() -> Self {
        let folders = ProjectDirs::from("", "", "serve2048");
        Self { file: folders.map(|folders| folders.config_dir().join("desktop.json")) }
    }

    /// In `file`.
    pub fn at(file: &Path) -> Self {
        Self { file: Some(file.to_owned()) }
    }

    /// Reads them; the usual ones where there are none, and where they can't be read.
    pub fn load(&self) -> Settings {
        let text = self.file.as_ref().and_then(|file| fs::read_to_string(file).ok());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Writes them, whole or not at all.
    ///
    /// # Errors
    /// - if the folder can't be made or the file not be written
    pub fn save(&self, settings: &Settings) -> io::Result<()> {
        let Some(file) = &self.file else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no folder for settings"));
        };
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let unfinished = file.with_extension("new");
        fs::write(&unfinished, serde_json::to_vec_pretty(settings)?)?;
        fs::rename(&unfinished, file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let keeper = Keeper::at(&folder.path().join("new/desktop.json"));
        assert_eq!(keeper.load(), Settings::default());
        let settings = Settings {
            palette: Palette::ColourBlind,
            look: Look::Dark,
            zoom: 1.25,
            ..Settings::default()
        };
        keeper.save(&settings).unwrap();
        assert_eq!(keeper.load(), settings);
    }

    #[test]
    fn a_file_that_is_damaged_or_can_not_be_written_does_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("desktop.json");
        fs::write(&file, r#"{"palette":"pink"}"#).unwrap();
        assert_eq!(Keeper::at(&file).load(), Settings::default());
        fs::write(&file, r#"{"palette":"plain","more":1}"#).unwrap();
        assert_eq!(Keeper::at(&file).load().palette, Palette::Plain);
        Keeper::at(Path::new("/proc/none/desktop.json")).save(&Settings::default()).unwrap_err();
        Keeper::default().save(&Settings::default()).unwrap_err();
    }
}
