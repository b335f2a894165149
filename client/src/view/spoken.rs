//! What is said about moves and games, in words.

use protocol::{Decision, Direction, Position, Spawned, State, Transition};

/// A number with its thousands apart: `12,340`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "Left"
pub const fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "Up",
        Direction::Down => "Down",
        Direction::Left => "Left",
        Direction::Right => "Right",
    }
}

/// "Left. 4 and 4 made 8. New 2, row 3 column 1. Score 128." `None` if the state did not come from a move.
pub fn move_sentences(state: &State) -> Option<String> {
    let transition = state.transition.as_ref()?;
    let made = pairs(transition).map_or_else(String::new, |pairs| format!(" {pairs}."));
    let [row, column] = place(transition.spawn.at);
    Some(format!(
        "{}.{made} New {}, row {row} column {column}. Score {}.",
        direction_word(transition.direction),
        transition.spawn.value,
        grouped(state.score),
    ))
}

/// "left: 4 and 4 made 8; new 2 at 3,1; score 128": the same for a log, numbers as they are.
pub fn move_line(state: &State) -> Option<String> {
    let transition = state.transition.as_ref()?;
    let made = pairs(transition).map_or_else(String::new, |pairs| format!(" {pairs};"));
    let [row, column] = place(transition.spawn.at);
    Some(format!(
        "{}:{made} new {} at {row},{column}; score {}",
        direction_word(transition.direction).to_lowercase(),
        transition.spawn.value,
        state.score,
    ))
}

/// "2 at 3,1": the tile that came after a move.
pub fn spawn_words(spawn: &Spawned) -> String {
    let [row, column] = place(spawn.at);
    format!("{} at {row},{column}", spawn.value)
}

/// "99 %, 7660 rollouts over 1001 nodes, 16 deep": how a move was decided, or why another chose it; empty for a person.
pub fn why_words(decision: &Decision) -> String {
    let share = decision.confidence.map(|share| format!("{:.0} %", 100.0 * share));
    let words = decision.reason.clone().or_else(|| decision.detail.clone());
    share.into_iter().chain(words).collect::<Vec<_>>().join(", ")
}

/// "row 2 column 3, 128": a square for those who hear the board; rows and columns from 0.
pub fn square_words(grid: &[[Option<u32>; 4]; 4], row: usize, column: usize) -> String {
    let value = grid.get(row).and_then(|line| *line.get(column)?);
    let value = value.map_or_else(|| String::from("empty"), |value| value.to_string());
    format!("row {} column {}, {value}", row + 1, column + 1)
}

/// "People 1,284, players 27,168, together 0": the best scores by who chose the moves; `None` where the server does
/// not tell.
pub fn best_words(state: &State) -> Option<String> {
    let best = state.best_by.as_ref()?;
    Some(format!(
        "People {}, players {}, together {}",
        grouped(best.human),
        grouped(best.ai),
        grouped(best.mixed)
    ))
}

/// "Left changes nothing."
pub fn no_op_sentence(direction: Direction) -> String {
    format!("{} changes nothing.", direction_word(direction))
}

/// "Game over. Score 12,340 in 812 moves, largest tile 1024."
pub fn game_over_sentences(state: &State) -> String {
    let best = !state.custom && state.score > 0 && state.score >= state.best;
    format!(
        "Game over. Score {} in {} moves, largest tile {}.{}{}",
        grouped(state.score),
        grouped(state.moves.into()),
        state.max_tile,
        if best { " The best score here." } else { "" },
        if state.won { " 2048 was made." } else { "" },
    )
}

/// The board, a row a line, columns under each other; an empty square is a dot.
pub fn board_lines(grid: &[[Option<u32>; 4]; 4]) -> [String; 4] {
    let cells = grid.map(|row| {
        row.map(|cell| cell.map_or_else(|| String::from("."), |value| value.to_string()))
    });
    let width = cells.iter().flatten().map(String::len).max().unwrap_or(1);
    cells.map(|row| row.map(|cell| format!("{cell:>width$}")).join(" "))
}

