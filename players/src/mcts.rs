//! Monte Carlo tree search: random games, most of them where the tree so far says that it matters.

mod judge;
mod tree;

use std::{fmt, sync::Arc, time::Duration};

use engine::{Board, Random};
pub use judge::Judge;
use tree::{Branch, Tree};

use crate::{
    Crew, Decision, Effort, Limits, Player, Position, Rollouts, measure::risk, rollout::Watch,
};

/// How the tree is searched. The names in brackets are the settings of the py2048 design; its `thinking_time` is the
/// budget of [`Limits`], by default [`Mcts::THINKING_TIME`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The C of UCB1 (`exploration`). Large, because what is compared are points, not chances of winning.
    pub exploration: f64,
    /// Whether a tile appears in the tree as often as the game drops it (`sample_spawn`). If not, the search chooses
    /// spawns as it chooses directions, and dwells on the lucky ones.
    pub sample_spawn: bool,
    /// What judges a new position. Not in py2048.
    pub judge: Judge,
    /// How a new position is judged by playing it out.
    pub rollouts: Rollouts,
    /// What [`Settings::exploration`] is counted in. Not in py2048.
    pub scaling: Scaling,
    /// Whether what is known of the position that came is kept from the move before. Not in py2048.
    pub reuse: bool,
}

/// What the exploration is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scaling {
    /// Points, on every board.
    #[default]
    Fixed,
    /// Standard deviations of what the position's visits give: more points on a board with larger tiles.
    Spread,
}

impl Settings {
    /// The settings of py2048.
    pub const PY2048: Self = Self {
        exploration: 20.0,
        sample_spawn: true,
        judge: Judge::Rollouts,
        rollouts: Rollouts::PY2048,
        scaling: Scaling::Fixed,
        reuse: false,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::PY2048
    }
}

/// The tree search. Its tree has two layers that alternate: positions to move on, and positions that wait for a tile.
/// With a crew it grows as many trees at the same time, and counts them together.
#[derive(Default)]
pub struct Mcts {
    settings: Settings,
    crew: Option<Arc<dyn Crew>>,
    /// One for each of the crew. Built anew for each decision, or kept for its memory alone.
    trees: Vec<Tree>,
}

impl fmt::Debug for Mcts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("settings", &self.settings)
            .field("trees", &self.trees.len())
            .finish_non_exhaustive()
    }
}

impl Mcts {
    /// How long it thinks about a move unless told otherwise (`thinking_time`).
    pub const THINKING_TIME: Duration = Duration::from_millis(500);

    /// A player that searches by `settings`.
    pub const fn new(settings: Settings) -> Self {
        Self { settings, crew: None, trees: Vec::new() }
    }

    /// The same, searching on the threads that `crew` has for it.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> Self {
        Self { crew: Some(crew), ..self }
    }
}

impl Player for Mcts {
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Decision {
        if let Some(decision) = Decision::forced(&position.board) {
            return decision;
        }
        let size = self.crew.as_ref().map_or(1, |crew| crew.size().max(1));
        self.trees.resize_with(size, Tree::default);
        let mut rollouts = vec![0; size];
        let (settings, board) = (self.settings, position.board);
        let share = limits.shared_by(size as u64);
        let jobs = self.trees.iter_mut().zip(&mut rollouts).zip(0..).map(|((tree, count), n)| {
            // Each tree has its own luck, the first one the decision's.
            let limits = Limits { seed: limits.seed.wrapping_add(n), ..share };
            move || *count = grow(tree, &settings, board, &limits)
        });
        match &self.crew {
            None => jobs.for_each(|mut job| job()),
            Some(crew) => {
                crew.run(jobs.map(|job| -> Box<dyn FnOnce() + Send> { Box::new(job) }).collect());
            }
        }
        self.decide(position, rollouts.iter().sum())
    }
}

/// Grows a tree for `board` until the limits are spent; how many rollouts that took.
fn grow(tree: &mut Tree, settings: &Settings, board: Board, limits: &Limits<'_>) -> u64 {
    let mut random = Random::new(limits.seed);
    let mut watch = Watch::new(limits);
    let counts_banked = settings.judge == Judge::Rollouts && !settings.rollouts.reset_reward;
    if !(settings.reuse && tree.regrow(board, counts_banked)) {
        tree.plant(board, settings.rollouts.reward);
    }
    // Even a thought without time tries every direction once.
    while tree.has_untried_direction() || !watch.is_over() {
        tree.grow(settings, &mut watch, &mut random);
    }
    watch.rollouts()
}

/// What all trees found out about the legal directions.
fn merged(trees: &[Tree]) -> Vec<Branch> {
    let mut all = trees.iter().map(Tree::branches);
    let mut branches = all.next().unwrap_or_default();
    // The board is the same, and so are the legal directions and their order.
    for other in all {
        for (branch, more) in branches.iter_mut().zip(other) {
            branch.visits += more.visits;
            branch.total += more.total;
        }
    }
    branches
}

