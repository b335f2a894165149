//! The player that judges by a trained network.

use std::sync::Arc;

use engine::{Board, Direction};

use super::{
    Network,
    downgrade::{HIGHEST, downgraded},
};
use crate::{
    Decision, Effort, Evaluation, Expectimax, ExpectimaxSettings, Limits, Player, Position,
    expectimax::best_direction, measure::risk,
};

/// How far the player looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plies {
    /// So many moves ahead, at least 1, whatever the limits say; only a stop ends it early.
    Exactly(u8),
    /// As many as its limits allow, at least 2.
    AsTimeAllows,
}

/// Plays by a [`Network`], looking ahead by [`Expectimax`].
#[derive(Debug)]
pub struct NTuple {
    network: Arc<Network>,
    plies: Plies,
    search: Expectimax<Arc<Network>>,
}

impl NTuple {
    /// A player with its own table for the search; the network is shared.
    pub fn new(network: Arc<Network>, plies: Plies) -> Self {
        // The default margin is in the unit of another evaluation.
        let unpruned = ExpectimaxSettings { margin: f32::INFINITY, ..Default::default() };
        let settings = match plies {
            // Nothing is cut off, so that so many plies are what others call so.
            Plies::Exactly(plies) => ExpectimaxSettings {
                cutoff: 0.0,
                table_bits: if plies < 3 { 8 } else { 18 },
                deepest: plies.max(2),
                ..unpruned
            },
            Plies::AsTimeAllows => unpruned,
        };
        Self { search: Expectimax::new(Arc::clone(&network), settings), network, plies }
    }
}

impl Player for NTuple {
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Decision {
        if let Some(decision) = Decision::forced(&position.board) {
            return decision;
        }
        let board = match position.board.nibbles() {
            Some(_) => position.board,
            None => downgraded(&position.board, HIGHEST),
        };
        let mut decision = match self.plies {
            Plies::Exactly(..2) => one_ply(&self.network, &board),
            Plies::Exactly(_) => {
                let limits = Limits { budget: None, nodes: None, ..*limits };
                self.search.choose(&Position { board, ..position.clone() }, &limits)
            }
            Plies::AsTimeAllows => {
                self.search.choose(&Position { board, ..position.clone() }, limits)
            }
        };
        if decision.effort.depth > 1 {
            // The search counts the points of the tiles on the board too, and for each spawn the 4 points of one in ten.
            let spawns = f64::from(decision.effort.depth - 1);
            let so_far = f64::from(self.network.dead(&board)) + 0.4 * spawns;
            decision.values = decision.values.map(|value| value.map(|value| value - so_far));
            let best = decision.values.into_iter().flatten().fold(0.0, f64::max);
            let search = decision.detail.unwrap_or_default();
            decision.detail = Some(format!("expects {best:.0} more points; {search}"));
        }
        legal_only(&mut decision, &position.board);
        decision
    }
}

/// The decision by what the network says of the afterstates.
fn one_ply(network: &Network, board: &Board) -> Decision {
    let values = network.values(board);
    Decision {
        direction: best_direction(&values),
        detail: None,
        values: values.map(|value| value.map(f64::from)),
        risk: risk(board),
        effort: Effort { nodes: 1, depth: 1, ..Effort::default() },
        ..Decision::default()
    }
}

/// Takes back what is possible only on the downgraded board: there, two of the largest tiles can merge.
fn legal_only(decision: &mut Decision, board: &Board) {
    let legal = board.legal();
    for direction in Direction::ALL.into_iter().filter(|&direction| !legal.contains(direction)) {
        decision.values[direction.index()] = None;
    }
    if decision.direction.is_none_or(|direction| !legal.contains(direction)) {
        decision.direction =
            best_direction(&decision.values.map(|value| value.map(|value| value as f32)))
                .or_else(|| legal.first());
    }
}

#[cfg(test)]
mod tests {
    use engine::Game;

    use super::*;
    use crate::{ntuple::testing::small_network, testing};

