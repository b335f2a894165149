//! A player with the limits it plays under.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result};
use players::{Variant, budget, fingerprint};

use crate::crew::Threads;

/// How much a player may think about a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// None: a player that needs no time.
    Free,
    Time(Duration),
    Nodes(u64),
}

/// What a limit of time is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Time {
    /// The clock on the wall.
    Wall,
    /// The CPU time of the thread that plays.
    Cpu,
}

/// One line of the table.
#[derive(Debug, Clone)]
pub(super) struct Contestant {
    /// As given on the command line.
    pub(super) label: String,
    pub(super) variant: Variant,
    pub(super) limit: Limit,
    pub(super) time: Time,
    /// Of the player's play; see [`fingerprint`].
    pub(super) fingerprint: String,
}

impl Contestant {
    /// Reads NAME, NAME@10ms, NAME@20000n or NAME@strong, and NAME+SETTING for NAME; without an own limit, the given ones hold, or the player's default.
    pub(super) fn parse(
        label: &str,
        budget_ms: Option<u64>,
        nodes: Option<u64>,
        time: Time,
    ) -> Result<Self> {
        let (name, own) =
            label.split_once('@').map_or((label, None), |(name, own)| (name, Some(own)));
        let variant = Variant::parse(name, |threads| Arc::new(Threads(threads)))?;
        let limit = match (own, variant.entry.budget) {
            (Some(own), _) => own_limit(own)?,
            (None, None) => Limit::Free,
            (None, Some(default)) => nodes.map_or_else(
                || Limit::Time(budget_ms.map_or(default, Duration::from_millis)),
                Limit::Nodes,
            ),
        };
        let fingerprint = format!("{:08x}", fingerprint::of_player(|| variant.build()));
        Ok(Self { label: label.to_owned(), variant, limit, time, fingerprint })
    }

    /// The limit in words.
    pub(super) fn limit_in_words(&self) -> String {
        match self.limit {
            Limit::Free => "no limit".to_owned(),
            Limit::Time(budget) => {
                let unit = if self.time == Time::Cpu { "CPU ms" } else { "ms" };
                format!("{} {unit}", budget.as_secs_f64() * 1e3)
            }
            Limit::Nodes(nodes) => format!("{nodes} nodes"),
        }
    }
}

fn own_limit(text: &str) -> Result<Limit> {
    let context = || format!("{text} is no limit: write 10ms, 20000n, fast, balanced or strong");
    if let Some(time) = budget(text) {
        return Ok(Limit::Time(time));
    }
    if let Some(ms) = text.strip_suffix("ms") {
        let ms: f64 = ms.parse().with_context(context)?;
        let time = Duration::try_from_secs_f64(ms / 1e3).with_context(context)?;
        return Ok(Limit::Time(time));
    }
    let nodes = text.strip_suffix('n').with_context(context)?;
    Ok(Limit::Nodes(nodes.parse().with_context(context)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(label: &str, budget_ms: Option<u64>, nodes: Option<u64>) -> Limit {
        Contestant::parse(label, budget_ms, nodes, Time::Wall).unwrap().limit
    }

    #[test]
    fn an_own_limit_wins() {
        let ms = Duration::from_millis;
        assert_eq!(limit("mcts@10ms", Some(5), None), Limit::Time(ms(10)));
        assert_eq!(limit("mcts@0.5ms", None, None), Limit::Time(Duration::from_micros(500)));
        assert_eq!(limit("mcts@300n", Some(5), None), Limit::Nodes(300));
        assert_eq!(limit("mcts@fast", Some(9), None), Limit::Time(ms(5)));
        assert_eq!(limit("mcts", Some(5), None), Limit::Time(ms(5)));
        assert_eq!(limit("mcts", None, Some(9)), Limit::Nodes(9));
        assert_eq!(limit("mcts", None, None), Limit::Time(ms(500)));
        assert_eq!(limit("random", None, Some(9)), Limit::Free);
    }

    #[test]
    fn a_limit_is_told_with_its_clock() {
        let words =
            |label, time| Contestant::parse(label, None, None, time).unwrap().limit_in_words();
        assert_eq!(words("mcts@2.5ms", Time::Wall), "2.5 ms");
        assert_eq!(words("mcts@10ms", Time::Cpu), "10 CPU ms");
        assert_eq!(words("mcts@7n", Time::Cpu), "7 nodes");
        assert_eq!(words("random", Time::Wall), "no limit");
    }

    #[test]
    fn what_is_unknown_is_named() {
        let error =
            |label| Contestant::parse(label, None, None, Time::Wall).unwrap_err().to_string();
        assert!(error("mtcs").starts_with("mtcs is not one of mcts, "));
        assert!(error("mcts+fast@10ms").starts_with("fast is not a setting of mcts"));
        assert_eq!(
            error("mcts@10"),
            "10 is no limit: write 10ms, 20000n, fast, balanced or strong"
        );
        assert_eq!(
            error("mcts@-1ms"),
            "-1ms is no limit: write 10ms, 20000n, fast, balanced or strong"
        );
    }
}
