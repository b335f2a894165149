//! The state of one scenario and everything that its steps can do and check.

use std::{cmp::Ordering, collections::BTreeSet, time::Duration};

use cucumber::gherkin;
use engine::{Board, Direction, Game};

use crate::{
    paper::{self, View},
    thought::{self, Thought},
};

/// One scenario: a game, and what it looked like before.
#[derive(Debug, cucumber::World)]
#[world(init = Self::new)]
pub(crate) struct World {
    game: Game,
    /// How the game looked when the scenario had set it up.
    start: View,
    /// How it looked before the last move, and which move that was.
    last: Option<(View, Direction)>,
    now: View,
    /// What a player answered.
    thought: Option<Thought>,
}

impl World {
    fn new() -> Self {
        let game = Game::new(1);
        let view = View::of(&game);
        Self { game, start: view, last: None, now: view, thought: None }
    }

    // What is given.

    /// Lays the board of a data table.
    pub(crate) fn lay(&mut self, step: &gherkin::Step) {
        self.lay_board(table_board(step));
    }

    /// Lays the same line in all lanes toward an edge.
    pub(crate) fn lay_lanes(&mut self, line: &str, edge: Direction) {
        self.lay_board(paper::with_lanes(line, edge));
    }

    fn lay_board(&mut self, board: Board) {
        self.begin(paper::game_on(board));
    }

    /// Begins the game of a seed.
    pub(crate) fn begin_seed(&mut self, seed: u64) {
        self.begin(Game::new(seed));
    }

    fn begin(&mut self, game: Game) {
        self.now = View::of(&game);
        self.start = self.now;
        self.game = game;
    }

    // What is done.

    /// Slides the tiles; no new one comes.
    pub(crate) fn slide(&mut self, direction: Direction) {
        self.now = self.now.slid(direction);
    }

    /// Plays a move, as the player asks for it; one that changes nothing leaves everything as it is.
    pub(crate) fn play(&mut self, direction: Direction) {
        self.last = Some((self.now, direction));
        let refused = self.game.play(direction).is_err();
        assert_eq!(refused, self.now.board.slide(direction).is_none());
        self.now = View::of(&self.game);
    }

    /// Plays `count` open moves.
    pub(crate) fn play_many(&mut self, count: u32) {
        paper::play_on(&mut self.game, count);
        self.now = View::of(&self.game);
    }

    /// Begins another game.
    pub(crate) fn new_game(&mut self) {
        self.begin(Game::new(2));
    }

    /// Asks a player for a move that nobody plays; `millis` is its time, if that is limited.
    pub(crate) fn ask(&mut self, player: &str, millis: Option<u64>) {
        self.thought = Some(Thought::of(player, &self.game, millis.map(Duration::from_millis)));
        self.now = View::of(&self.game);
    }

    /// Lets a player play on until the game is over.
    pub(crate) fn play_out(&mut self, player: &str) {
        thought::play_out(player, &mut self.game);
        self.now = View::of(&self.game);
    }

    // What is checked.

    /// The board is the one of the data table.
    pub(crate) fn check_board(&self, step: &gherkin::Step) {
        assert_eq!(self.now.board, table_board(step));
    }

    /// Each lane toward the edge reads as `line`.
    pub(crate) fn check_lanes(&self, edge: Direction, line: &str) {
        assert_eq!(paper::lanes(&self.now.board, edge), [line; 4]);
    }

    /// The score is `score`, or more than that.
    pub(crate) fn check_score(&self, score: u64, more: bool) {
        assert_eq!(
            self.now.score.cmp(&score),
            if more { Ordering::Greater } else { Ordering::Equal }
        );
    }

    /// Board, score, merges and moves are what they were when the scenario began.
    pub(crate) fn check_unchanged(&self) {
        assert_eq!(self.now, self.start);
    }

    /// The open moves are those of the list, in its order.
    pub(crate) fn check_open(&self, list: &str) {
        let open: Vec<_> = self.now.board.legal().iter().map(Direction::name).collect();
        let open = if open.is_empty() { "none".to_owned() } else { open.join(", ") };
        assert_eq!(open, list);
    }

    /// So many squares are taken.
    pub(crate) fn check_tiles(&self, count: usize) {
        assert_eq!(16 - self.now.board.empty_count(), count, "{}", self.now.board);
    }

