//! The request: the state, and two questions about it.

use engine::Direction;
use players::Position;
use serde::Serialize;

use super::state::{ByDirection, MoveFacts, State};

/// The body of one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Request<'a> {
    model: &'a str,
    state: &'a State,
    questions: &'a Questions,
}

/// What is asked; the keys are not shown to the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Questions {
    #[serde(rename = "move")]
    direction: Choice,
    risk: Score,
}

/// One of several.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Choice {
    r#type: &'static str,
    instructions: &'static str,
    criteria: ByDirection<String>,
}

/// A level on a scale, the lowest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Score {
    r#type: &'static str,
    instructions: &'static str,
    criteria: [&'static str; 3],
}

/// What is known of a position and asked about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sent {
    state: State,
    questions: Questions,
}

impl Sent {
    /// What there is to tell and to ask about `position`.
    pub fn about(position: &Position) -> Self {
        let state = State::of(position);
        let questions = Questions::about(&state);
        Self { state, questions }
    }

    /// The request to `model`.
    pub fn to<'a>(&'a self, model: &'a str) -> Request<'a> {
        Request { model, state: &self.state, questions: &self.questions }
    }
}

impl Questions {
    fn about(state: &State) -> Self {
        Self {
            direction: Choice {
                r#type: "choice",
                instructions: "Which move is best for this game of 2048 in the long run? Keep room on the board, keep \
                               the largest tile in its corner, keep the tiles in order, and avoid moves that leave \
                               few moves or could end the game.",
                criteria: state.available_moves.map(line),
            },
            risk: Score {
                r#type: "score",
                instructions: "How near is this board to the end of the game?",
                criteria: [
                    "Plenty of room: many squares are empty and several moves are open.",
                    "Getting crowded: few squares are empty, and care is needed.",
                    "Nearly full: the game could end within a few moves.",
                ],
            },
        }
    }
}

/// What speaks for and against a move, in six clauses: the text that the choice is made by.
fn line(direction: Direction, facts: &MoveFacts) -> String {
    let merges = match facts.tiles_merged {
        0 => "merges nothing".to_owned(),
        pairs => {
            format!("merges {} for {} points", many(pairs.into(), "pair"), facts.points_gained)
        }
    };
    let corner = if facts.largest_tile_stays_in_corner {
        "keeps the largest tile in a corner"
    } else {
        "leaves the largest tile outside the corners"
    };
    let danger =
        if facts.could_end_the_game { " An unlucky new tile would end the game." } else { "" };
    format!(
        "Move {direction}: {merges}, leaves {}, {corner}, leaves {}, sets up {}, tile ordering {:.2} ({:+.2}).{danger}",
        many(facts.empty_cells_after, "empty cell"),
        many(facts.moves_after(), "legal direction"),
        many(facts.merges_available_after, "mergeable pair"),
        facts.monotonicity_after,
        facts.monotonicity_change,
        direction = direction.name(),
    )
}

fn many(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
