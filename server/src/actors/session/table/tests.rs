use store::{StoredGame, StoredSession};

use super::*;

fn table() -> Table {
    let game = StoredGame {
        id: GameId::new("g1"),
        seed: 7,
        seed_shown: false,
        start: Start::Seeded,
        directions: Vec::new(),
    };
    let stored = StoredSession {
        id: SessionId::new("main"),
        name: None,
        control: None,
        created: store::UnixMillis(0),
        head: first_head(game.id.clone(), "rules"),
        game,
        commands: Vec::new(),
    };
    Table::restore(stored, Arc::new(Roster::built_in(1))).unwrap()
}

fn request(player: Option<&str>) -> StartAgent {
    let player = player.map(str::to_owned);
    StartAgent { player, interval: None, pace: None, budget: None, series: None, command: None }
}

fn legal(table: &Table) -> Direction {
    table.game.board().legal().first().unwrap()
}

/// A direction that changes nothing, reached by playing LEFT and UP until one of them does not.
fn stuck(table: &mut Table) -> Direction {
    loop {
        for direction in [Direction::Left, Direction::Up] {
            if !table.game.board().legal().contains(direction) {
                return direction;
            }
            human(table, direction, false).unwrap();
        }
    }
}

fn human(table: &mut Table, direction: Direction, takeover: bool) -> Result<Effect, Objection> {
    table.human_move(direction, &Expected::default(), takeover)
}

fn by(player: &str, direction: Direction) -> StoredDecision {
    StoredDecision::bare(Some(direction), player)
}

#[test]
fn every_change_counts_once() {
    let mut table = table();
    table.start_agent(&request(None)).unwrap();
    assert_eq!(table.seq, 1);
    let direction = legal(&table);
    let effect = human(&mut table, direction, true).unwrap();
    // The hand-over and the move are one change.
    assert_eq!((table.seq, effect.changes.len(), table.agent.running), (2, 2, false));
    assert_eq!(
        table.driver,
        Driver { kind: DriverKind::Human, name: "human".to_owned(), since_move: 0 }
    );
    assert!(table.transition.is_some());
}

#[test]
fn a_no_op_changes_nothing_and_keeps_the_decision() {
    let mut table = table();
    let direction = stuck(&mut table);
    let before = (table.seq, table.decision.clone(), table.transition.clone());
    let effect = human(&mut table, direction, false).unwrap();
    assert!(!effect.acted && !effect.changed);
    assert_eq!((table.seq, table.decision.clone(), table.transition.clone()), before);
}

#[test]
fn a_takeover_by_a_no_op_stops_the_agent_all_the_same() {
    let mut table = table();
    let direction = stuck(&mut table);
    table.start_agent(&request(None)).unwrap();
    let seq = table.seq;
    let effect = human(&mut table, direction, true).unwrap();
    assert!(!effect.acted && effect.changed);
    assert_eq!(
        (table.seq, table.agent.running, table.transition.is_none()),
        (seq + 1, false, true)
    );
}

#[test]
fn a_plain_move_by_hand_leaves_the_agent_driving() {
    let mut table = table();
    table.start_agent(&request(None)).unwrap();
    let direction = legal(&table);
    let turn = table.turn();
    assert!(human(&mut table, direction, false).unwrap().acted);
    assert!(table.agent.running);
    assert_eq!(table.driver.name, "rules");
    let direction = legal(&table);
    assert!(table.agent_move(&turn.ticket, by("rules", direction)).is_none(), "its turn is over");
}

#[test]
fn a_stale_decision_is_never_played() {
    let commands: [fn(&mut Table); 5] = [
        |table| drop(table.stop_agent()),
        |table| drop(table.start_game(GameId::new("g2"), 1, false, None)),
        |table| drop(table.start_agent(&request(Some("random"))).unwrap()),
        |table| drop(human(table, legal(table), true).unwrap()),
        |table| drop(human(table, legal(table), false).unwrap()),
    ];
    for command in commands {
        let mut table = table();
        table.start_agent(&request(None)).unwrap();
        let turn = table.turn();
        command(&mut table);
        let (seq, board) = (table.seq, *table.game.board());
        let direction = legal(&table);
        assert!(table.agent_move(&turn.ticket, by("rules", direction)).is_none());
        assert_eq!((table.seq, *table.game.board()), (seq, board));
    }
}

