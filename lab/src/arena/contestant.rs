//! A player with the limits it plays under.

use std::{fmt, sync::Arc, time::Duration};

use anyhow::{Context, Result, ensure};
use players::{
    BALANCED, Player, Variant, budget, fingerprint,
    ntuple::{NTuple, Plies},
};

use crate::{crew::Threads, learned::Learned};

/// How much a player may think about a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// None: a player that needs no time.
    Free,
    Time(Duration),
    Nodes(u64),
    /// So many moves ahead, whatever time it takes.
    Plies(u8),
}

/// What a limit of time is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Time {
    /// The clock on the wall.
    Wall,
    /// The CPU time of the thread that plays.
    Cpu,
}

/// What holds for contestants that say nothing else.
#[derive(Debug)]
pub(super) struct Setup {
    pub(super) budget_ms: Option<u64>,
    pub(super) nodes: Option<u64>,
    pub(super) time: Time,
    /// What the player `ntuple` has learned.
    pub(super) learned: Learned,
}

impl Default for Setup {
    fn default() -> Self {
        Self { budget_ms: None, nodes: None, time: Time::Wall, learned: Learned::default() }
    }
}

type Make = dyn Fn() -> Box<dyn Player> + Send + Sync;

/// One line of the table.
#[derive(Clone)]
pub(super) struct Contestant {
    /// As given on the command line.
    pub(super) label: String,
    make: Arc<Make>,
    pub(super) limit: Limit,
    pub(super) time: Time,
    /// Of the player's play; see [`fingerprint`].
    pub(super) fingerprint: String,
}

impl fmt::Debug for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contestant").field("label", &self.label).finish_non_exhaustive()
    }
}

impl Contestant {
    /// Reads NAME, NAME@10ms, NAME@20000n or NAME@strong, and NAME+SETTING for NAME; ntuple@2ply looks so far ahead.
    /// Without an own limit, that of the setup holds, or the player's default.
    pub(super) fn parse(label: &str, setup: &Setup) -> Result<Self> {
        let (name, own) =
            label.split_once('@').map_or((label, None), |(name, own)| (name, Some(own)));
        let limit = |default: Option<Duration>| match (own, default) {
            (Some(own), _) => own_limit(own),
            (None, None) => Ok(Limit::Free),
            (None, Some(default)) => Ok(setup.nodes.map_or_else(
                || Limit::Time(setup.budget_ms.map_or(default, Duration::from_millis)),
                Limit::Nodes,
            )),
        };
        let (make, limit): (Arc<Make>, Limit) = if name == Learned::NAME {
            let (network, limit) = (setup.learned.network()?, limit(Some(BALANCED))?);
            let plies = match limit {
                Limit::Plies(plies) => Plies::Exactly(plies),
                _ => Plies::AsTimeAllows,
            };
            (Arc::new(move || Box::new(NTuple::new(Arc::clone(&network), plies))), limit)
        } else {
            let variant = Variant::parse(name, |threads| Arc::new(Threads(threads)))?;
            let limit = limit(variant.entry.budget)?;
            let foresight = matches!(limit, Limit::Plies(_));
            ensure!(!foresight, "{name} does not count plies: only {} does", Learned::NAME);
            (Arc::new(move || variant.build()), limit)
        };
        let fingerprint = format!("{:08x}", fingerprint::of_player(&*make));
        Ok(Self { label: label.to_owned(), make, limit, time: setup.time, fingerprint })
    }

    /// A player for one game.
    pub(super) fn player(&self) -> Box<dyn Player> {
        (self.make)()
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
            Limit::Plies(1) => "1 ply".to_owned(),
            Limit::Plies(plies) => format!("{plies} plies"),
        }
    }
}

fn own_limit(text: &str) -> Result<Limit> {
    let context =
        || format!("{text} is no limit: write 10ms, 20000n, 2ply, fast, balanced or strong");
    if let Some(time) = budget(text) {
        return Ok(Limit::Time(time));
    }
    if let Some(ms) = text.strip_suffix("ms") {
        let ms: f64 = ms.parse().with_context(context)?;
        let time = Duration::try_from_secs_f64(ms / 1e3).with_context(context)?;
        return Ok(Limit::Time(time));
    }
    if let Some(plies) = text.strip_suffix("ply") {
        let plies = plies.parse().ok().filter(|plies| (1..=9).contains(plies));
        return Ok(Limit::Plies(plies.with_context(context)?));
    }
    let nodes = text.strip_suffix('n').with_context(context)?;
    Ok(Limit::Nodes(nodes.parse().with_context(context)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(label: &str, budget_ms: Option<u64>, nodes: Option<u64>) -> Limit {
        let setup = Setup { budget_ms, nodes, ..Setup::default() };
        Contestant::parse(label, &setup).unwrap().limit
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
        let words = |label, time| {
            let setup = Setup { time, ..Setup::default() };
            Contestant::parse(label, &setup).unwrap().limit_in_words()
        };
        assert_eq!(words("mcts@2.5ms", Time::Wall), "2.5 ms");
        assert_eq!(words("mcts@10ms", Time::Cpu), "10 CPU ms");
        assert_eq!(words("mcts@7n", Time::Cpu), "7 nodes");
        assert_eq!(words("random", Time::Wall), "no limit");
    }

    #[test]
    fn what_is_unknown_is_named() {
        let error = |label| Contestant::parse(label, &Setup::default()).unwrap_err().to_string();
        assert!(error("mtcs").starts_with("mtcs is not one of mcts, "));
        assert!(error("mcts+fast@10ms").starts_with("fast is not a setting of mcts"));
        assert_eq!(
            error("mcts@10"),
            "10 is no limit: write 10ms, 20000n, 2ply, fast, balanced or strong"
        );
        assert_eq!(
            error("mcts@-1ms"),
            "-1ms is no limit: write 10ms, 20000n, 2ply, fast, balanced or strong"
        );
        assert_eq!(
            error("mcts@0ply"),
            "0ply is no limit: write 10ms, 20000n, 2ply, fast, balanced or strong"
        );
        assert_eq!(error("mcts@2ply"), "mcts does not count plies: only ntuple does");
        let lost =
            Setup { learned: Learned::in_file("nowhere.weights".into()), ..Setup::default() };
        let error = Contestant::parse("ntuple@2ply", &lost).unwrap_err();
        assert!(format!("{error:#}").starts_with("the weights nowhere.weights: "), "{error:#}");
    }
}
