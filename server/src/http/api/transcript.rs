//! The newest of what was exchanged with the hosted model about a session's moves.

use actix_web::{HttpResponse, web::Query};
use protocol::{Spending, TranscriptReply};
use serde::Deserialize;

use super::{answer, paging};
use crate::http::{caller::Caller, error::Problem};

/// How much of it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Wish {
    limit: Option<String>,
}

/// `GET transcript`: for who may play, since what is asked costs money and the answers are part of the game.
pub(super) async fn list(caller: Caller, wish: Query<Wish>) -> Result<HttpResponse, Problem> {
    caller.control().await?;
    let limit = paging::limit(Some(wish.limit.as_deref().unwrap_or("200")))?;
    let transcript = &caller.api.transcript;
    let spending = caller.api.desk.as_ref().map(|desk| {
        let spent = desk.spending(&caller.session);
        Spending {
            session: spent.of_session,
            session_budget: spent.session_budget,
            day: spent.of_day,
            day_budget: spent.day_budget,
        }
    });
    let items = transcript.of(&caller.session, limit);
    Ok(answer(&TranscriptReply { on: transcript.is_on(), spending, items, next: None }))
}
