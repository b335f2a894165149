//! A player in one session who knows what every answer must be.
//!
//! It chose the seeds and has the rules, so it plays each game itself beside the server: a reply that says anything
//! else is wrong. Its commands have ids and are sent again when an answer got lost, as the clients of this project do.

use std::{borrow::Cow, rc::Rc};

use anyhow::{Context as _, bail, ensure};
use engine::{Direction, Game, Start};
use protocol::{ExportHeader, ExportMoves, SessionCreated, State};
use serde::Deserialize;

use crate::{
    show::{Expected, Show},
    wire::{Answer, Wire},
};

/// How far apart the seeds of a session's games are.
const NEXT_SEED: u64 = 1_000_003;

/// A player in one session.
#[derive(Debug)]
pub(crate) struct Seat {
    id: String,
    token: String,
    move_path: String,
    game_id: String,
    game: Game,
    seq: u64,
    /// Commands that were answered.
    commands: u64,
    /// Games that were played to their end.
    filed: Vec<(String, Game)>,
    epoch: String,
    /// Who watches is told what is coming.
    show: Option<Rc<Show>>,
}

/// What a player does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Move(Direction),
    New(u64),
}

/// What a reply must have right.
#[derive(Debug, Deserialize)]
struct Brief<'a> {
    #[serde(borrow)]
    game: Cow<'a, str>,
    seq: u64,
    moves: u32,
    score: u64,
}

#[derive(Debug, Deserialize)]
struct Moved<'a> {
    moved: bool,
    #[serde(borrow)]
    state: Brief<'a>,
}

impl Seat {
    /// A player in a session that was just created with `seed`.
    pub(crate) fn new(created: SessionCreated, seed: u64) -> Self {
        let SessionCreated { id, control, state } = created;
        Self {
            move_path: format!("/api/sessions/{id}/move"),
            id,
            token: control,
            game_id: state.game,
            game: Game::new(seed),
            seq: state.seq,
            commands: 0,
            filed: Vec::new(),
            epoch: state.epoch,
            show: None,
        }
    }

    /// What is shown of it, to subscribers who are checked; the bytes of so many positions are kept.
    pub(crate) fn show(&mut self, texts: usize) -> Rc<Show> {
        let Self { id, epoch, show, seq, .. } = self;
        Rc::clone(show.get_or_insert_with(|| {
            let show = Show::new(id, epoch, texts);
            show.acknowledge(*seq);
            Rc::new(show)
        }))
    }

    /// The session's id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The session's control token.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// The position after the last acknowledged command.
    pub(crate) fn seq(&self) -> u64 {
        self.seq
    }

    /// Moves that were acknowledged, over all games.
    pub(crate) fn moves(&self) -> u64 {
        let filed = self.filed.iter().map(|(_, game)| u64::from(game.moves())).sum::<u64>();
        filed + u64::from(self.game.moves())
    }

    /// Games, the running one included.
    pub(crate) fn games(&self) -> usize {
        self.filed.len() + 1
    }

    /// What to do next: the first legal direction, or another game.
    pub(crate) fn next(&self) -> Command {
        match self.game.board().legal().first() {
            Some(direction) => Command::Move(direction),
            None => Command::New(self.game.seed().wrapping_add(NEXT_SEED)),
        }
    }

    /// Does what comes next; says whether it was a move.
    ///
    /// # Errors
    /// - When the connection breaks, or the answer is not what it must be: what was asked stays the next thing to do.
    pub(crate) async fn act(&mut self, wire: &mut Wire) -> anyhow::Result<bool> {
        let command = self.next();
        let answer = self.ask(command, wire).await?;
        self.take(command, &answer.ok()?)?;
        Ok(matches!(command, Command::Move(_)))
    }

    /// Asks for what comes next, which must be refused since nothing can be saved: what was asked stays the next thing
    /// to do.
    ///
    /// # Errors
    /// - When it is not refused, or not in words.
    pub(crate) async fn refused(&self, wire: &mut Wire) -> anyhow::Result<()> {
        let Answer { status, body } = self.ask(self.next(), wire).await?;
        let said: protocol::ErrorBody = serde_json::from_slice(&body).context("a refusal")?;
        let detail = said.detail;
        ensure!(
            status == 503 && detail.starts_with("not saved, so not played: "),
            "status {status}, {detail}, where nothing can be saved"
        );
        Ok(())
    }

    async fn ask(&self, command: Command, wire: &mut Wire) -> anyhow::Result<Answer> {
        let number = self.commands;
        if let Some(show) = &self.show {
            show.announce(self.seq + 1, self.leads_to(command)?);
        }
        match command {
            Command::Move(direction) => {
                let (name, moves) = (direction.name(), self.game.moves());
                let body = format!(
                    "{{\"direction\":\"{name}\",\"ifMoves\":{moves},\"commandId\":\"{number}\"}}"
                );
                wire.post(&self.move_path, Some(&self.token), body.as_bytes()).await
            }
            Command::New(seed) => {
                let path = format!("/api/sessions/{}/new", self.id);
                let body = format!("{{\"seed\":\"{seed}\",\"commandId\":\"{number}\"}}");
                wire.post(&path, Some(&self.token), body.as_bytes()).await
            }
        }
    }

    /// What everybody is to be shown after `command`.
    fn leads_to(&self, command: Command) -> anyhow::Result<Expected> {
        let (id, game) = match command {
            Command::Move(direction) => (Some(self.game_id.clone()), self.after(direction)?),
            Command::New(seed) => (None, Game::new(seed)),
        };
        let (moves, score) = (game.moves(), game.score());
        Ok(Expected { game: id, grid: protocol::grid_of(game.board()), moves, score })
    }

