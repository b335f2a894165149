//! The oldest advice in 2048: push everything into one corner.

use engine::Direction;

use crate::{Decision, Effort, Limits, Player, Position, measure::risk};

/// The corner that tiles are pushed into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Corner {
    /// Up, then left.
    TopLeft,
    /// Up, then right.
    #[default]
    TopRight,
    /// Down, then left.
    BottomLeft,
    /// Down, then right.
    BottomRight,
}

impl Corner {
    /// The directions in the order of preference: the two that hold the corner, then their opposites.
    pub const fn order(self) -> [Direction; 4] {
        use Direction::{Down, Left, Right, Up};
        match self {
            Self::TopLeft => [Up, Left, Down, Right],
            Self::TopRight => [Up, Right, Down, Left],
            Self::BottomLeft => [Down, Left, Up, Right],
            Self::BottomRight => [Down, Right, Up, Left],
        }
    }
}

/// Plays the first legal direction of a fixed list. It has no distribution: it always answers the same way.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules {
    corner: Corner,
}

impl Rules {
    /// A player that pushes into `corner`.
    pub const fn new(corner: Corner) -> Self {
        Self { corner }
    }
}

impl Player for Rules {
    fn choose(&mut self, position: &Position, _limits: &Limits<'_>) -> Decision {
        let legal = position.board.legal();
        let order = self.corner.order();
        let Some(direction) = order.into_iter().find(|&direction| legal.contains(direction)) else {
            return Decision::fallback(&position.board, None, Decision::NO_LEGAL_MOVES);
        };
        let [first, second, third, last] = order.map(arrow);
        Decision {
            direction: Some(direction),
            detail: Some(format!("{first} {second} {third} {last}; the first legal one wins")),
            risk: risk(&position.board),
            effort: Effort { nodes: 1, ..Effort::default() },
            ..Decision::default()
        }
    }
}

const fn arrow(direction: Direction) -> char {
    match direction {
        Direction::Up => '↑',
        Direction::Down => '↓',
        Direction::Left => '←',
        Direction::Right => '→',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn decide(corner: Corner, board: &str) -> Decision {
        testing::decide(Rules::new(corner), board, &testing::nodes(1, 0))
    }

    #[test]
    fn the_first_legal_direction_of_the_list_is_played() {
        let played = |board| decide(Corner::default(), board).direction;
        assert_eq!(played(". . . . . 2 . . . . . . . . . ."), Some(Direction::Up));
        assert_eq!(played("2 . . . . . . . . . . . . . . ."), Some(Direction::Right));
        assert_eq!(played("2 4 8 16 . . . . . . . . . . . ."), Some(Direction::Down));
    }

    #[test]
    fn the_other_corners_mirror_it() {
        let board = ". . . . . 2 4 . . 8 16 . . . . .";
        let played = |corner| decide(corner, board).direction;
        assert_eq!(played(Corner::TopLeft), Some(Direction::Up));
        assert_eq!(played(Corner::BottomLeft), Some(Direction::Down));
        assert_eq!(played(Corner::BottomRight), Some(Direction::Down));
        let board = "2 4 8 . . . . . . . . . . . . .";
        assert_eq!(decide(Corner::TopRight, board).direction, Some(Direction::Right));
    }

    #[test]
    fn it_says_its_list_and_claims_no_distribution() {
        let decision = decide(Corner::default(), ". . . . . 2 . . . . . . . . . .");
        assert_eq!(decision.detail.as_deref(), Some("↑ → ↓ ←; the first legal one wins"));
        assert_eq!((decision.probabilities, decision.confidence), (None, None));
    }
}
