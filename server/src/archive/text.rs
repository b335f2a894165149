//! A game as text: two lines of JSON that another server can check move by move.

use engine::{Board, Direction, Game, Start};
use protocol::{ExportHeader, ExportMoves, Grid, GridError, Seed};
use sha2::{Digest, Sha256};
use store::{
    DriverKind, GameId, GameRecord, ImportedGame, Numbers, SessionId, StoredGame, Stretch,
    UnixMillis,
};

use super::stretch_of;

/// The longest name of a driver, and reason for which it took over, in characters: every list of games has them.
const NAME_LENGTH: usize = 100;

/// The most changes of hands in an imported game, likewise.
const STRETCHES: usize = 1000;

/// Why a text is not taken for a game. Nothing of it was filed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There are not exactly two lines.
    #[error("a game is two lines, a header and its directions; this text has {0}")]
    Lines(usize),
    /// The first line is not a header.
    #[error("line 1 is not a header: {0}")]
    Header(#[source] serde_json::Error),
    /// The second line has no directions.
    #[error("line 2 has no directions: {0}")]
    Moves(#[source] serde_json::Error),
    /// It is a text of another kind, or of a later version.
    #[error("the format is {0}, not {format}", format = ExportHeader::FORMAT)]
    Format(String),
    /// Its spawns come from another function.
    #[error("the rules are version {0}, not {rules}", rules = ExportHeader::RULES)]
    Rules(u32),
    /// Its grid is no position.
    #[error("the grid is no position: {0}")]
    Grid(#[source] GridError),
    /// A letter is no direction.
    #[error("move {number} is {letter:?}, not one of U, D, L, R")]
    Letter {
        /// The move's number, from 1.
        number: usize,
        /// The letter.
        letter: char,
    },
    /// A move changes nothing where it stands.
    #[error(transparent)]
    Move(#[from] engine::ReplayError),
    /// The moves do not come to what the header says.
    #[error("after move {moves} the {what} is {actual}, not {said}")]
    Sum {
        /// Moves played.
        moves: u32,
        /// Which number.
        what: &'static str,
        /// What the moves come to.
        actual: u64,
        /// What the header says.
        said: u64,
    },
    /// Every move fits, and yet they are not those that were exported.
    #[error("one of the {0} directions was changed: they do not match the header's sha256")]
    Digest(u32),
    /// A driver has a text that no server gave it.
    #[error(
        "the driver of move {from} has a name or a reason of more than {NAME_LENGTH} characters"
    )]
    Name {
        /// Its first move.
        from: u32,
    },
    /// More drivers than lists have room for.
    #[error("the game changes hands {0} times; at most {STRETCHES} are taken")]
    Hands(usize),
    /// The drivers do not follow on each other.
    #[error(
        "the drivers do not cover the moves 1 to {moves} one after the other, from move {at} on"
    )]
    Drivers {
        /// Moves played.
        moves: u32,
        /// The first move without a driver of its own.
        at: u32,
    },
}

/// The game as two lines of JSON.
///
/// # Panics
/// Never: the lines have no map with keys that JSON cannot write.
pub fn export(record: &GameRecord, game: &StoredGame) -> String {
    let directions: String = game.directions.iter().map(|direction| direction.letter()).collect();
    let header = ExportHeader {
        format: ExportHeader::FORMAT.to_owned(),
        rules: ExportHeader::RULES,
        seed: Seed(game.seed),
        grid: match game.start {
            Start::Seeded => None,
            Start::Custom(board) => Some(grid_of(&board)),
        },
        score: record.numbers.score,
        moves: record.numbers.moves,
        max_tile: record.numbers.max_tile,
        sha256: Some(sha256(&directions)),
        drivers: record
            .drivers
            .iter()
            .filter(|stretch| stretch.to >= stretch.from)
            .map(stretch_of)
            .collect(),
    };
    let moves = ExportMoves { directions };
    let line =
        |value: Result<String, serde_json::Error>| value.expect("these have string keys only");
    format!("{}\n{}\n", line(serde_json::to_string(&header)), line(serde_json::to_string(&moves)))
}

