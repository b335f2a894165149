//! Players with settings switched by name: how the arena compares one setting with another.

use std::{fmt, sync::Arc};

use crate::{
    Crew, Entry, Evaluation, Expectimax, ExpectimaxSettings, Flat, HowHigh, Judge, Mcts,
    MctsSettings, Minimax, Player, Policy, Rollouts, Scaling, Tutorial, find,
};

/// A player of the register, as it is or with some settings switched: NAME, or NAME+SETTING+SETTING.
#[derive(Clone)]
pub struct Variant {
    /// What it is a variant of.
    pub entry: &'static Entry,
    make: Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>,
}

/// A name that is no variant's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnknownVariant {
    /// There is no player of this name.
    Player(String),
    /// The player has no such setting.
    Setting {
        /// The player.
        player: &'static str,
        /// What was asked for.
        setting: String,
        /// The settings it has.
        known: &'static [&'static str],
    },
}

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(name) => {
                let known: Vec<_> = crate::roster().iter().map(|entry| entry.name).collect();
                write!(f, "{name} is not one of {}", known.join(", "))
            }
            Self::Setting { player, setting, known: [] } => {
                write!(f, "{player} has no settings, and so not {setting}")
            }
            Self::Setting { player, setting, known } => {
                write!(f, "{setting} is not a setting of {player}: it has {}", known.join(", "))
            }
        }
    }
}

impl std::error::Error for UnknownVariant {}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Variant").field("entry", &self.entry).finish_non_exhaustive()
    }
}

impl Variant {
    /// Reads NAME or NAME+SETTING+SETTING. `crew` lends the threads of a setting that searches on several.
    ///
    /// # Errors
    /// - [`UnknownVariant`] with the word that is not known.
    pub fn parse(
        text: &str,
        crew: impl Fn(usize) -> Arc<dyn Crew>,
    ) -> Result<Self, UnknownVariant> {
        let mut words = text.split('+');
        let name = words.next().unwrap_or_default();
        let entry = find(name).ok_or_else(|| UnknownVariant::Player(name.to_owned()))?;
        let settings: Vec<&str> = words.collect();
        if settings.is_empty() {
            return Ok(Self { entry, make: Arc::new(entry.build) });
        }
        let make = match entry.name {
            "mcts" => mcts(&settings, crew),
            "flat" => flat(&settings),
            "expectimax" => expectimax(&settings),
            "minimax" => minimax(&settings),
            _ => settings
                .first()
                .map_or(Ok(Arc::new(entry.build) as Make), |word| Err((*word, NONE))),
        };
        let make = make.map_err(|(setting, known)| UnknownVariant::Setting {
            player: entry.name,
            setting: setting.to_owned(),
            known,
        })?;
        Ok(Self { entry, make })
    }

    /// Makes one.
    pub fn build(&self) -> Box<dyn Player> {
        (self.make)()
    }
}

type Make = Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>;
type Unknown<'a> = (&'a str, &'static [&'static str]);

const NONE: &[&str] = &[];
const MCTS: &[&str] =
    &["py2048", "deep", "reuse", "scaled", "corner", "uniform", "judged", "crew2", "crew4"];
const FLAT: &[&str] = &["py2048", "deep", "corner", "uniform"];
const EXPECTIMAX: &[&str] = &["pruned", "tutorial"];
const MINIMAX: &[&str] = &["howhigh"];

fn mcts<'a>(words: &[&'a str], crew: impl Fn(usize) -> Arc<dyn Crew>) -> Result<Make, Unknown<'a>> {
    let (mut settings, mut lent) = (MctsSettings::default(), None);
    for word in words {
        match *word {
            "py2048" => settings = MctsSettings::PY2048,
            "reuse" => settings.reuse = true,
            // A fixed exploration of 20 points is about as much as one deviation in the middle of a game.
            "scaled" => (settings.scaling, settings.exploration) = (Scaling::Spread, 1.0),
            // Not in points, so their exploration cannot be either.
            "judged" => {
                settings.judge = Judge::HowHigh;
                (settings.scaling, settings.exploration) = (Scaling::Spread, 1.0);
            }
            "crew2" => lent = Some(crew(2)),
            "crew4" => lent = Some(crew(4)),
            word => settings.rollouts = rollouts(settings.rollouts, word).ok_or((word, MCTS))?,
        }
    }
    Ok(Arc::new(move || {
        let player = Mcts::new(settings);
        match &lent {
            Some(crew) => Box::new(player.with_crew(Arc::clone(crew))),
            None => Box::new(player),
        }
    }))
}