    /// After the slide of the last move so many tiles have come, each a 2 or a 4 on an empty square.
    pub(crate) fn check_new_tiles(&self, count: usize) {
        let (before, direction) = self.last.expect("a move was asked for");
        let slid = before.slid(direction).board;
        let came: Vec<_> = engine::Cell::all()
            .filter(|&cell| slid.get(cell) != self.now.board.get(cell))
            .map(|cell| (slid.get(cell), self.now.board.get(cell).map(engine::Tile::value)))
            .collect();
        assert!(came.iter().all(|tile| matches!(tile, (None, Some(2 | 4)))), "{came:?}");
        assert_eq!(came.len(), count);
    }

    /// So many moves count.
    pub(crate) fn check_moves(&self, count: u32) {
        assert_eq!(self.now.moves, count);
    }

    /// The game is over, or it is not.
    pub(crate) fn check_over(&self, over: bool) {
        assert_eq!(self.now.board.is_over(), over);
    }

    /// The moves so far, played from `seed`, lead to the same board, or they do not.
    pub(crate) fn check_replay(&self, seed: u64, same: bool) {
        let again = Game::replay(seed, self.game.start(), self.game.directions());
        assert_eq!(again.is_ok_and(|again| again.board() == self.game.board()), same);
    }

    /// The board and the seven that turning and mirroring make of it open and score the same moves, turned alike.
    pub(crate) fn check_symmetries(&self) {
        let outcomes = self.now.board.symmetries().map(|board| {
            let slides = Direction::ALL.into_iter().filter_map(|d| board.slide(d));
            // The smallest of a board's symmetries stands for all of them.
            let same = |board: Board| board.symmetries().map(|b| b.values()).into_iter().min();
            slides.map(|slide| (same(slide.board), slide.gained)).collect::<BTreeSet<_>>()
        });
        assert!(outcomes[0].len() == 4, "the four moves of the board should differ");
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]));
    }

    /// Of `count` spawns one in ten is a 4, give or take one in a hundred.
    pub(crate) fn check_fours(count: u64) {
        let fours = paper::fours_in(count) as f64 / count as f64;
        assert!((0.09..=0.11).contains(&fours), "{fours} of the new tiles are a 4");
    }

    /// Every empty square gets a tile in some game, and no other does.
    pub(crate) fn check_squares(&self) {
        assert_eq!(paper::squares_reached(&self.now.board), self.now.board.empty_count());
    }
}

impl World {
    /// The answer of the player that was asked.
    fn thought(&self) -> &Thought {
        self.thought.as_ref().expect("a player was asked")
    }

    /// The player named this direction, "none", or any that is open.
    pub(crate) fn check_choice(&self, choice: &str) {
        if choice == "an open move" {
            assert!(self.thought().is_open(), "{:?}", self.thought());
        } else {
            let chosen = self.thought().decision.direction.map_or("none", Direction::name);
            assert_eq!(chosen, choice);
        }
    }

    /// What the player says contains these words.
    pub(crate) fn check_words(&self, words: &str) {
        let said = self.thought().words();
        assert!(said.contains(words), "it said \"{said}\"");
    }

    /// The player gives shares of this kind, or none.
    pub(crate) fn check_shares(&self, kind: &str) {
        let shares = self.thought().shares();
        if kind == "no shares" {
            assert_eq!(shares, None);
            return;
        }
        let shares = shares.expect("it gives shares");
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
        let even = shares.iter().all(|share| (share - shares[0]).abs() < 1e-9);
        assert!(even || kind != "even shares", "{shares:?}");
    }

    /// Asked once more, the player decides in every detail the same.
    pub(crate) fn check_same_again(&self) {
        assert_eq!(self.thought().again().decision, self.thought().decision);
    }

    /// The player thought until its time was up, and stopped then.
    pub(crate) fn check_time(&self) {
        let (used, had) = (self.thought().elapsed, self.thought().budget());
        assert!(used >= had && used <= had + Duration::from_millis(2), "{used:?} of {had:?}");
    }

    /// In `count` choices the player picks the open moves alike, give or take a tenth, and no other.
    pub(crate) fn check_picks(&self, player: &str, count: u64) {
        let picks = thought::picks(player, &self.game, count);
        let open = self.now.board.legal();
        let even = count / open.len() as u64;
        for direction in Direction::ALL {
            let expected = if open.contains(direction) { even } else { 0 };
            assert!(picks[direction.index()].abs_diff(expected) <= expected / 10, "{picks:?}");
        }
    }
}

/// Reads the board of a data table: four rows of four, a dot for an empty square.
fn table_board(step: &gherkin::Step) -> Board {
    let table = step.table.as_ref().expect("the step has a board");
    assert!(
        table.rows.len() == 4 && table.rows.iter().all(|row| row.len() == 4),
        "not four by four"
    );
    table.rows.concat().join(" ").parse().expect("the board can be read")
}