#[test]
fn a_stale_client_is_told_what_differs() {
    let mut table = table();
    let direction = legal(&table);
    let expected = Expected { moves: Some(3), game: None };
    let objection = table.human_move(direction, &expected, false).unwrap_err();
    assert_eq!(objection, Objection::Stale("the game is at move 0, not 3".to_owned()));
    let expected = Expected { moves: Some(0), game: Some("another") };
    assert!(matches!(table.human_move(direction, &expected, true), Err(Objection::Stale(_))));
    assert_eq!(table.seq, 0);
}

#[test]
fn an_unknown_player_leaves_the_running_one_as_it_was() {
    let mut table = table();
    table.start_agent(&request(None)).unwrap();
    let before = (table.seq, table.agent.clone());
    let objection = table.start_agent(&request(Some("deep blue"))).unwrap_err();
    assert!(
        matches!(objection, Objection::Invalid(text) if text.starts_with("deep blue is not one of mcts"))
    );
    assert_eq!((table.seq, table.agent.clone()), before);
}

#[test]
fn starting_again_takes_over_settings_without_starting() {
    let mut table = table();
    assert!(table.start_agent(&request(None)).unwrap().acted);
    let effect = table.start_agent(&request(Some("random"))).unwrap();
    assert!(!effect.acted && effect.changed);
    assert_eq!(table.driver.name, "random");
    let same = table.start_agent(&request(Some("random"))).unwrap();
    assert!(!same.acted && !same.changed);
}

#[test]
fn game_over_stops_the_agent_in_the_same_change() {
    let mut table = table();
    // Two squares from the end: LEFT merges, and whatever spawns, the board is full of unlike tiles or not.
    let nearly: Board = "4 8 16 32 8 16 32 64 16 32 64 128 . 64 128 256".parse().unwrap();
    table.start_game(GameId::new("g2"), 5, true, Some(nearly));
    table.start_agent(&request(None)).unwrap();
    let seq = table.seq;
    let turn = table.turn();
    table.agent_move(&turn.ticket, by("rules", Direction::Left)).unwrap();
    assert_eq!(table.seq, seq + 1);
    assert!(table.game.board().is_over());
    assert!(!table.agent.running);
    assert_eq!(table.driver.name, "rules", "game over does not change the driver");
    assert!(!table.start_agent(&request(None)).unwrap().acted, "nothing starts on a dead board");
}

#[test]
fn a_new_game_keeps_the_agent_going_and_its_driver_from_move_0() {
    let mut table = table();
    table.start_agent(&request(None)).unwrap();
    let turn = table.turn();
    let direction = legal(&table);
    table.agent_move(&turn.ticket, by("rules", direction)).unwrap();
    table.start_game(GameId::new("g2"), 1, false, None);
    assert!(table.agent.running);
    assert_eq!(
        table.driver,
        Driver { kind: DriverKind::Player, name: "rules".to_owned(), since_move: 0 }
    );
    assert_eq!(table.decision, None);
}

#[test]
fn custom_starts_stay_out_of_best() {
    let mut table = table();
    let board: Board = "2048 2048 . . . . . . . . . . . . . .".parse().unwrap();
    table.start_game(GameId::new("g2"), 5, true, Some(board));
    human(&mut table, Direction::Left, false).unwrap();
    assert_eq!((table.game.score(), table.best), (4096, 0));
}

#[test]
fn going_back_restores_the_durable_position() {
    let mut table = table();
    let direction = legal(&table);
    human(&mut table, direction, false).unwrap();
    let (checkpoint, head, game) = (table.checkpoint(), table.head(), table.game.clone());
    let transition = table.transition.clone();
    let direction = legal(&table);
    human(&mut table, direction, false).unwrap();
    let filed = table.start_game(GameId::new("g2"), 9, true, None).filed;
    table.go_back(&checkpoint, filed);
    assert_eq!((table.head(), &table.game, &table.transition), (head, &game, &transition));
}

