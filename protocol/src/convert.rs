//! The one place where the engine's types become wire types.

use engine::{Board, Cell};

use crate::{Position, Slide, Spawned, Transition};

/// The board as it crosses the wire.
pub fn grid_of(board: &Board) -> [[Option<u32>; 4]; 4] {
    board.values().map(|row| row.map(|value| (value != 0).then_some(value)))
}

/// A move as it crosses the wire, chosen by `by`.
pub fn transition_of(transition: &engine::Transition, by: impl Into<String>) -> Transition {
    let slide = |slide: &engine::TileSlide| Slide {
        from: position_of(slide.from),
        to: position_of(slide.to),
        value: slide.tile.value(),
        merges: slide.merges,
    };
    Transition {
        direction: transition.direction.into(),
        by: by.into(),
        gained: transition.gained,
        slides: transition.slides.iter().map(slide).collect(),
        spawn: Spawned {
            at: position_of(transition.spawn.cell),
            value: transition.spawn.tile.value(),
        },
    }
}

fn position_of(cell: Cell) -> Position {
    [cell.row() as u8, cell.column() as u8]
}
