//! The agent: let it play, stop it, one move of it, its advice.

use std::time::Duration;

use actix_web::HttpResponse;
use protocol::{AgentStart, AgentStep, AgentStop};

use super::{answer, ready_made};
use crate::{
    actors::{
        session::{Hint, StartAgent, Step, StopAgent},
        stop::StopOnDrop,
    },
    http::{
        body::{Body, command_key},
        caller::Caller,
        error::Problem,
    },
};

/// Seconds between two moves.
const INTERVAL_SECONDS: (f64, f64) = (0.05, 10.0);

/// The longest budget for one decision, in milliseconds.
const BUDGET_MS: f64 = 60_000.0;

/// `POST agent/start`.
pub(super) async fn start(caller: Caller, body: Body) -> Result<HttpResponse, Problem> {
    let seat = caller.control().await?;
    let request: AgentStart = body.read()?;
    let command = command_key("agent/start", request.command_id.as_ref(), &request)?;
    let interval = request.interval_seconds.map(interval).transpose()?;
    let message = StartAgent {
        player: request.player,
        interval,
        pace: request.pace.map(pace),
        budget: request.budget_ms.map(budget),
        series: request.series.map(series).transpose()?,
        command,
    };
    Ok(ready_made(seat.ask(message).await?.reply))
}

/// `POST agent/stop`.
pub(super) async fn stop(caller: Caller, body: Body) -> Result<HttpResponse, Problem> {
    let seat = caller.control().await?;
    let request: AgentStop = body.read()?;
    let command = command_key("agent/stop", request.command_id.as_ref(), &request)?;
    Ok(ready_made(seat.ask(StopAgent { command }).await?.reply))
}

/// `POST agent/step`.
pub(super) async fn step(caller: Caller, body: Body) -> Result<HttpResponse, Problem> {
    let seat = caller.control().await?;
    let request: AgentStep = body.read()?;
    let command = command_key("agent/step", request.command_id.as_ref(), &request)?;
    // Dropped with this call when the caller hangs up.
    let asker = StopOnDrop::default();
    let budget = request.budget_ms.map(budget);
    let message = Step { player: request.player, budget, stop: asker.0.clone(), command };
    Ok(ready_made(seat.ask(message).await?.reply))
}

/// `POST hint`.
pub(super) async fn hint(caller: Caller, body: Body) -> Result<HttpResponse, Problem> {
    let seat = caller.control().await?;
    let request: protocol::Hint = body.read()?;
    // Dropped with this call when the caller hangs up.
    let asker = StopOnDrop::default();
    let budget = request.budget_ms.map(budget);
    let message = Hint { player: request.player, budget, stop: asker.0.clone() };
    Ok(answer(&seat.ask(message).await?.reply))
}

fn interval(seconds: f64) -> Result<Duration, Problem> {
    if seconds.is_nan() || seconds < 0.0 {
        return Err(Problem::invalid("intervalSeconds: a number from 0.05 to 10 is needed"));
    }
    let (shortest, longest) = INTERVAL_SECONDS;
    Ok(Duration::from_secs_f64(seconds.clamp(shortest, longest)))
}

fn budget(milliseconds: f64) -> Duration {
    Duration::from_secs_f64(milliseconds.clamp(0.0, BUDGET_MS) / 1000.0)
}

fn series(series: protocol::Series) -> Result<store::Series, Problem> {
    let protocol::Series { games, until_tile } = series;
    if games == Some(0) {
        return Err(Problem::invalid("series.games: a number from 1 is needed"));
    }
    if until_tile.is_some_and(|tile| !tile.is_power_of_two() || !(4..=131_072).contains(&tile)) {
        let detail = "series.untilTile: a power of two from 4 to 131072 is needed";
        return Err(Problem::invalid(detail));
    }
    Ok(store::Series { games, until_tile, played: 0 })
}

fn pace(pace: protocol::Pace) -> store::Pace {
    match pace {
        protocol::Pace::Fixed => store::Pace::Fixed,
        protocol::Pace::Adaptive => store::Pace::Adaptive,
        protocol::Pace::Max => store::Pace::Max,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_clamped_and_never_negative() {
        assert_eq!(interval(0.0).unwrap(), Duration::from_millis(50));
        assert_eq!(interval(0.5).unwrap(), Duration::from_millis(500));
        assert_eq!(interval(1e300).unwrap(), Duration::from_secs(10));
        assert!(interval(-0.1).is_err());
        assert!(interval(f64::NAN).is_err());
    }

    #[test]
    fn a_series_ends_with_a_game_or_a_tile_that_can_be() {
        let read = |games, until_tile| series(protocol::Series { games, until_tile });
        assert_eq!(read(None, None).unwrap(), store::Series::default());
        assert_eq!(read(Some(3), Some(2048)).unwrap().games, Some(3));
        for (games, tile) in
            [(Some(0), None), (None, Some(0)), (None, Some(24)), (None, Some(1 << 18))]
        {
            assert!(read(games, tile).is_err(), "{games:?} {tile:?}");
        }
    }

    #[test]
    fn a_budget_is_clamped() {
        assert_eq!(budget(-5.0), Duration::ZERO);
        assert_eq!(budget(300.0), Duration::from_millis(300));
        assert_eq!(budget(1e9), Duration::from_mins(1));
    }
}