#[test]
fn a_restored_session_shows_the_same_state() {
    let mut table = table();
    table.start_agent(&request(None)).unwrap();
    for _ in 0..20 {
        let (turn, direction) = (table.turn(), legal(&table));
        table.agent_move(&turn.ticket, by("rules", direction)).unwrap();
    }
    let published = Published { epoch: "e".to_owned(), boot: "b".to_owned() };
    let stored = StoredSession {
        id: table.session.clone(),
        name: None,
        control: None,
        created: store::UnixMillis(0),
        head: table.head(),
        game: StoredGame {
            id: table.game_id.clone(),
            seed: 7,
            seed_shown: false,
            start: Start::Seeded,
            directions: table.game.directions().to_vec(),
        },
        commands: Vec::new(),
    };
    let restored = Table::restore(stored, Arc::clone(&table.roster)).unwrap();
    assert_eq!(restored.state(&published, 0), table.state(&published, 0));
}

#[test]
fn a_failed_agent_is_shown_as_stopped() {
    let mut table = table();
    table.start_agent(&request(None)).unwrap();
    let run = table.turn().ticket.run;
    assert!(table.agent_failed(run + 1, "Panic: no").is_none());
    table.agent_failed(run, "Panic: no").unwrap();
    let decision = table.decision.as_ref().unwrap();
    assert_eq!(decision.reason.as_deref(), Some("agent stopped: Panic: no"));
    assert_eq!(
        (decision.source.as_str(), decision.direction, table.agent.running),
        ("fallback", None, false)
    );
}

/// Lets the agent play the first legal direction until it is not its turn any more, or the game is over.
fn play_out(table: &mut Table) {
    while table.agent.running && !table.is_between_games() {
        let (turn, direction) = (table.turn(), legal(table));
        table.agent_move(&turn.ticket, by("rules", direction)).unwrap();
    }
}

fn series(games: Option<u32>, until_tile: Option<u32>) -> StartAgent {
    StartAgent { series: Some(Series { games, until_tile, played: 0 }), ..request(None) }
}

#[test]
fn a_series_goes_on_until_its_last_game() {
    let mut table = table();
    table.start_agent(&series(Some(2), None)).unwrap();
    play_out(&mut table);
    let run = table.turn().ticket.run;
    assert!(table.is_between_games() && table.agent.running);
    assert!(table.next_game(run - 1, GameId::new("stale"), 8).is_none());
    let seq = table.seq;
    let effect = table.next_game(run, GameId::new("g2"), 8).unwrap();
    assert!(effect.changed && table.agent.running);
    assert_eq!(
        (table.seq, table.game.moves(), table.driver.kind),
        (seq + 1, 0, DriverKind::Player)
    );
    play_out(&mut table);
    assert!(!table.agent.running && table.game.board().is_over());
    assert_eq!(table.agent.series.unwrap().played, 2);
    // Whoever starts it again without a word about a series gets one game.
    table.start_game(GameId::new("g3"), 9, false, None);
    table.start_agent(&request(None)).unwrap();
    assert_eq!(table.agent.series, None);
}

#[test]
fn a_series_ends_with_the_tile_that_it_is_for() {
    let mut table = table();
    table.start_agent(&series(None, Some(8))).unwrap();
    play_out(&mut table);
    assert!(!table.agent.running && !table.game.board().is_over());
    assert_eq!(table.game.max_tile().map(Tile::value), Some(8));
    assert_eq!(
        (table.driver.kind, table.driver.since_move),
        (DriverKind::Human, table.game.moves())
    );
}

#[test]
fn a_series_is_stopped_between_two_games() {
    let mut table = table();
    table.start_agent(&series(None, None)).unwrap();
    play_out(&mut table);
    let run = table.turn().ticket.run;
    assert!(table.stop_agent().acted);
    assert!(table.next_game(run, GameId::new("g2"), 8).is_none());
}

#[test]
fn best_scores_are_kept_by_who_chose_the_moves() {
    let mut table = table();
    let direction = legal(&table);
    human(&mut table, direction, false).unwrap();
    table.start_agent(&request(None)).unwrap();
    play_out(&mut table);
    let mixed = table.game.score();
    assert_eq!(table.bests(), Best { mixed, ..Best::default() });
    table.start_game(GameId::new("g2"), 8, false, None);
    table.start_agent(&request(None)).unwrap();
    play_out(&mut table);
    let ai = table.game.score();
    assert_eq!(table.bests(), Best { mixed, ai, human: 0 });
    let custom = "1024 1024 . . . . . . . . . . . . . .".parse().unwrap();
    table.start_game(GameId::new("g3"), 9, false, Some(custom));
    human(&mut table, Direction::Left, false).unwrap();
    assert_eq!(table.bests(), Best { mixed, ai, human: 0 }, "a custom start is kept out");
}
