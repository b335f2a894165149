//! The floor that every other player is measured against.

use crate::{Decision, Effort, Limits, Player, Position, measure::risk};

/// Picks uniformly among the legal directions, and says so.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Player for Random {
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Decision {
        let legal = position.board.legal();
        if legal.is_empty() {
            return Decision::fallback(&position.board, None, Decision::NO_LEGAL_MOVES);
        }
        let share = 1.0 / legal.len() as f64;
        let mut probabilities = [None; 4];
        for direction in legal.iter() {
            probabilities[direction.index()] = Some(share);
        }
        let chosen = engine::Random::new(limits.seed).below(legal.len() as u32);
        Decision {
            direction: legal.nth(chosen as usize),
            detail: Some(format!("one of {} legal directions", legal.len())),
            probabilities: Some(probabilities),
            confidence: Some(share),
            risk: risk(&position.board),
            effort: Effort { nodes: 1, ..Effort::default() },
            ..Decision::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{decide, nodes};

    #[test]
    fn every_legal_direction_comes_up_equally_often() {
        // Only UP and RIGHT change it.
        let board = ". . . . 4 . . . 2 8 . . 4 2 8 .";
        let mut counts = [0; 4];
        for seed in 0..3_000 {
            let decision = decide(Random, board, &nodes(1, seed));
            assert_eq!(decision.confidence, Some(0.5));
            counts[decision.direction.unwrap().index()] += 1;
        }
        assert_eq!([counts[1], counts[2]], [0, 0], "UP and RIGHT are the legal ones");
        assert!((1_400..1_600).contains(&counts[0]), "{counts:?}");
    }
}
