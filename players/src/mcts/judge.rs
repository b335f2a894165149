//! What a tree takes a new position for.

use engine::{Board, Random};

use crate::{
    Evaluation, HowHigh, Rollouts,
    rollout::{Turn, Watch},
};

/// What judges a new position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Judge {
    /// Random games from it.
    #[default]
    Rollouts,
    /// [`HowHigh`](crate::HowHigh), one move further; so the tree counts what a board looks like and no points. Rodgers
    /// and Levine, "An investigation into 2048 AI strategies" (2014), found the mean of an evaluation better than that of
    /// random games.
    HowHigh,
}

impl Judge {
    /// A judgement by evaluation, with its way through the tree, takes as long as so many moves of a random game.
    const MOVES: u32 = 50;

    /// What a node is worth, of which `banked` has been gained on the way.
    pub(super) fn worth(
        self,
        (board, turn): (Board, Turn),
        banked: f64,
        rollouts: &Rollouts,
        watch: &mut Watch<'_>,
        random: &mut Random,
    ) -> f64 {
        match self {
            Self::Rollouts => rollouts.sample((board, turn), banked, watch, random).mean(),
            Self::HowHigh => {
                watch.count(1, Self::MOVES);
                let evaluation = HowHigh::default();
                f64::from(match turn {
                    Turn::Move => evaluation.best_afterstate(&board),
                    Turn::Spawn => evaluation.mean_after_spawn(&board),
                })
            }
        }
    }
}
