//! The hosted model as a player: it answers the same question as any other.
//!
//! | receives       | from            | answers                                    |
//! |----------------|-----------------|--------------------------------------------|
//! | [`ChooseMove`] | runner, session | a [`Choice`], or why there is none         |
//!
//! Mailbox: actix's 16. It waits for nothing: the call is made by the [`Desk`], on a thread of the desk's own, and the
//! answer comes as a future. A budget for thinking is no concern of a model that thinks elsewhere; the desk's deadline is.
//! A panic of the desk is an error answer, as with any player.

use std::{sync::Arc, time::Instant};

use actix::{Actor, Context, Handler, ResponseFuture};

use super::player::{Choice, ChooseMove, Figures, PlayerFailed, panicked};
use crate::jev::{
    Desk,
    desk::{Answered, Question},
};

/// The actor.
#[derive(Debug)]
pub struct Jev {
    desk: Arc<Desk>,
    figures: Figures,
}

impl Jev {
    /// A player that asks at `desk`.
    pub fn new(desk: Arc<Desk>, figures: Figures) -> Self {
        Self { desk, figures }
    }
}

impl Actor for Jev {
    type Context = Context<Self>;
}

impl Handler<ChooseMove> for Jev {
    type Result = ResponseFuture<Result<Choice, PlayerFailed>>;

    fn handle(&mut self, question: ChooseMove, _ctx: &mut Self::Context) -> Self::Result {
        let ChooseMove { position, seat, stop, budget: _, yields: _ } = question;
        let (session, game, plays) = (seat.session, seat.game, seat.plays);
        let (desk, figures) = (Arc::clone(&self.desk), self.figures.clone());
        Box::pin(async move {
            let begun = Instant::now();
            let question = Question { position, session, game, plays, stop };
            let answered = desk.decide(question).await.map_err(panicked)?;
            let Answered { decision, entry } = answered
                .map_err(|spent| PlayerFailed { kind: "Budget", text: spent.to_string() })?;
            let choice = Choice { decision, latency: begun.elapsed(), yielded: false, entry };
            figures.chosen(&choice);
            Ok(choice)
        })
    }
}
