//! The state of one scenario and everything that its steps can do and check.

mod around;

use std::{cmp::Ordering, collections::BTreeSet, time::Duration};

use cucumber::gherkin;
use engine::{Board, Direction, Game, Start};
use serde_json::json;

use crate::{
    model::{Model, Reply},
    paper::{self, View},
    server::{KEY, Server},
    table::Table,
    thought::{self, Thought},
};

/// One scenario: a game, on paper or on a server, and what it looked like before.
#[derive(Debug, cucumber::World)]
#[world(init = Self::new)]
pub(crate) struct World {
    /// The game on paper, while there is no server.
    paper: Game,
    /// The game on a server, with everybody around it.
    table: Option<Table>,
    /// How the game looked when the scenario had set it up.
    start: View,
    now: View,
    /// How it looked before the last move, and which move that was.
    last: Option<(View, Direction)>,
    /// The moves that changed the board since the game began.
    played: Vec<Direction>,
    /// The moves of the game before.
    before: Vec<Direction>,
    /// What a player answered on paper.
    thought: Option<Thought>,
}

/// The seed of a game on paper, or on a board that is laid, where the scenario names none.
pub(crate) const SEED: u64 = 2048;

impl World {
    fn new() -> Self {
        let paper = Game::new(SEED);
        let view = View::of(&paper);
        let (table, last, thought) = (None, None, None);
        let (played, before) = (Vec::new(), Vec::new());
        Self { paper, table, start: view, now: view, last, played, before, thought }
    }

    /// Ends what the scenario began outside this program.
    pub(crate) async fn close(&mut self) {
        if let Some(table) = &mut self.table {
            table.close().await;
        }
    }

    fn table(&mut self) -> &mut Table {
        self.table.as_mut().expect("the scenario has a server")
    }

    /// Sees how the game looks now.
    fn look(&mut self) {
        self.now = match &self.table {
            Some(table) => table.view(),
            None => View::of(&self.paper),
        };
    }

    /// Sees how the game looks now that another one has begun.
    fn begin(&mut self) {
        self.look();
        self.start = self.now;
        self.before = std::mem::take(&mut self.played);
    }

    // What is given.

    /// Goes to a server, one that keeps its games or one that does not.
    pub(crate) async fn go_to_server(&mut self, keeps: bool) {
        let server = if keeps { Server::on_disk().await } else { Server::in_memory().await };
        self.table = Some(Table::at(server).await);
        self.begin();
    }

    /// Goes to a server with a model that does as the words say.
    pub(crate) async fn go_to_model(&mut self, does: &str) {
        let (does, times) = asked_at_most(does);
        let model = Model::start([reply(does)]).await;
        self.table = Some(Table::with_model(model, times).await);
        self.begin();
    }

    /// Lays the board of a data table.
    pub(crate) async fn lay(&mut self, step: &gherkin::Step) {
        self.lay_board(table_board(step)).await;
    }

    /// Lays the same line in all lanes toward an edge.
    pub(crate) async fn lay_lanes(&mut self, line: &str, edge: Direction) {
        self.lay_board(paper::with_lanes(line, edge)).await;
    }

    async fn lay_board(&mut self, board: Board) {
        match &mut self.table {
            Some(table) => table.lay(&board).await,
            None => self.paper = Game::begin(SEED, Start::Custom(board)),
        }
        self.begin();
    }

    /// Begins the game of a seed.
    pub(crate) async fn begin_seed(&mut self, seed: u64) {
        match &mut self.table {
            Some(table) => table.begin_seed(Some(seed)).await,
            None => self.paper = Game::new(seed),
        }
        self.begin();
    }

    /// Lets so many more people or browser tabs watch.
    pub(crate) async fn seat(&mut self, count: usize, tabs: bool) {
        if tabs {
            self.table().open_tabs(count).await;
        } else {
            self.table().seat_people(count).await;
        }
    }

    // What is done.

    /// Slides the tiles; no new one comes.
    pub(crate) fn slide(&mut self, direction: Direction) {
        self.now = self.now.slid(direction);
    }