    fn after(&self, direction: Direction) -> anyhow::Result<Game> {
        let mut game = self.game.clone();
        if game.play(direction).is_err() {
            bail!("an illegal move was chosen");
        }
        Ok(game)
    }

    /// Goes on as `reply` says, which must be what the rules say.
    fn take(&mut self, command: Command, reply: &[u8]) -> anyhow::Result<()> {
        match command {
            Command::Move(direction) => {
                let Moved { moved, state } = serde_json::from_slice(reply).context("a reply")?;
                ensure!(moved, "a legal move changed nothing in session {}", self.id);
                let game = self.after(direction)?;
                self.compare(&state, &self.game_id, &game)?;
                self.game = game;
            }
            Command::New(seed) => {
                let state: Brief<'_> = serde_json::from_slice(reply).context("a reply")?;
                let (id, game) = (state.game.clone().into_owned(), Game::new(seed));
                ensure!(id != self.game_id, "a new game has the id of the old one");
                self.compare(&state, &id, &game)?;
                let old = std::mem::replace(&mut self.game, game);
                self.filed.push((std::mem::replace(&mut self.game_id, id), old));
            }
        }
        self.seq += 1;
        self.commands += 1;
        if let Some(show) = &self.show {
            show.acknowledge(self.seq);
        }
        Ok(())
    }

    fn compare(&self, said: &Brief<'_>, id: &str, game: &Game) -> anyhow::Result<()> {
        let Brief { game: said_id, seq, moves, score } = said;
        ensure!(
            said_id == id && (*seq, *moves, *score) == (self.seq + 1, game.moves(), game.score()),
            "session {}: game {said_id} at {seq} with {moves} moves and {score} points, expected {id} at {} with {} and {}",
            self.id,
            self.seq + 1,
            game.moves(),
            game.score(),
        );
        Ok(())
    }

    /// Whether the session is where its last acknowledged command left it.
    ///
    /// # Errors
    /// - What is not as it must be.
    pub(crate) async fn check_state(&self, wire: &mut Wire) -> anyhow::Result<()> {
        let body = wire.get(&format!("/api/sessions/{}/state", self.id)).await?.ok()?;
        let state: State = serde_json::from_slice(&body).context("a state")?;
        ensure!(
            state.grid == protocol::grid_of(self.game.board())
                && state.seq == self.seq
                && state.moves == self.game.moves()
                && state.score == self.game.score(),
            "session {} is at {} with {} moves, expected {} with {}",
            self.id,
            state.seq,
            state.moves,
            self.seq,
            self.game.moves()
        );
        Ok(())
    }

    /// Whether every game is stored as it was acknowledged: each move once, in order, and it replays.
    ///
    /// # Errors
    /// - The first thing that is not as it must be.
    pub(crate) async fn check_games(&self, wire: &mut Wire) -> anyhow::Result<()> {
        for (id, game) in &self.filed {
            check_game(wire, id, game).await?;
        }
        check_game(wire, &self.game_id, &self.game).await
    }
}

async fn check_game(wire: &mut Wire, id: &str, game: &Game) -> anyhow::Result<()> {
    let body = wire.get(&format!("/api/games/{id}/export")).await?.ok()?;
    let text = std::str::from_utf8(&body)?;
    let mut lines = text.lines();
    let mut line = || lines.next().with_context(|| format!("game {id} is exported in part"));
    let header: ExportHeader = serde_json::from_str(line()?)?;
    let stored: ExportMoves = serde_json::from_str(line()?)?;
    let acknowledged: String = game.directions().iter().map(|way| way.letter()).collect();
    ensure!(
        stored.directions == acknowledged,
        "game {id} is stored with {} moves, {} were acknowledged, or they differ",
        stored.directions.len(),
        acknowledged.len()
    );
    let replayed = Game::replay(header.seed.0, Start::Seeded, game.directions())?;
    ensure!(
        header.seed.0 == game.seed()
            && header.score == replayed.score()
            && replayed.board() == game.board(),
        "game {id} does not replay to what was shown"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat() -> Seat {
        Seat {
            id: "s".to_owned(),
            token: String::new(),
            move_path: String::new(),
            game_id: "g".to_owned(),
            game: Game::new(7),
            seq: 0,
            commands: 0,
            filed: Vec::new(),
            epoch: String::new(),
            show: None,
        }
    }

    fn reply(moved: bool, game: &str, seq: u64, count: u32, score: u64) -> String {
        format!(
            "{{\"moved\":{moved},\"state\":{{\"game\":\"{game}\",\"seq\":{seq},\"moves\":{count},\"score\":{score},\"more\":[1]}}}}"
        )
    }

    #[test]
    fn a_reply_that_the_rules_do_not_give_is_wrong() {
        let mut seat = seat();
        let command = seat.next();
        let wrong = [
            reply(false, "g", 1, 1, 0),
            reply(true, "h", 1, 1, 0),
            reply(true, "g", 2, 1, 0),
            reply(true, "g", 1, 2, 0),
            reply(true, "g", 1, 1, 2),
        ];
        for text in wrong {
            assert!(seat.take(command, text.as_bytes()).is_err(), "{text}");
            assert_eq!((seat.moves(), seat.next()), (0, command), "nothing was taken");
        }
        let mut game = Game::new(7);
        let Command::Move(direction) = command else { panic!("{command:?}") };
        game.play(direction).unwrap();
        let right = reply(true, "g", 1, 1, game.score());
        seat.take(command, right.as_bytes()).unwrap();
        assert_eq!((seat.moves(), seat.games()), (1, 1));
    }
}
