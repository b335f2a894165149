//! The rules of 2048, and nothing else: no clock, no thread, no input or output, no global randomness.
//!
//! ```
//! use engine::{Direction, Game};
//!
//! let mut game = Game::new(42);
//! while let Some(direction) = game.board().legal().first() {
//!     let transition = game.play(direction).expect("a legal direction changes the board");
//!     assert_eq!(transition.direction, direction);
//! }
//! assert!(game.board().is_over());
//! assert_eq!(Game::replay(42, game.start(), game.directions()).expect("its own moves"), game);
//! ```
//!
//! What is promised, and stays so over versions:
//! - Directions are ordered UP, DOWN, LEFT, RIGHT; [`Board::slides`], [`Directions`] and ties follow that order.
//! - Cells are counted row by row from the top left, 0 to 15; [`Board::empty_cells`] and texts follow that order.
//! - The n-th spawn of a game is the function [`spawn()`] of the seed and n, on every platform.
//! - A [`Board`] is exact for every tile up to 131072, the largest that can be: two of it never merge.
//! - Answers do not depend on the processor, speed does: see [`instructions`].
//!
//! What is not: the words of [`Random`], and with them the games of [`playout()`] and [`playouts()`].
//!
//! For searches: [`Board::slides`] and [`Board::nth_empty`] for trees, [`Boards`] to slide hundreds at a time, and
//! [`playouts()`] for random games, many side by side.

mod cell;
mod direction;
mod tile;

mod board;
mod boards;
mod slide;

mod spawn;

mod game;

mod perft;
mod playout;
mod random;

mod lanes;
mod nibbles;
mod processor;
mod rows;

pub use board::{Board, BoardError};
pub use boards::{Boards, Slides};
pub use cell::Cell;
pub use direction::{Direction, Directions, UnknownDirection};
pub use game::{Game, Refused, ReplayError, Start, Transition};
pub use perft::perft;
pub use playout::{Playout, playout, playouts, playouts_towards};
pub use processor::instructions;
pub use random::Random;
pub use slide::{Slide, TileSlide};
pub use spawn::{Spawn, spawn};
pub use tile::{Tile, TileError};