    /// Asks for a move; one that changes nothing leaves everything as it is.
    pub(crate) async fn play(&mut self, word: &str) {
        let (before, direction) = (self.now, word.parse().ok());
        self.last = direction.map(|direction| (before, direction));
        match (&mut self.table, direction) {
            (Some(table), _) => table.play(word).await,
            (None, direction) => {
                let direction = direction.expect("on paper only directions are played");
                let refused = self.paper.play(direction).is_err();
                assert_eq!(refused, !before.open.contains(direction));
            }
        }
        self.look();
        if self.now.moves != before.moves {
            self.played.extend(direction);
        }
    }

    /// Plays `count` open moves, going round the directions so that all of them are used.
    pub(crate) async fn play_many(&mut self, count: usize) {
        for number in 0..count {
            let mut turn = (0..4).filter_map(|i| Direction::from_index((number + i) % 4));
            let open = turn.find(|&direction| self.now.open.contains(direction));
            self.play(open.expect("the game goes on for so long").name()).await;
        }
    }

    /// Begins another game.
    pub(crate) async fn new_game(&mut self) {
        match &mut self.table {
            Some(table) => table.begin_seed(None).await,
            None => self.paper = Game::new(SEED + 1),
        }
        self.begin();
    }

    /// Asks a player for a move that nobody plays; `millis` is its time, if that is limited.
    pub(crate) fn ask(&mut self, player: &str, millis: Option<u64>) {
        self.thought = Some(Thought::of(player, &self.paper, millis.map(Duration::from_millis)));
        self.look();
    }

    /// Lets a player play on until the game is over.
    pub(crate) async fn play_out(&mut self, player: &str) {
        match &mut self.table {
            Some(table) => {
                table.hand(player, false).await;
                table.watch_the_end().await;
            }
            None => thought::play_out(player, &mut self.paper),
        }
        self.look();
    }

    /// Hands the game to a player of the server, or to nobody: then it is taken back.
    pub(crate) async fn hand(&mut self, player: &str, slowly: bool) {
        if player.is_empty() {
            self.table().take_back().await;
        } else {
            self.table().hand(player, slowly).await;
        }
        self.look();
    }

    /// Watches until `count` more moves have been played.
    pub(crate) async fn watch(&mut self, count: u32) {
        self.table().watch(count).await;
        self.look();
    }

    /// Kills the server and starts it again; whatever changes from here on is compared with the game before.
    pub(crate) async fn kill_and_start(&mut self) {
        self.start = self.now;
        self.table().kill_and_start().await;
        self.look();
    }

    /// Sends the last move once more.
    pub(crate) async fn play_again(&mut self) {
        self.table().play_again().await;
        self.look();
    }

    /// Presses a key in one of the browser's tabs.
    pub(crate) async fn press(&mut self, key: &str) {
        self.table().press(key).await;
        self.look();
    }

