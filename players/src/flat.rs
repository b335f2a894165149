//! Flat Monte Carlo: play out every legal direction, take the one with the best mean. The level-1 simulation.

use engine::{Board, Direction, Random};

use crate::{
    Decision, Effort, Limits, Player, Position, Rollouts,
    measure::risk,
    rollout::{Sample, Turn, Watch},
};

/// Plays games out after each legal direction, in turn, and plays the direction whose games ended best. All
/// directions get the same number of games, so it reports values and no distribution.
#[derive(Debug, Clone, Copy, Default)]
pub struct Flat {
    rollouts: Rollouts,
}

impl Flat {
    /// A player that judges by these rollouts.
    pub const fn new(rollouts: Rollouts) -> Self {
        Self { rollouts }
    }
}

impl Player for Flat {
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Decision {
        if let Some(decision) = Decision::forced(&position.board) {
            return decision;
        }
        let mut arms: Vec<Arm> = Direction::ALL
            .into_iter()
            .filter_map(|direction| {
                let slide = position.board.slide(direction)?;
                let banked = self.rollouts.reward.of(&slide);
                Some(Arm { direction, board: slide.board, banked, sample: Sample::default() })
            })
            .collect();
        let mut random = Random::new(limits.seed);
        let mut watch = Watch::new(limits);
        // The first round is never cut short: every direction needs something behind it.
        loop {
            for arm in &mut arms {
                if arm.sample.rollouts > 0 && watch.is_over() {
                    break;
                }
                let from = (arm.board, Turn::Spawn);
                let sample = self.rollouts.sample(from, arm.banked, &mut watch, &mut random);
                arm.sample.rollouts += sample.rollouts;
                arm.sample.total += sample.total;
            }
            if watch.is_over() {
                return self.decide(position, &arms, watch.rollouts());
            }
        }
    }
}

/// One legal direction and what its rollouts gave.
struct Arm {
    direction: Direction,
    board: Board,
    banked: f64,
    sample: Sample,
}

impl Flat {
    fn decide(self, position: &Position, arms: &[Arm], rollouts: u64) -> Decision {
        let mut values = [None; 4];
        for arm in arms {
            values[arm.direction.index()] = Some(arm.sample.mean());
        }
        let best = arms.iter().max_by(|a, b| a.sample.mean().total_cmp(&b.sample.mean()));
        let depth = self.rollouts.depth;
        Decision {
            direction: best.map(|arm| arm.direction),
            detail: Some(format!(
                "{rollouts} rollouts over {} directions, {depth} deep",
                arms.len()
            )),
            values,
            risk: risk(&position.board),
            effort: Effort { nodes: arms.len() as u64, rollouts, depth, table_hits: 0 },
            ..Decision::default()
        }
    }
}