/// The five lines that end a game: moves, score, merges, largest tile and where it is.
pub fn summary_lines(state: &State) -> [String; 5] {
    let largest = (0..16_u8).map(|index| [index / 4, index % 4]).find(|[row, column]| {
        state.grid[usize::from(*row)][usize::from(*column)] == Some(state.max_tile)
    });
    let whereabouts = largest.map_or_else(
        || String::from("none"),
        |at| {
            let [row, column] = place(at);
            format!("row {row}, column {column}")
        },
    );
    [
        format!("Number of successful moves: {}", state.moves),
        format!("Score: {}", state.score),
        format!("Merge count: {}", state.merge_count),
        format!("Max tile: {}", state.max_tile),
        format!("Max tile coordinates: {whereabouts}"),
    ]
}

/// "4 and 4 made 8, 2 and 2 made 4", in the order of the board; `None` if nothing merged.
fn pairs(transition: &Transition) -> Option<String> {
    let merging = transition.slides.iter().filter(|slide| slide.merges);
    let mut made: Vec<(Position, u32)> = merging.map(|slide| (slide.to, slide.value)).collect();
    made.sort_unstable();
    made.dedup();
    let pair = |&(_, value): &(Position, u32)| {
        format!("{value} and {value} made {}", value.saturating_mul(2))
    };
    let pairs: Vec<String> = made.iter().map(pair).collect();
    (!pairs.is_empty()).then(|| pairs.join(", "))
}

/// Rows and columns as people count them, from 1.
fn place(at: Position) -> [u16; 2] {
    at.map(|index| u16::from(index) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::tests::golden;

    #[test]
    fn numbers_have_their_thousands_apart() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (12_340, "12,340"), (1_234_567, "1,234,567")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn a_move_is_said() {
        let state = golden("state-after-a-move");
        assert_eq!(
            move_sentences(&state).unwrap(),
            "Left. 2 and 2 made 4, 2 and 2 made 4, 2 and 2 made 4. New 2, row 3 column 3. Score 2,056."
        );
        assert_eq!(
            move_line(&state).unwrap(),
            "left: 2 and 2 made 4, 2 and 2 made 4, 2 and 2 made 4; new 2 at 3,3; score 2056"
        );
    }

    #[test]
    fn a_move_without_merges_is_said_without_them() {
        let mut state = golden("state-after-a-move");
        for slide in &mut state.transition.as_mut().unwrap().slides {
            slide.merges = false;
        }
        assert_eq!(move_sentences(&state).unwrap(), "Left. New 2, row 3 column 3. Score 2,056.");
        assert_eq!(move_line(&state).unwrap(), "left: new 2 at 3,3; score 2056");
    }

    #[test]
    fn nothing_is_said_of_a_state_that_no_move_made() {
        let state = golden("state-new-game");
        assert_eq!((move_sentences(&state), move_line(&state)), (None, None));
    }

    #[test]
    fn the_end_is_said_with_what_was_reached() {
        let mut state = golden("state-game-over");
        (state.score, state.moves, state.max_tile, state.best) = (12_340, 812, 1024, 27_168);
        (state.won, state.custom) = (false, false);
        let plain = "Game over. Score 12,340 in 812 moves, largest tile 1024.";
        assert_eq!(game_over_sentences(&state), plain);
        (state.best, state.won) = (12_340, true);
        assert_eq!(
            game_over_sentences(&state),
            format!("{plain} The best score here. 2048 was made.")
        );
    }

    #[test]
    fn the_board_is_four_lines_with_straight_columns() {
        let grid = [[Some(2), None, Some(131_072), None], [None; 4], [None; 4], [Some(16); 4]];
        assert_eq!(
            board_lines(&grid),
            [
                "     2      . 131072      .",
                "     .      .      .      .",
                "     .      .      .      .",
                "    16     16     16     16",
            ]
        );
    }

    #[test]
    fn the_summary_has_five_lines() {
        let state = golden("state-after-a-move");
        assert_eq!(
            summary_lines(&state),
            [
                "Number of successful moves: 214",
                "Score: 2056",
                "Merge count: 183",
                "Max tile: 128",
                "Max tile coordinates: row 1, column 1",
            ]
        );
    }
}