    /// One of those who watch leaves, or comes back.
    pub(crate) async fn come_or_go(&mut self, comes: bool) {
        if comes {
            self.table().come_back().await;
        } else {
            self.table().leave();
        }
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
        let open: Vec<_> = self.now.open.iter().map(Direction::name).collect();
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

    /// So many moves count; those that were made in a screen are waited for.
    pub(crate) async fn check_moves(&mut self, count: u32) {
        if let Some(table) = &mut self.table {
            table.until_moves(count).await;
            self.look();
        }
        assert_eq!(self.now.moves, count);
    }

    /// The game is over, or it is not.
    pub(crate) fn check_over(&self, over: bool) {
        assert_eq!(self.now.over, over);
    }

    /// The moves so far, played from `seed`, lead to the same board, or they do not.
    pub(crate) fn check_replay(&self, seed: u64, same: bool) {
        // On a server only games from a seed are played again.
        let begun = if self.table.is_some() { Start::Seeded } else { self.paper.start() };
        let again = Game::replay(seed, begun, &self.played);
        assert_eq!(again.is_ok_and(|again| *again.board() == self.now.board), same);
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
    /// Lets a player play so many games, one after the other.
    pub(crate) async fn play_games(&mut self, player: &str, count: u32) {
        self.table().play_games(player, count).await;
        self.look();
    }

    /// Copies the game as it is, changes one move of the copy or none, and brings it back.
    pub(crate) async fn copy(&mut self, change: Option<usize>) {
        self.table().copy(change).await;
    }

    /// Looks back at a move of this game, or of the one before.
    pub(crate) async fn look_back(&mut self, number: u32, before: bool) {
        self.table().look_back(number, before).await;
    }

    /// The archive has so many games of a player, or that stand so; empty words are any.
    pub(crate) async fn check_archive(&mut self, count: usize, player: &str, status: &str) {
        let found = self.table().games(player, status).await;
        assert_eq!(found.len(), count, "{found:#?}");
    }

    /// The position that is looked at is the one that the moves until then led to.
    pub(crate) fn check_past_board(&mut self) {
        let (seed, past, before) = self.table().past();
        let moves = if before { &self.before } else { &self.played };
        let replayed = Game::replay(seed, Start::Seeded, &moves[..past.moves as usize]);
        let replayed = replayed.expect("these moves were played");
        assert_eq!(past.grid, protocol::grid_of(replayed.board()));
        assert_eq!(past.score, replayed.score());
    }

    /// This player, or "human", made the move that is looked at.
    pub(crate) fn check_past_mover(&mut self, name: &str) {
        let (_, past, _) = self.table().past();
        assert_eq!(past.decision.map(|decision| decision.source).as_deref(), Some(name));
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

    /// What the player, or the server in refusal, says contains these words.
    pub(crate) fn check_words(&self, words: &str) {
        let said = match &self.table {
            Some(table) => table.said(),
            None => self.thought().words(),
        };
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
        let picks = thought::picks(player, &self.paper, count);
        let open = self.now.open;
        let even = count / open.len() as u64;
        for direction in Direction::ALL {
            let expected = if open.contains(direction) { even } else { 0 };
            assert!(picks[direction.index()].abs_diff(expected) <= expected / 10, "{picks:?}");
        }
    }

    /// This player, or "human", has the game, or made the last move.
    pub(crate) fn check_driver(&mut self, name: &str, mover: bool) {
        let table = self.table();
        let found = if mover { table.mover() } else { Some(table.driver()) };
        assert_eq!(found, Some(name));
    }

    /// The first players on offer, in the order of the list.
    pub(crate) fn check_players(&mut self, list: &str) {
        let players = self.table().players().join(", ");
        assert!(players.starts_with(list), "{players}");
    }

    /// The model was shown the board that the scenario laid.
    pub(crate) fn check_shown(&mut self) {
        let start = self.start;
        self.table().check_shown(&start);
    }

    /// The transcript has these words.
    pub(crate) async fn check_transcript(&mut self, words: &str) {
        self.table().check_transcript(words).await;
    }

    /// The key is in nothing that anybody sees.
    pub(crate) fn check_key_hidden(&mut self) {
        self.table().check_key_hidden();
    }

    /// Everybody watching sees the game as the server has it.
    pub(crate) async fn check_seen(&mut self) {
        self.table().check_seen().await;
        self.look();
    }

    /// Everybody watching knows how many they are.
    pub(crate) async fn check_watchers(&mut self, count: u32) {
        self.table().check_watchers(count).await;
    }
}

/// What the model does, and how often it may be asked to, if that is told.
fn asked_at_most(does: &str) -> (&str, Option<u32>) {
    let told = does.strip_prefix("may be asked ").and_then(|rest| rest.strip_suffix(" times"));
    told.map_or((does, None), |times| ("answers", Some(times.parse().expect("a number"))))
}

/// What the model says to everything, in the words of the scenarios.
fn reply(does: &str) -> Reply {
    let choice = |choice: &str, confidence: f64| {
        Reply::good(&json!({
            "model": "stand-in",
            "answers": { "move": { "type": "choice", "choice": choice, "confidence": confidence } },
        }))
    };
    match does {
        "answers" => Reply::Legal(0, 0.7),
        "doubts" => Reply::Legal(0, 0.02),
        "names a move that is not one" => choice("SIDEWAYS", 0.9),
        "says nothing" => Reply::Silence,
        "quotes the key" => Reply::error(401, &json!({ "detail": format!("{KEY} is not known") })),
        _ => panic!("no model {does}"),
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