/// The game that `text` is, to be filed in `session` as `id`.
///
/// # Errors
/// - [`ImportError`], naming the first move that does not fit.
pub fn import(
    text: &str,
    id: GameId,
    session: SessionId,
    at: UnixMillis,
) -> Result<ImportedGame, ImportError> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let [header, moves] = lines[..] else { return Err(ImportError::Lines(lines.len())) };
    let header: ExportHeader = serde_json::from_str(header).map_err(ImportError::Header)?;
    let moves: ExportMoves = serde_json::from_str(moves).map_err(ImportError::Moves)?;
    if header.format != ExportHeader::FORMAT {
        return Err(ImportError::Format(header.format));
    }
    if header.rules != ExportHeader::RULES {
        return Err(ImportError::Rules(header.rules));
    }
    let start = match header.grid {
        None => Start::Seeded,
        Some(grid) => Start::Custom(Board::try_from(grid).map_err(ImportError::Grid)?),
    };
    let directions = directions(&moves.directions)?;
    let game = Game::replay(header.seed.0, start, &directions)?;
    let numbers = check(&header, &game)?;
    if header.sha256.as_ref().is_some_and(|said| *said != sha256(&moves.directions)) {
        return Err(ImportError::Digest(numbers.moves));
    }
    let drivers = drivers(header.drivers, numbers.moves)?;
    Ok(ImportedGame { id, session, seed: header.seed.0, start, directions, numbers, drivers, at })
}

fn directions(letters: &str) -> Result<Vec<Direction>, ImportError> {
    let read = |(index, letter)| {
        Direction::from_letter(letter).ok_or(ImportError::Letter { number: index + 1, letter })
    };
    letters.chars().enumerate().map(read).collect()
}

fn check(header: &ExportHeader, game: &Game) -> Result<Numbers, ImportError> {
    let numbers = Numbers::of(game);
    let sums = [
        ("number of moves", u64::from(numbers.moves), u64::from(header.moves)),
        ("score", numbers.score, header.score),
        ("largest tile", u64::from(numbers.max_tile), u64::from(header.max_tile)),
    ];
    match sums.into_iter().find(|(_, actual, said)| actual != said) {
        None => Ok(numbers),
        Some((what, actual, said)) => {
            Err(ImportError::Sum { moves: numbers.moves, what, actual, said })
        }
    }
}

/// The stretches, which must follow on each other; a text without any is taken for a person's game.
fn drivers(told: Vec<protocol::Stretch>, moves: u32) -> Result<Vec<Stretch>, ImportError> {
    if told.is_empty() {
        let all = Stretch {
            kind: DriverKind::Human,
            name: "human".to_owned(),
            from: 1,
            to: moves,
            why: None,
        };
        return Ok(vec![all]);
    }
    if told.len() > STRETCHES {
        return Err(ImportError::Hands(told.len()));
    }
    let mut next = 1;
    for stretch in &told {
        if stretch.from != next || stretch.to < stretch.from {
            return Err(ImportError::Drivers { moves, at: next });
        }
        let texts = [Some(&stretch.name), stretch.why.as_ref()];
        if texts.into_iter().flatten().any(|text| text.chars().count() > NAME_LENGTH) {
            return Err(ImportError::Name { from: stretch.from });
        }
        next = stretch.to.saturating_add(1);
    }
    if next != moves.saturating_add(1) {
        return Err(ImportError::Drivers { moves, at: next });
    }
    let stretch = |told: protocol::Stretch| Stretch {
        kind: match told.kind {
            protocol::DriverKind::Human => DriverKind::Human,
            protocol::DriverKind::Player => DriverKind::Player,
            protocol::DriverKind::Bot => DriverKind::Bot,
        },
        name: told.name,
        from: told.from,
        to: told.to,
        why: told.why,
    };
    Ok(told.into_iter().map(stretch).collect())
}

fn sha256(text: &str) -> String {
    format!("{:x}", Sha256::digest(text.as_bytes()))
}

fn grid_of(board: &Board) -> Grid {
    Grid(board.values().map(|row| row.map(|value| (value != 0).then_some(u64::from(value)))))
}
