//! The figures of the learned player: how fast it learns, and how fast it decides.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use anyhow::Result;
use engine::Game;
use players::{
    Clock, Limits, Player, Position,
    ntuple::{Learner, Memory, Method, NTuple, Network, Plies},
};

use super::Figures;
use crate::learned::Learned;

/// The sums of a weight's errors and of their magnitudes: nearly as many of each sign, as after long learning.
const SUMS: [f32; 2] = [200.0, 10_000.0];

/// Adds every figure, of the network in a file: a trained one, since the more boards it has seen, the more memory it goes
/// through.
///
/// # Errors
/// - When the file cannot be used, or there is not enough memory.
pub(super) fn measure(figures: &mut Figures, file: &Learned) -> Result<()> {
    let network = file.network()?;
    let memory = memory_of(&network)?;
    let mut learner = Learner::new(&memory, 1.0);
    let mut games = 0..;
    let mut next = || learner.learn(games.next().unwrap_or_default()).moves;
    figures.per_second("ntuple.train_tc_per_s", || {
        let moves = next();
        assert!(moves > 0);
        moves
    });
    for plies in [1, 2] {
        let mut player = NTuple::new(Arc::clone(&network), Plies::Exactly(plies));
        let (mut seed, mut game) = (0, Game::new(0));
        figures.per_second(&format!("ntuple.ply{plies}_per_s"), || {
            // Many at once, since the stopwatch takes time too.
            for _ in 0..1_000 / u64::from(plies * plies) {
                if let Some(direction) = decide(&mut player, &game) {
                    game.play(direction).expect("a player chooses what is legal");
                } else {
                    seed += 1;
                    game = Game::new(seed);
                }
            }
            1_000 / u64::from(plies * plies)
        });
    }
    Ok(())
}

/// A memory that goes on learning where the network's training ended.
fn memory_of(network: &Network) -> Result<Memory> {
    let memory = Memory::new(Method::Tc, &network.begins(), 0.0)?;
    let [signed, absolute] = SUMS.map(|sum| u64::from(sum.to_bits()));
    for (at, &steps) in network.weights().iter().enumerate().filter(|(_, steps)| **steps != 0) {
        let weight = f32::from(steps) * network.step();
        memory.put(at, (weight.to_bits(), signed | absolute << 32));
    }
    Ok(memory)
}

fn decide(player: &mut NTuple, game: &Game) -> Option<engine::Direction> {
    let never = AtomicBool::new(false);
    let limits = Limits { budget: None, nodes: None, clock: &Timeless, stop: &never, seed: 1 };
    player.choose(&Position::of(game), &limits).direction
}

struct Timeless;

impl Clock for Timeless {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
