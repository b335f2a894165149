//! Games looked back at: records, past positions, stretches of moves, and games as text.

use serde::{Deserialize, Serialize};

use crate::{Decision, Direction, DriverKind, Grid, Seed, State, Transition};

/// What is known of a game without its moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameRecord {
    /// Its id.
    pub game: String,
    /// The session it was played in, or filed in when it was imported.
    pub session: String,
    /// How it stands.
    pub status: GameStatus,
    /// Whether it began on a given position.
    pub custom: bool,
    /// When it began, or was imported, in milliseconds since 1970-01-01 UTC.
    pub started_at: i64,
    /// When it ended, likewise; `null` while it can go on.
    pub ended_at: Option<i64>,
    /// Points.
    pub score: u64,
    /// Moves played.
    pub moves: u32,
    /// The largest tile's value.
    pub max_tile: u32,
    /// Pairs merged.
    pub merge_count: u32,
    /// Who had it from which move to which, oldest first.
    pub drivers: Vec<Stretch>,
    /// Who chose its moves.
    pub class: GameClass,
    /// Its seed, once it may be shown.
    pub seed: Option<String>,
}

/// How a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameStatus {
    /// It is a session's game and can go on.
    Running,
    /// No direction is legal.
    Over,
    /// Another was begun, or the session closed, while it could have gone on.
    Abandoned,
    /// It was played elsewhere.
    Imported,
}

/// Who chose the moves of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameClass {
    /// A person, every one.
    Human,
    /// Players, bots and fallbacks, every one.
    Ai,
    /// Both.
    Mixed,
}

/// A run of moves during which one driver had the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// What kind of driver.
    pub kind: DriverKind,
    /// `human`, or the name of the player or bot.
    pub name: String,
    /// Number of its first move, counted from 1.
    pub from: u32,
    /// Number of its last move; `from - 1` while it has not had one.
    pub to: u32,
    /// Why the game came to it.
    pub why: Option<String>,
}

/// A position of a game, whenever it was: the board's part of a [`State`](crate::State).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PastState {
    /// [`PROTOCOL`](crate::PROTOCOL).
    pub protocol: u32,
    /// The game's id.
    pub game: String,
    /// Four rows of four tile values; `null` is an empty square.
    pub grid: [[Option<u32>; 4]; 4],
    /// Points.
    pub score: u64,
    /// Pairs merged.
    pub merge_count: u32,
    /// Moves played: the `n` asked for.
    pub moves: u32,
    /// The largest tile's value.
    pub max_tile: u32,
    /// The direction of move `n`; `null` at the start.
    pub last_move: Option<Direction>,
    /// The directions that would change the board, in order.
    pub legal: Vec<Direction>,
    /// Whether no direction is legal.
    pub game_over: bool,
    /// Whether 2048 has been made.
    pub won: bool,
    /// How move `n` led here; `null` at the start.
    pub transition: Option<Transition>,
    /// What chose move `n`, and why.
    pub decision: Option<Decision>,
}

/// What a live state says about its board, in the shape of a past one.
impl From<&State> for PastState {
    fn from(state: &State) -> Self {
        Self {
            protocol: state.protocol,
            game: state.game.clone(),
            grid: state.grid,
            score: state.score,
            merge_count: state.merge_count,
            moves: state.moves,
            max_tile: state.max_tile,
            last_move: state.last_move,
            legal: state.legal.clone(),
            game_over: state.game_over,
            won: state.won,
            transition: state.transition.clone(),
            decision: state.decision.clone(),
        }
    }
}

/// Moves of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MovesPage {
    /// The game's id.
    pub game: String,
    /// Number of the first move, counted from 1.
    pub from: u32,
    /// Number of the last; `from - 1` when there is none.
    pub to: u32,
    /// The moves.
    pub items: Vec<PastMove>,
}

/// One move of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PastMove {
    /// Its number, counted from 1.
    pub n: u32,
    /// What it did.
    #[serde(flatten)]
    pub transition: Transition,
    /// What chose it, and why.
    pub decision: Option<Decision>,
}

/// The first line of a game as text; the second is [`ExportMoves`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportHeader {
    /// [`ExportHeader::FORMAT`].
    pub format: String,
    /// [`ExportHeader::RULES`]: which spawn function the seed goes into.
    pub rules: u32,
    /// The seed of its spawns.
    pub seed: Seed,
    /// The position it began on, if that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
    /// Points at the end.
    pub score: u64,
    /// Moves.
    pub moves: u32,
    /// The largest tile at the end.
    pub max_tile: u32,
    /// SHA-256 of the letters of the directions, in hexadecimal: what tells a changed direction that happens to fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Who had it.
    #[serde(default)]
    pub drivers: Vec<Stretch>,
}

impl ExportHeader {
    /// What the text calls itself.
    pub const FORMAT: &str = "serve2048/1";
    /// The version of the rules, the spawn function included.
    pub const RULES: u32 = 1;
}

/// The second line of a game as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportMoves {
    /// A letter U, D, L or R for each move.
    pub directions: String,
}

/// Reply to an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The id it was filed under.
    pub game: String,
}
