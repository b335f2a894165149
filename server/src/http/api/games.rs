//! Games looked back at: lists, records, past positions, moves, and games as text.

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use engine::ReplayError;
use protocol::{Imported, Page};
use serde::Deserialize;
use store::{GameId, GameQuery, GameRecord, SessionId, Sort, Status, StoredGame};

use super::{answer, paging};
use crate::{
    archive,
    http::{Api, body::Text, caller::Caller, error::Problem, query::Query},
    secret,
};

/// The most moves of one answer.
const MOVES: u32 = 500;

/// How long an answer about the past may be kept: it never changes.
const FOREVER: &str = "private, max-age=31536000, immutable";

/// As much of a caller's text as is shown again, in characters.
const SHOWN: usize = 64;

/// What a list takes.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Filter {
    session: Option<String>,
    status: Option<String>,
    player: Option<String>,
    sort: Option<String>,
    cursor: Option<String>,
    limit: Option<String>,
}

/// Which moves are asked for.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Range {
    from: Option<String>,
    to: Option<String>,
}

/// `GET /api/games`: of one session, or of all.
pub(super) async fn list(
    caller: Caller,
    Query(filter): Query<Filter>,
) -> Result<HttpResponse, Problem> {
    if filter.session.is_none() {
        caller.as_operator()?;
    }
    Ok(answer(&list_of(&caller.api, filter).await?))
}

/// `GET /api/sessions/<id>/games`.
pub(super) async fn list_session(
    caller: Caller,
    Query(filter): Query<Filter>,
) -> Result<HttpResponse, Problem> {
    Ok(answer(&of_session(&caller, filter).await?))
}

/// The games of the caller's session.
pub(super) async fn of_session(
    caller: &Caller,
    filter: Filter,
) -> Result<Page<protocol::GameRecord>, Problem> {
    let session = Some(caller.session.to_string());
    list_of(&caller.api, Filter { session, ..filter }).await
}

async fn list_of(api: &Api, filter: Filter) -> Result<Page<protocol::GameRecord>, Problem> {
    let page = api.store.games(query(filter)?).await?;
    Ok(Page { items: page.items.iter().map(archive::record_of).collect(), next: page.next })
}

/// `GET /api/games/<g>`. A session's id is the right to watch it, which a game's id is not: it is told to the operator.
pub(super) async fn record(caller: Caller, id: Path<String>) -> Result<HttpResponse, Problem> {
    let mut record = archive::record_of(&find_record(&caller.api, &id).await?);
    if caller.as_operator().is_err() {
        record.session.clear();
    }
    Ok(answer(&record))
}

/// `GET /api/games/<g>/at/<n>`.
pub(super) async fn at(
    api: Data<Api>,
    path: Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (id, n) = path.into_inner();
    let n = number("n", &n)?;
    let game = find(&api, &id).await?;
    let last = match n {
        0 => Vec::new(),
        n => api.store.moves(&game.id, n, n).await?.unwrap_or_default(),
    };
    let moves = game.directions.len();
    let position = replayed(move || archive::position(&game, n, last.first())).await?;
    let position = position.ok_or_else(|| {
        let detail = format!("the game has {moves} moves: there is no position after move {n}");
        Problem::new(StatusCode::NOT_FOUND, detail)
    })?;
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, FOREVER)).json(position))
}

/// `GET /api/games/<g>/moves`.
pub(super) async fn moves(
    api: Data<Api>,
    id: Path<String>,
    Query(range): Query<Range>,
) -> Result<HttpResponse, Problem> {
    let (from, to) = bounds(&range)?;
    let game = find(&api, &id).await?;
    let stored = if to < from {
        Vec::new()
    } else {
        api.store.moves(&game.id, from, to).await?.unwrap_or_default()
    };
    Ok(answer(&replayed(move || archive::moves(&game, from, to, &stored)).await?))
}

/// `GET /api/games/<g>/export`.
pub(super) async fn export(api: Data<Api>, id: Path<String>) -> Result<HttpResponse, Problem> {
    let record = find_record(&api, &id).await?;
    if !archive::shows_seed(&record) {
        let detail = "the game is running and its seed is secret: export it when it is over";
        return Err(Problem::new(StatusCode::CONFLICT, detail));
    }
    // What was played since the record was read is left out, so that the moves and their sums agree.
    let mut game = find(&api, &id).await?;
    game.directions.truncate(record.numbers.moves as usize);
    let disposition = format!("attachment; filename=\"2048-{}.ndjson\"", record.id);
    Ok(HttpResponse::Ok()
        .content_type("application/x-ndjson")
        .insert_header((header::CONTENT_DISPOSITION, disposition))
        .body(archive::export(&record, &game)))
}

/// `POST games/import`: files the game in the session.
pub(super) async fn import(caller: Caller, text: Text) -> Result<HttpResponse, Problem> {
    caller.control().await?;
    caller.spend()?;
    let id = GameId::new(secret::id());
    let (session, filed, at) = (caller.session.clone(), id.clone(), caller.api.clock.now());
    let game =
        blocking(move || archive::import(text.read()?, filed, session, at).map_err(Problem::from));
    caller.api.store.import(game.await??).await?;
    Ok(answer(&Imported { game: id.to_string() }))
}

