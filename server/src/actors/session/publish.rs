//! How a session's table becomes the state that its subscribers see.

use engine::{Direction, Game, Start, Tile};
use store::{Best, DriverKind, Pace, Series, StoredDecision};

use super::table::Table;
use crate::roster::Roster;

/// What is the same in every state of this run of the server.
#[derive(Debug, Clone)]
pub struct Published {
    /// Changes when history was lost.
    pub epoch: String,
    /// Names this run.
    pub boot: String,
}

impl Published {
    /// The state of `table`, as `watchers` see it.
    pub(super) fn state(&self, table: &Table, roster: &Roster, watchers: u32) -> protocol::State {
        let game = &table.game;
        let legal = game.board().legal();
        protocol::State {
            protocol: protocol::PROTOCOL,
            session: table.session.to_string(),
            game: table.game_id.to_string(),
            epoch: self.epoch.clone(),
            seq: table.seq,
            boot: self.boot.clone(),
            grid: protocol::grid_of(game.board()),
            score: game.score(),
            merge_count: game.merges(),
            moves: game.moves(),
            max_tile: game.max_tile().map_or(0, Tile::value),
            best: table.best,
            best_by: Some(best_of(table.bests())),
            last_move: game.directions().last().map(|&direction| direction.into()),
            legal: legal.iter().map(Into::into).collect(),
            game_over: legal.is_empty(),
            won: game.is_won(),
            driver: driver_of(&table.driver),
            decision: table.decision.as_ref().map(decision_of),
            agent: agent_of(table, roster),
            transition: table.transition.clone(),
            watchers,
            seed: seed_of(game, table.seed_shown),
            custom: game.start() != Start::Seeded,
        }
    }
}

/// A driver as it crosses the wire.
pub fn driver_of(driver: &store::Driver) -> protocol::Driver {
    protocol::Driver {
        kind: driver_kind_of(driver.kind),
        name: driver.name.clone(),
        since_move: driver.since_move,
    }
}

/// A kind of driver as it crosses the wire.
pub(crate) fn driver_kind_of(kind: DriverKind) -> protocol::DriverKind {
    match kind {
        DriverKind::Human => protocol::DriverKind::Human,
        DriverKind::Player => protocol::DriverKind::Player,
        DriverKind::Bot => protocol::DriverKind::Bot,
    }
}

/// A decision as it crosses the wire.
pub(crate) fn decision_of(decision: &StoredDecision) -> protocol::Decision {
    let direction = |index: u8| Direction::from_index(usize::from(index)).map(Into::into);
    let probabilities = decision.probabilities.map(|all| {
        Direction::ALL
            .into_iter()
            .zip(all)
            .filter_map(|(way, share)| Some((way.into(), share?)))
            .collect()
    });
    protocol::Decision {
        direction: decision.direction.and_then(direction),
        source: decision.source.clone(),
        reason: decision.reason.clone(),
        detail: decision.detail.clone(),
        probabilities,
        confidence: decision.confidence,
        risk: decision.risk,
        latency_ms: decision.latency_ms,
    }
}

fn best_of(Best { human, ai, mixed }: Best) -> protocol::BestBy {
    protocol::BestBy { human, ai, mixed }
}

fn series_of(Series { games, until_tile, played }: Series) -> protocol::SeriesState {
    protocol::SeriesState { games, until_tile, played }
}

fn agent_of(table: &Table, roster: &Roster) -> protocol::Agent {
    let agent = &table.agent;
    protocol::Agent {
        running: agent.running,
        player: agent.player.clone(),
        players: roster.names(),
        roster: roster.entries(),
        interval_seconds: agent.interval.as_secs_f64(),
        pace: match agent.pace {
            Pace::Fixed => protocol::Pace::Fixed,
            Pace::Adaptive => protocol::Pace::Adaptive,
            Pace::Max => protocol::Pace::Max,
        },
        budget_ms: agent.budget.map(|budget| budget.as_millis() as u64),
        series: agent.series.map(series_of),
        key_configured: roster.has_key(),
    }
}

/// The seed, once it gives nothing away: the game is over, or its creator supplied it.
fn seed_of(game: &Game, shown: bool) -> Option<String> {
    (shown || game.board().is_over()).then(|| game.seed().to_string())
}
