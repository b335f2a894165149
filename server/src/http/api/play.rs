//! The state, a move, a new game.

use actix_web::{HttpResponse, http::StatusCode};
use engine::{Board, Direction};
use protocol::{MoveRequest, NewGame};

use super::ready_made;
use crate::{
    actors::session::{Mover, PlayMove, Played, Snapshot, StartGame},
    http::{
        body::{Body, command_key},
        caller::Caller,
        error::Problem,
    },
};

/// How much of a direction that is none is shown again.
const SHOWN: usize = 64;

/// `GET state`.
pub(super) async fn state(caller: Caller) -> Result<HttpResponse, Problem> {
    let frame = caller.watch().await?.read(Snapshot).await?;
    Ok(ready_made(frame.json_once()))
}

/// `POST move`.
pub(super) async fn play(caller: Caller, body: Body) -> Result<HttpResponse, Problem> {
    let seat = caller.control().await?;
    let mut request: MoveRequest = body.read()?;
    let direction = direction(&request.direction)?;
    // Its name in any case is the same command.
    direction.name().clone_into(&mut request.direction);
    let command = command_key("move", request.command_id.as_ref(), &request)?;
    let by = Mover::Human {
        if_moves: request.if_moves,
        game: request.game,
        takeover: request.takeover.unwrap_or(false),
        command,
    };
    match seat.ask(PlayMove { direction, by }).await? {
        Played::Done(done) => Ok(ready_made(done.reply)),
        Played::Turn(_) => Err(Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the move was taken for one of the agent's",
        )),
    }
}

/// `POST new`.
pub(super) async fn new(caller: Caller, body: Body) -> Result<HttpResponse, Problem> {
    let seat = caller.control().await?;
    let request: NewGame = body.read()?;
    let command = command_key("new", request.command_id.as_ref(), &request)?;
    let start = request.grid.map(Board::try_from).transpose();
    let start = start.map_err(|error| Problem::invalid(format!("grid: {error}")))?;
    let seed = request.seed.map(|seed| seed.0);
    let done = seat.ask(StartGame { seed, start, command }).await?;
    Ok(ready_made(done.reply))
}

fn direction(text: &str) -> Result<Direction, Problem> {
    let text: String = text.chars().take(SHOWN).collect();
    text.parse().map_err(|unknown: engine::UnknownDirection| Problem::invalid(unknown.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_direction_is_refused_in_the_words_that_are_known() {
        assert_eq!(direction("left").unwrap(), Direction::Left);
        assert_eq!(
            direction("SIDEWAYS").unwrap_err().to_string(),
            "422 SIDEWAYS is not one of UP, DOWN, LEFT, RIGHT"
        );
        assert!(direction(&"A".repeat(1000)).unwrap_err().to_string().len() < 120);
    }
}
