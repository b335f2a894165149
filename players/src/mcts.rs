//! Monte Carlo tree search: random games, most of them where the tree so far says that it matters.

mod tree;

use std::time::Duration;

use engine::Random;
use tree::Tree;

use crate::{Decision, Effort, Limits, Player, Position, Rollouts, measure::risk, rollout::Watch};

/// How the tree is searched. The names in brackets are the settings of the py2048 design; its `thinking_time` is the
/// budget of [`Limits`], by default [`Mcts::THINKING_TIME`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The C of UCB1 (`exploration`). Large, because what is compared are points, not chances of winning.
    pub exploration: f64,
    /// Whether a tile appears in the tree as often as the game drops it (`sample_spawn`). If not, the search chooses
    /// spawns as it chooses directions, and dwells on the lucky ones.
    pub sample_spawn: bool,
    /// How a new position is judged.
    pub rollouts: Rollouts,
}

impl Default for Settings {
    fn default() -> Self {
        Self { exploration: 20.0, sample_spawn: true, rollouts: Rollouts::default() }
    }
}

/// The tree search. Its tree has two layers that alternate: positions to move on, and positions that wait for a tile.
#[derive(Debug, Default)]
pub struct Mcts {
    settings: Settings,
    /// Built anew for each decision; kept for its memory.
    tree: Tree,
}

impl Mcts {
    /// How long it thinks about a move unless told otherwise (`thinking_time`).
    pub const THINKING_TIME: Duration = Duration::from_millis(500);

    /// A player that searches by `settings`.
    pub fn new(settings: Settings) -> Self {
        Self { settings, tree: Tree::default() }
    }
}

impl Player for Mcts {
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Decision {
        if let Some(decision) = Decision::forced(&position.board) {
            return decision;
        }
        let mut random = Random::new(limits.seed);
        let mut watch = Watch::new(limits);
        self.tree.plant(position.board, self.settings.rollouts.reward);
        // Even a thought without time tries every direction once.
        while self.tree.has_untried_direction() || !watch.is_over() {
            self.tree.grow(&self.settings, &mut watch, &mut random);
        }
        self.decide(position, watch.rollouts())
    }
}

impl Mcts {
    /// The direction that the search spent most on. Not the best UCB1: its bonus for the little-tried belongs into
    /// the search, not into the answer.
    fn decide(&self, position: &Position, rollouts: u64) -> Decision {
        let branches = self.tree.branches();
        let visits: u32 = branches.iter().map(|branch| branch.visits).sum();
        let share = |visits_here: u32| f64::from(visits_here) / f64::from(visits);
        let (mut probabilities, mut values) = ([None; 4], [None; 4]);
        for branch in &branches {
            probabilities[branch.direction.index()] = Some(share(branch.visits));
            values[branch.direction.index()] = Some(branch.mean);
        }
        let best =
            branches.iter().max_by(|a, b| a.visits.cmp(&b.visits).then(a.mean.total_cmp(&b.mean)));
        let (nodes, depth) = (self.tree.len() as u64, self.tree.depth());
        Decision {
            direction: best.map(|branch| branch.direction),
            detail: Some(format!("{rollouts} rollouts over {nodes} nodes, {depth} deep")),
            probabilities: Some(probabilities),
            values,
            confidence: best.map(|branch| share(branch.visits)),
            risk: risk(&position.board),
            effort: Effort { nodes, rollouts, depth, table_hits: 0 },
            ..Decision::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::Direction;

    use super::*;
    use crate::{Reward, testing};

    fn decide(board: &str, settings: Settings, rollouts: u64) -> Decision {
        testing::decide(Mcts::new(settings), board, &testing::nodes(rollouts, 3))
    }

    const OPEN: &str = "64 32 16 8 4 2 . . 2 . . . . . . .";

    #[test]
    fn the_direction_is_the_most_visited_one_and_confidence_its_share() {
        let decision = decide(OPEN, Settings::default(), 20_000);
        let shares = decision.probabilities.unwrap();
        let best = shares.iter().flatten().copied().fold(0.0, f64::max);
        assert_eq!(shares[decision.direction.unwrap().index()], Some(best));
        assert_eq!(decision.confidence, Some(best));
    }

    #[test]
    fn the_detail_says_how_hard_it_looked() {
        let decision = decide(OPEN, Settings::default(), 2_000);
        let Effort { rollouts, nodes, depth, .. } = decision.effort;
        let expected = format!("{rollouts} rollouts over {nodes} nodes, {depth} deep");
        assert_eq!(decision.detail, Some(expected));
        assert_eq!(rollouts, 2_000);
        assert!(depth >= 2);
    }

    #[test]
    fn one_legal_move_is_played_without_a_search() {
        let decision = decide("2 4 2 4 4 2 4 2 2 4 2 4 2 4 2 .", Settings::default(), 100);
        assert_eq!(decision.fallback, None);
        let decision = decide("2 . . . 4 . . . 2 . . . 4 . . .", Settings::default(), 100);
        assert_eq!(decision.direction, Some(Direction::Right));
        assert_eq!(decision.fallback.as_deref(), Some("only one legal move"));
        assert_eq!(decision.effort, Effort::default());
    }

    #[test]
    fn a_move_gets_credit_for_the_points_it_makes() {
        let board = "512 512 2 4 4 2 4 2 2 4 2 4 4 2 4 .";
        let rollouts = Rollouts { depth: 0, per_node: 1, ..Rollouts::default() };
        let decision = decide(board, Settings { rollouts, ..Settings::default() }, 4);
        assert_eq!(decision.direction, Some(Direction::Left));
        assert_eq!(decision.values[Direction::Left.index()], Some(1_024.0));
    }

    #[test]
    fn a_reset_reward_forgets_the_points_before_the_rollout() {
        // With no move in a rollout, all that is left is what was banked.
        let board = "2 2 . . . . . . . . . . . . . 4";
        let rollouts = Rollouts { depth: 0, per_node: 1, ..Rollouts::default() };
        let banked = decide(board, Settings { rollouts, ..Settings::default() }, 4);
        assert_eq!(banked.values[Direction::Left.index()], Some(4.0));
        let rollouts = Rollouts { reset_reward: true, ..rollouts };
        let reset = decide(board, Settings { rollouts, ..Settings::default() }, 4);
        assert_eq!(reset.values[Direction::Left.index()], Some(0.0));
    }

    #[test]
    fn merges_can_be_counted_instead_of_points() {
        let board = "64 64 . . 32 32 . . . . . . . . . 4";
        let rollouts =
            Rollouts { depth: 0, per_node: 1, reward: Reward::Merges, ..Rollouts::default() };
        let decision = decide(board, Settings { rollouts, ..Settings::default() }, 4);
        assert_eq!(decision.values[Direction::Left.index()], Some(2.0));
    }
}