impl Mcts {
    /// The direction that the search spent most on. Not the best UCB1: its bonus for the little-tried belongs into
    /// the search, not into the answer.
    fn decide(&self, position: &Position, rollouts: u64) -> Decision {
        let branches = merged(&self.trees);
        let visits: u32 = branches.iter().map(|branch| branch.visits).sum();
        let share = |visits_here: u32| f64::from(visits_here) / f64::from(visits);
        let (mut probabilities, mut values) = ([None; 4], [None; 4]);
        for branch in &branches {
            probabilities[branch.direction.index()] = Some(share(branch.visits));
            values[branch.direction.index()] = Some(branch.mean());
        }
        let best = branches
            .iter()
            .max_by(|a, b| a.visits.cmp(&b.visits).then(a.mean().total_cmp(&b.mean())));
        let nodes = self.trees.iter().map(|tree| tree.len() as u64).sum();
        let depth = self.trees.iter().map(Tree::depth).max().unwrap_or_default();
        let what = match self.settings.judge {
            Judge::Rollouts => "rollouts",
            Judge::HowHigh => "judgements",
        };
        Decision {
            direction: best.map(|branch| branch.direction),
            detail: Some(format!("{rollouts} {what} over {nodes} nodes, {depth} deep")),
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
    use crate::{Evaluation, HowHigh, Reward, testing};

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

    #[test]
    fn what_a_board_looks_like_can_be_counted_instead_of_points() {
        let settings =
            Settings { judge: Judge::HowHigh, scaling: Scaling::Spread, ..Settings::default() };
        // As many visits as there are directions.
        let board: Board = OPEN.parse().unwrap();
        let decision = decide(OPEN, settings, board.legal().len() as u64);
        for (slide, value) in board.slides().into_iter().zip(decision.values) {
            let looks = slide.map(|slide| HowHigh::default().mean_after_spawn(&slide.board));
            assert_eq!(value, looks.map(f64::from));
        }
        let decision = decide(OPEN, settings, 2_000);
        let Effort { nodes, depth, .. } = decision.effort;
        let expected = format!("2000 judgements over {nodes} nodes, {depth} deep");
        assert_eq!(decision.detail, Some(expected));
        assert!(depth > 4, "{depth}");
    }

    /// Does one job after the other.
    struct Patient;

    impl Crew for Patient {
        fn size(&self) -> usize {
            3
        }

        fn run<'a>(&self, jobs: Vec<Box<dyn FnOnce() + Send + 'a>>) {
            assert_eq!(jobs.len(), 3);
            for job in jobs {
                job();
            }
        }
    }

    #[test]
    fn a_crew_shares_the_work_and_its_trees_are_counted_together() {
        let player = Mcts::default().with_crew(Arc::new(Patient));
        let together = testing::decide(player, OPEN, &testing::nodes(30_000, 3));
        assert_eq!(together.effort.rollouts, 30_000);
        let parts = [3, 4, 5]
            .map(|seed| testing::decide(Mcts::default(), OPEN, &testing::nodes(10_000, seed)));
        assert_eq!(together.effort.nodes, parts.iter().map(|part| part.effort.nodes).sum());
        for direction in [Direction::Down, Direction::Left, Direction::Right] {
            let share = |decision: &Decision| {
                decision.probabilities.unwrap()[direction.index()].unwrap_or_default()
            };
            // Each tree has 200 visits of 50 rollouts.
            let mean = parts.iter().map(share).sum::<f64>() / 3.0;
            assert!((share(&together) - mean).abs() < 1e-9, "{direction}");
        }
    }

    #[test]
    fn a_kept_subtree_is_a_head_start() {
        let settings = Settings { reuse: true, ..Settings::default() };
        // There are few squares on which a tile may come, so each is well known.
        let board: Board = "2 4 8 16 4 8 16 32 8 16 32 64 2 2 . .".parse().unwrap();
        let mut player = Mcts::new(settings);
        let choose = |player: &mut Mcts, board| {
            let position = Position { board, score: 0, merges: 0, moves: 0, recent: Vec::new() };
            player.choose(&position, &testing::nodes(40_000, 1))
        };
        let first = choose(&mut player, board);
        let after = board.slide(first.direction.unwrap()).unwrap().board;
        let cell = after.empty_cells().next().unwrap();
        let next = after.with(cell, engine::Tile::TWO);
        let (kept, fresh) =
            (choose(&mut player, next).effort, choose(&mut Mcts::new(settings), next).effort);
        assert_eq!(kept.rollouts, fresh.rollouts);
        assert!(kept.nodes > fresh.nodes, "{kept:?} {fresh:?}");
    }
}