    const CROWDED: &str = "1024 512 256 128 64 32 16 8 4 2 4 16 2 8 2 .";

    fn decide(plies: Plies, board: &str) -> Decision {
        testing::decide(NTuple::new(small_network(), plies), board, &testing::nodes(5_000, 0))
    }

    /// The points to come after each direction, by the definition.
    fn naive(board: &Board, plies: u8) -> [Option<f64>; 4] {
        board.slides().map(|slide| {
            let slide = slide?;
            let to_come = if plies == 1 {
                f64::from(small_network().points_to_come(&slide.board))
            } else {
                let best = |tile, cell| {
                    let values = naive(&slide.board.with(cell, tile), plies - 1);
                    values.into_iter().flatten().fold(0.0, f64::max)
                };
                let each = |cell| {
                    0.9 * best(engine::Tile::TWO, cell) + 0.1 * best(engine::Tile::FOUR, cell)
                };
                slide.board.empty_cells().map(each).sum::<f64>() / slide.board.empty_count() as f64
            };
            Some(f64::from(slide.gained) + to_come)
        })
    }

    #[test]
    fn its_values_are_what_the_definition_says() {
        for board in
            [CROWDED, "64 32 4 2 8 16 . . 4 2 . . 2 . . .", "512 256 2 . 2 . . . . 4 . . . . . 2"]
        {
            for plies in 1..=3 {
                let found = decide(Plies::Exactly(plies), board);
                let expected = naive(&board.parse().unwrap(), plies);
                assert_eq!(u8::try_from(found.effort.depth), Ok(plies));
                for (found, expected) in found.values.into_iter().zip(expected) {
                    assert_eq!(found.is_some(), expected.is_some());
                    let (found, expected) = (found.unwrap_or(0.0), expected.unwrap_or(0.0));
                    assert!(
                        (found - expected).abs() < 0.5,
                        "{found}, not {expected}, {plies} plies: {board}"
                    );
                }
            }
        }
    }

    #[test]
    fn only_what_is_legal_is_played_with_the_largest_tiles_too() {
        for board in [
            "131072 131072 4 2 2 4 8 16 16 8 4 2 2 4 . 2",
            "65536 32768 16384 8192 512 1024 2048 4096 256 128 64 32 2 4 8 16",
            "65536 65536 16384 8192 2 1024 2048 . 2 . . 4 . . . .",
            "131072 131072 131072 131072 2 4 2 4 4 2 4 2 2 4 2 .",
        ] {
            let legal = board.parse::<Board>().unwrap().legal();
            for plies in [Plies::Exactly(1), Plies::Exactly(2), Plies::AsTimeAllows] {
                let decision = decide(plies, board);
                assert_eq!(decision.direction.is_none(), legal.is_empty(), "{board}");
                assert!(
                    decision.direction.is_none_or(|direction| legal.contains(direction)),
                    "{board}"
                );
                for direction in Direction::ALL {
                    let has_value = decision.values[direction.index()].is_some();
                    assert!(!has_value || legal.contains(direction), "{board}");
                }
            }
        }
    }

    #[test]
    fn many_players_share_one_network() {
        let network = small_network();
        let before = Arc::strong_count(&network);
        let players: Vec<NTuple> =
            (0..1_000).map(|_| NTuple::new(Arc::clone(&network), Plies::Exactly(1))).collect();
        assert!(Arc::strong_count(&network) >= before + players.len());
        assert_eq!(network.bytes(), 2 * crate::ntuple::WEIGHTS);
    }

    #[test]
    fn even_a_little_training_shows() {
        let mut player = NTuple::new(small_network(), Plies::Exactly(1));
        let mut scores = 0;
        for seed in 0..20 {
            let mut game = Game::new(seed);
            while let Some(direction) =
                player.choose(&Position::of(&game), &testing::nodes(1, 0)).direction
            {
                game.play(direction).unwrap();
            }
            scores += game.score();
        }
        // Random play has about a thousand.
        assert!(scores / 20 > 8_000, "{}", scores / 20);
    }
}