fn flat<'a>(words: &[&'a str]) -> Result<Make, Unknown<'a>> {
    let rollouts = words.iter().try_fold(Rollouts::default(), |settings, word| {
        rollouts(settings, word).ok_or((*word, FLAT))
    })?;
    Ok(Arc::new(move || Box::new(Flat::new(rollouts))))
}

/// The rollouts with a setting switched.
fn rollouts(settings: Rollouts, word: &str) -> Option<Rollouts> {
    match word {
        "py2048" => Some(Rollouts::PY2048),
        "deep" => Some(Rollouts { depth: Rollouts::default().depth, ..settings }),
        "corner" => Some(Rollouts { policy: Policy::Corner, ..settings }),
        "uniform" => Some(Rollouts { policy: Policy::Uniform, ..settings }),
        _ => None,
    }
}

fn expectimax<'a>(words: &[&'a str]) -> Result<Make, Unknown<'a>> {
    let (mut settings, mut is_tutorial) = (ExpectimaxSettings::default(), false);
    for word in words {
        match *word {
            "pruned" => settings.roomy = Some(6),
            "tutorial" => is_tutorial = true,
            word => return Err((word, EXPECTIMAX)),
        }
    }
    Ok(if is_tutorial { judging::<Tutorial>(settings) } else { judging::<HowHigh>(settings) })
}

fn judging<E: Evaluation + Default + 'static>(settings: ExpectimaxSettings) -> Make {
    Arc::new(move || Box::new(Expectimax::new(E::default(), settings)))
}

fn minimax<'a>(words: &[&'a str]) -> Result<Make, Unknown<'a>> {
    match words.iter().find(|word| **word != "howhigh") {
        Some(word) => Err((word, MINIMAX)),
        None => Ok(Arc::new(|| Box::new(Minimax::<HowHigh>::default()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fingerprint, testing};

    fn parse(text: &str) -> Result<Variant, UnknownVariant> {
        struct Alone;
        impl Crew for Alone {
            fn size(&self) -> usize {
                1
            }
            fn run<'a>(&self, jobs: Vec<Box<dyn FnOnce() + Send + 'a>>) {
                for job in jobs {
                    job();
                }
            }
        }
        Variant::parse(text, |_| Arc::new(Alone))
    }

    #[test]
    fn every_setting_has_a_name_and_an_effect() {
        let players =
            [("mcts", MCTS), ("flat", FLAT), ("expectimax", EXPECTIMAX), ("minimax", MINIMAX)];
        for (name, settings) in players {
            let plain = fingerprint::of(find(name).unwrap());
            assert_eq!(fingerprint::of_player(|| parse(name).unwrap().build()), plain);
            let changed = settings.iter().filter(|setting| {
                let variant = parse(&format!("{name}+{setting}")).unwrap();
                fingerprint::of_player(|| variant.build()) != plain
            });
            // What is the default, and a crew of one, change nothing.
            assert!(changed.count() >= settings.len().div_ceil(3), "{name}");
        }
    }

    #[test]
    fn settings_add_up() {
        let variant = parse("mcts+corner+reuse").unwrap();
        assert_eq!(variant.entry.name, "mcts");
        let of = |text: &str| fingerprint::of_player(|| parse(text).unwrap().build());
        assert_eq!(of("mcts+corner+reuse"), of("mcts+reuse+corner"));
        assert_ne!(of("mcts+corner+reuse"), of("mcts+reuse"));
    }

    #[test]
    fn what_is_unknown_is_named_with_what_there_is() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(error("mtcs").starts_with("mtcs is not one of mcts, "));
        assert_eq!(
            error("flat+fast"),
            "fast is not a setting of flat: it has py2048, deep, corner, uniform"
        );
        assert_eq!(error("random+corner"), "random has no settings, and so not corner");
    }

    #[test]
    fn chance_nodes_are_pruned_by_name() {
        let board = "8 4 2 . 2 . . . . . . . . . . 2";
        let nodes = |text: &str| {
            let mut player = parse(text).unwrap().build();
            let board = board.parse().unwrap();
            let position =
                crate::Position { board, score: 0, merges: 0, moves: 0, recent: Vec::new() };
            player.choose(&position, &testing::nodes(u64::MAX, 0)).effort.nodes
        };
        assert!(nodes("expectimax+pruned") < nodes("expectimax"));
    }
}
