//! Games looked back at: any position of any game is a replay of its seed and directions.
//!
//! Pure: what the store gave goes in, what crosses the wire comes out. A replay of a long game takes up to a few
//! milliseconds, so it is not for an arbiter.

use engine::{Game, ReplayError, Start};
use protocol::{GameClass, GameStatus, MovesPage, PROTOCOL, PastMove, PastState};
use store::{Class, GameRecord, Move, Status, StoredGame, Stretch};

use crate::actors::session::{decision_of, driver_kind_of};

mod text;

pub use text::{ImportError, export, import};

/// A game's record as it crosses the wire; the seed of a running game only if its creator supplied it.
pub fn record_of(record: &GameRecord) -> protocol::GameRecord {
    protocol::GameRecord {
        game: record.id.to_string(),
        session: record.session.to_string(),
        status: match record.status {
            Status::Running => GameStatus::Running,
            Status::Over => GameStatus::Over,
            Status::Abandoned => GameStatus::Abandoned,
            Status::Imported => GameStatus::Imported,
        },
        custom: record.start != Start::Seeded,
        started_at: record.started.0,
        ended_at: record.ended.map(|ended| ended.0),
        score: record.numbers.score,
        moves: record.numbers.moves,
        max_tile: record.numbers.max_tile,
        merge_count: record.numbers.merges,
        drivers: record.drivers.iter().map(stretch_of).collect(),
        class: match record.class {
            Class::Human => GameClass::Human,
            Class::Ai => GameClass::Ai,
            Class::Mixed => GameClass::Mixed,
        },
        seed: shows_seed(record).then(|| record.seed.to_string()),
    }
}

/// Whether the seed gives nothing away any more.
pub fn shows_seed(record: &GameRecord) -> bool {
    record.seed_shown || record.status != Status::Running
}

/// The position after move `n` (0 is the start), whose last move was `last`; `None` past the end.
///
/// # Errors
/// - The first move that does not fit: the stored game is damaged.
pub fn position(
    game: &StoredGame,
    n: u32,
    last: Option<&Move>,
) -> Result<Option<PastState>, ReplayError> {
    let n = n as usize;
    if n > game.directions.len() {
        return Ok(None);
    }
    let before = n.saturating_sub(1);
    let mut replayed = Game::replay(game.seed, game.start, &game.directions[..before])?;
    let played = play_on(&mut replayed, &game.directions[before..n], last.into_iter())?.pop();
    let (transition, decision) =
        played.map_or((None, None), |played| (Some(played.transition), played.decision));
    let legal = replayed.board().legal();
    Ok(Some(PastState {
        protocol: PROTOCOL,
        game: game.id.to_string(),
        grid: protocol::grid_of(replayed.board()),
        score: replayed.score(),
        merge_count: replayed.merges(),
        moves: replayed.moves(),
        max_tile: replayed.max_tile().map_or(0, engine::Tile::value),
        last_move: replayed.directions().last().map(|&direction| direction.into()),
        legal: legal.iter().map(Into::into).collect(),
        game_over: legal.is_empty(),
        won: replayed.is_won(),
        transition,
        decision,
    }))
}

/// The moves `from` to `to` (counted from 1, both included; those past the end are left out), with the decisions in
/// `stored`, which begins at `from`.
///
/// # Errors
/// - The first move that does not fit: the stored game is damaged.
pub fn moves(
    game: &StoredGame,
    from: u32,
    to: u32,
    stored: &[Move],
) -> Result<MovesPage, ReplayError> {
    let to = (to as usize).min(game.directions.len());
    let before = (from.max(1) as usize - 1).min(to);
    let mut replayed = Game::replay(game.seed, game.start, &game.directions[..before])?;
    let items = play_on(&mut replayed, &game.directions[before..to], stored.iter())?;
    Ok(MovesPage { game: game.id.to_string(), from: before as u32 + 1, to: to as u32, items })
}

fn play_on<'a>(
    game: &mut Game,
    directions: &[engine::Direction],
    mut stored: impl Iterator<Item = &'a Move>,
) -> Result<Vec<PastMove>, ReplayError> {
    let mut played = Vec::with_capacity(directions.len());
    for &direction in directions {
        let n = game.moves() + 1;
        let transition = game
            .play(direction)
            .map_err(|refused| ReplayError { number: n, direction: refused.0 })?;
        let decision = stored.next().map(|chosen| decision_of(&chosen.decision));
        let by = decision.as_ref().map_or("unknown", |decision| &decision.source);
        played.push(PastMove { n, transition: protocol::transition_of(&transition, by), decision });
    }
    Ok(played)
}

fn stretch_of(stretch: &Stretch) -> protocol::Stretch {
    protocol::Stretch {
        kind: driver_kind_of(stretch.kind),
        name: stretch.name.clone(),
        from: stretch.from,
        to: stretch.to,
        why: stretch.why.clone(),
    }
}

#[cfg(test)]
mod tests;
