//! Plays 30,000 moves of one seed, which takes a tile of 65536, and writes them to standard output: the seed in eight
//! bytes, the lowest first, then four moves a byte, the first in the lowest two bits.
//! `cargo run --release -p engine --example long_game > engine/tests/rules/long_game.bin` takes seconds.
//!
//! The search knows the spawns to come, which no player may.

#[path = "shared/beam.rs"]
mod beam;

use std::io::{self, Write};

use engine::{Board, Direction, Game, spawn};

/// The seed of the spawns.
const SEED: u64 = 2048;

/// How many moves it plays.
const MOVES: usize = 30_000;

/// How many boards of the same number of moves are kept. With 10 they get stuck on some seeds, with 5 on all.
const WIDTH: usize = 50;

fn main() -> io::Result<()> {
    let directions = beam::search(*Game::new(SEED).board(), WIDTH, moves);
    if directions.len() < MOVES {
        return Err(io::Error::other(format!("stuck after {} moves", directions.len())));
    }
    let mut bytes = SEED.to_le_bytes().to_vec();
    bytes.extend(directions.chunks(4).map(packed));
    io::stdout().write_all(&bytes)
}

/// Every direction from a board, with the spawn that follows it.
fn moves(made: usize, board: &Board) -> Vec<(Board, Direction)> {
    if made == MOVES {
        return Vec::new();
    }
    let slides = Direction::ALL.into_iter().zip(board.slides());
    let next = |(direction, slide): (_, Option<engine::Slide>)| {
        let slid = slide?.board;
        let spawn = spawn(SEED, made as u64 + 2, &slid)?;
        Some((slid.with(spawn.cell, spawn.tile), direction))
    };
    slides.filter_map(next).collect()
}

/// Up to four directions in a byte.
fn packed(directions: &[Direction]) -> u8 {
    directions.iter().rev().fold(0, |byte, direction| byte << 2 | direction.index() as u8)
}
