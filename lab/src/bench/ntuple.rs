//! The figures of the learned player: how fast it learns, and how fast it decides.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use anyhow::Result;
use engine::Game;
use players::{
    Clock, Limits, Player, Position,
    ntuple::{About, Learner, Memory, Method, NTuple, Plies, Weights, write},
};

use super::Figures;

/// Games to learn from before anything is measured, so that boards are looked up that a trained network sees.
const GAMES: u64 = 2_000;

/// Adds every figure, of a network that is trained here: the speed hardly depends on how well it plays.
///
/// # Errors
/// - When there is not enough memory.
pub(super) fn measure(figures: &mut Figures) -> Result<()> {
    let memory = Memory::new(Method::Tc, &[], 0.0)?;
    let mut learner = Learner::new(&memory, 1.0);
    let mut games = 0..;
    let mut learn = || learner.learn(games.next().unwrap_or_default()).moves;
    for _ in 0..GAMES {
        learn();
    }
    figures.per_second("ntuple.train_tc_per_s", || {
        let moves = u64::from(learn());
        assert!(moves > 0);
        moves
    });
    let file = write(&memory.quantised(1.0), &About { step: 1.0, ..About::default() }, 1)?;
    let network = Arc::new(Weights::check(&file)?.unpack()?);
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