async fn find(api: &Api, id: &str) -> Result<StoredGame, Problem> {
    api.store.game(&GameId::new(id)).await?.ok_or_else(|| no_game(id))
}

async fn find_record(api: &Api, id: &str) -> Result<GameRecord, Problem> {
    api.store.record(&GameId::new(id)).await?.ok_or_else(|| no_game(id))
}

fn no_game(id: &str) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, format!("there is no game {}", brief(id)))
}

/// Replays off the arbiter: a long game takes a few milliseconds.
async fn replayed<T: Send + 'static>(
    replay: impl FnOnce() -> Result<T, ReplayError> + Send + 'static,
) -> Result<T, Problem> {
    blocking(replay).await?.map_err(|error| {
        tracing::error!(%error, "a stored game is damaged");
        let detail = format!("the stored game is damaged: {error}");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
    })
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a look at a game ended early");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the game could not be replayed")
    })
}

/// The first and the last move asked for; as many as there may be, when the last is left open.
fn bounds(range: &Range) -> Result<(u32, u32), Problem> {
    let from = range.from.as_deref().map_or(Ok(1), |text| number("from", text))?.max(1);
    let most = from.saturating_add(MOVES - 1);
    let to = range.to.as_deref().map_or(Ok(most), |text| number("to", text))?;
    if to > most {
        return Err(Problem::invalid(format!("from {from} to {to} are more than {MOVES} moves")));
    }
    Ok((from, to))
}

fn query(filter: Filter) -> Result<GameQuery, Problem> {
    Ok(GameQuery {
        session: filter.session.map(SessionId::new),
        status: filter.status.as_deref().map(status).transpose()?,
        player: filter.player,
        sort: filter.sort.as_deref().map_or(Ok(Sort::default()), sort)?,
        cursor: filter.cursor,
        limit: paging::limit(filter.limit.as_deref())?,
    })
}

fn status(text: &str) -> Result<Status, Problem> {
    match text {
        "running" => Ok(Status::Running),
        "over" => Ok(Status::Over),
        "abandoned" => Ok(Status::Abandoned),
        "imported" => Ok(Status::Imported),
        _ => {
            let known = "running, over, abandoned, imported";
            Err(Problem::invalid(format!("status: {} is not one of {known}", brief(text))))
        }
    }
}

fn sort(text: &str) -> Result<Sort, Problem> {
    match text {
        "-startedAt" => Ok(Sort::Started),
        "-score" => Ok(Sort::Score),
        "-maxTile" => Ok(Sort::MaxTile),
        "-moves" => Ok(Sort::Moves),
        _ => {
            let known = "-startedAt, -score, -maxTile, -moves";
            Err(Problem::invalid(format!("sort: {} is not one of {known}", brief(text))))
        }
    }
}

fn number(name: &str, text: &str) -> Result<u32, Problem> {
    let number = text.parse().ok();
    number.ok_or_else(|| {
        Problem::invalid(format!("{name}: {} is not a whole number below 2^32", brief(text)))
    })
}

fn brief(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_list_does_not_know_is_named() {
        let of = |filter| query(filter).unwrap_err().to_string();
        let lost = Some("lost".to_owned());
        assert_eq!(
            of(Filter { status: lost.clone(), ..Filter::default() }),
            "422 status: lost is not one of running, over, abandoned, imported"
        );
        assert_eq!(
            of(Filter { sort: lost.clone(), ..Filter::default() }),
            "422 sort: lost is not one of -startedAt, -score, -maxTile, -moves"
        );
        assert!(of(Filter { limit: lost, ..Filter::default() }).starts_with("422 limit: "));
    }

    #[test]
    fn every_order_and_status_is_known() {
        for (text, expected) in [
            ("-startedAt", Sort::Started),
            ("-score", Sort::Score),
            ("-maxTile", Sort::MaxTile),
            ("-moves", Sort::Moves),
        ] {
            assert_eq!(sort(text).unwrap(), expected);
        }
        for (text, expected) in [
            ("running", Status::Running),
            ("over", Status::Over),
            ("abandoned", Status::Abandoned),
            ("imported", Status::Imported),
        ] {
            assert_eq!(status(text).unwrap(), expected);
        }
    }

    #[test]
    fn at_most_500_moves_are_told_at_once() {
        let of = |from: Option<&str>, to: Option<&str>| {
            let text = |text: Option<&str>| text.map(str::to_owned);
            bounds(&Range { from: text(from), to: text(to) }).map_err(|problem| problem.to_string())
        };
        assert_eq!(of(None, None), Ok((1, 500)));
        assert_eq!(of(Some("0"), Some("500")), Ok((1, 500)));
        assert_eq!(of(Some("11"), Some("510")), Ok((11, 510)));
        assert_eq!(
            of(Some("1"), Some("501")),
            Err("422 from 1 to 501 are more than 500 moves".to_owned())
        );
        assert!(
            of(Some("-1"), None).unwrap_err().starts_with("422 from: -1 is not a whole number")
        );
    }
}
