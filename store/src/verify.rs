//! Every stored game proves itself.

use engine::Game;

use crate::{GameId, GameQuery, GameRecord, Numbers, Status, Store, StoreError};

/// What came of replaying every game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    /// Games replayed.
    pub games: u64,
    /// Moves replayed.
    pub moves: u64,
    /// Games that are not what their record says.
    pub wrong: Vec<Wrong>,
}

/// A game that is not what its record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Its id.
    pub game: GameId,
    /// The first thing that does not fit, naming the move if it is one.
    pub what: String,
}

/// Replays every game of `store`, from its seed and directions, and compares what comes of it with its record. Games may
/// be played on meanwhile.
///
/// # Errors
/// - What the store says when a list of games cannot be read; a game that cannot be read is a wrong one.
pub async fn verify(store: &dyn Store) -> Result<Verified, StoreError> {
    let mut verified = Verified::default();
    let mut query = GameQuery { limit: 100, ..GameQuery::default() };
    loop {
        let page = store.games(query.clone()).await?;
        for record in page.items {
            match replay(store, &record).await {
                Ok(true) => {
                    verified.games += 1;
                    verified.moves += u64::from(record.numbers.moves);
                }
                Ok(false) => {}
                Err(what) => verified.wrong.push(Wrong { game: record.id, what }),
            }
        }
        query.cursor = page.next;
        if query.cursor.is_none() {
            return Ok(verified);
        }
    }
}

/// Whether there is a game to be replayed still: one without a move is left out when another begins.
async fn replay(store: &dyn Store, record: &GameRecord) -> Result<bool, String> {
    let Some(game) = store.game(&record.id).await.map_err(|error| error.text)? else {
        return Ok(false);
    };
    // A running game may have gone on since its record was read.
    let stored = game.directions.get(..record.numbers.moves as usize);
    let directions = match (stored, record.status) {
        (Some(directions), Status::Running) => directions,
        (Some(directions), _) if directions.len() == game.directions.len() => directions,
        _ => {
            return Err(format!(
                "it has {} moves, not {}",
                game.directions.len(),
                record.numbers.moves
            ));
        }
    };
    let game =
        Game::replay(game.seed, game.start, directions).map_err(|error| error.to_string())?;
    let replayed = Numbers::of(&game);
    if replayed == record.numbers {
        Ok(true)
    } else {
        Err(format!("it comes to {replayed:?}, not {:?}", record.numbers))
    }
}
