//! Games looked back at, and games from elsewhere.

use std::sync::Arc;

use engine::{Game, Start};

use super::Table;
use crate::{
    Best, Class, DriverKind, ErrorKind, GameId, GameQuery, GameRecord, ImportedGame, Numbers,
    SessionId, Sort, Status, Store, Stretch, UnixMillis,
};

async fn record(store: &Arc<dyn Store>, id: &str) -> GameRecord {
    store.record(&GameId::new(id)).await.unwrap().unwrap()
}

/// All games that `query` finds, taken in pages of its limit.
async fn ids(store: &Arc<dyn Store>, mut query: GameQuery) -> Vec<String> {
    let mut all = Vec::new();
    loop {
        let page = store.games(query.clone()).await.unwrap();
        assert!(page.items.len() <= query.limit);
        all.extend(page.items.iter().map(|record| record.id.to_string()));
        query.cursor = page.next;
        if query.cursor.is_none() {
            return all;
        }
        assert_eq!(page.items.len(), query.limit, "only the last page may be short");
    }
}

fn all() -> GameQuery {
    GameQuery { limit: 100, ..GameQuery::default() }
}

/// A game that is over after one move, to the left.
fn nearly_over() -> Game {
    let board = "2 2 8 16 32 64 128 256 2 8 16 32 64 128 256 512".parse().unwrap();
    Game::begin(1, Start::Custom(board))
}

pub(super) async fn new_game_files_the_old_one(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    table.play_on(100, "human");
    table.save(&store).await;
    let (first, numbers) = (table.game.clone(), table.numbers());
    table.begin("a-2", Game::new(8));
    table.save(&store).await;
    table.check(&store).await;

    let filed = record(&store, "a-1").await;
    assert_eq!((filed.status, filed.numbers), (Status::Abandoned, numbers));
    assert_eq!((filed.started, filed.ended), (UnixMillis(1_000), Some(UnixMillis(table.now))));
    assert_eq!((filed.seed, filed.seed_shown, filed.start), (3, false, Start::Seeded));
    let stored = store.game(&filed.id).await.unwrap().unwrap();
    assert_eq!(Game::replay(3, Start::Seeded, &stored.directions), Ok(first));

    let running = record(&store, "a-2").await;
    assert_eq!((running.status, running.ended), (Status::Running, None));
    assert_eq!(running.started, UnixMillis(table.now));
}

pub(super) async fn game_without_a_move_is_left_out(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    table.begin("a-2", Game::new(8));
    table.save(&store).await;
    assert_eq!(store.record(&GameId::new("a-1")).await.unwrap(), None);
    assert_eq!(store.game(&GameId::new("a-1")).await.unwrap(), None);
    table.check(&store).await;
    store.close(&table.id, UnixMillis(9)).await.unwrap();
    assert_eq!(ids(&store, all()).await, [""; 0]);
}

pub(super) async fn several_games_in_one_append(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    let mut games = Vec::new();
    for number in 2..6 {
        table.play_on(number * 40, "mcts");
        games.push((format!("a-{}", number - 1), table.game.clone(), table.numbers()));
        table.begin(&format!("a-{number}"), Game::new(number as u64));
    }
    table.play_on(70, "mcts");
    table.save(&store).await;
    table.check(&store).await;
    for (id, game, numbers) in games {
        let stored = store.game(&GameId::new(id.as_str())).await.unwrap().unwrap();
        assert_eq!(stored.directions, game.directions());
        assert_eq!(record(&store, &id).await.numbers, numbers);
    }
}

pub(super) async fn game_over_ends_when_it_happens(store: Arc<dyn Store>) {
    let mut table = Table::with_game("a", nearly_over());
    table.create(&store).await;
    assert_eq!(record(&store, "a-1").await.status, Status::Running);
    table.play_on(9, "human");
    assert!(table.game.board().is_over());
    table.save(&store).await;
    let ended = Some(UnixMillis(table.now));
    let over = record(&store, "a-1").await;
    assert_eq!((over.status, over.ended), (Status::Over, ended));

    // Settings may change after that; the game ended when it ended.
    table.head.seq += 1;
    table.head.agent.player = "flat".into();
    table.save(&store).await;
    assert_eq!(record(&store, "a-1").await.ended, ended);
    table.begin("a-2", Game::new(1));
    table.save(&store).await;
    let over = record(&store, "a-1").await;
    assert_eq!((over.status, over.ended), (Status::Over, ended));

    // A game that is over at its start has no move, and is left out like any other.
    table.begin("a-3", table_over());
    table.save(&store).await;
    assert_eq!(record(&store, "a-3").await.status, Status::Over);
}

fn table_over() -> Game {
    let board = "2 4 8 16 4 8 16 32 8 16 32 64 16 32 64 128".parse().unwrap();
    Game::begin(1, Start::Custom(board))
}

pub(super) async fn drivers_are_kept_as_stretches(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    table.play_on(10, "human");
    table.drive(DriverKind::Player, "mcts", "started");
    table.save(&store).await;
    table.play_on(90, "mcts");
    table.save(&store).await;
    table.drive(DriverKind::Human, "human", "takeover");
    table.drive(DriverKind::Bot, "robo", "joined");
    table.play_on(1, "bot:robo");
    table.save(&store).await;
    let stretch = |kind, name: &str, from, to, why: Option<&str>| Stretch {
        kind,
        name: name.to_owned(),
        from,
        to,
        why: why.map(str::to_owned),
    };
    let expected = [
        stretch(DriverKind::Human, "human", 1, 10, None),
        stretch(DriverKind::Player, "mcts", 11, 100, Some("started")),
        stretch(DriverKind::Bot, "robo", 101, 101, Some("joined")),
    ];
    assert_eq!(record(&store, "a-1").await.drivers, expected);

    // The driver goes on with a new game, unless it is said to change with it.
    table.begin("a-2", Game::new(4));
    table.play("bot:robo");
    table.begin("a-3", Game::new(5));
    table.drive(DriverKind::Human, "human", "new game");
    table.save(&store).await;
    assert_eq!(record(&store, "a-1").await.drivers, expected);
    let second = [stretch(DriverKind::Bot, "robo", 1, 1, None)];
    assert_eq!(record(&store, "a-2").await.drivers, second);
    let third = [stretch(DriverKind::Human, "human", 1, 0, Some("new game"))];
    assert_eq!(record(&store, "a-3").await.drivers, third);
}

pub(super) async fn class_is_by_who_chose_the_moves(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    assert_eq!(record(&store, "a-1").await.class, Class::Human, "by the driver, without a move");
    for (number, sources, class) in [
        (2, &["human"][..], Class::Human),
        (3, &["mcts", "fallback"], Class::Ai),
        (4, &["bot:robo"], Class::Ai),
        (5, &["mcts", "human"], Class::Mixed),
    ] {
        table.begin(&format!("a-{number}"), Game::new(number));
        for source in sources {
            table.play(source);
        }
        table.save(&store).await;
        let id = format!("a-{number}");
        assert_eq!(record(&store, &id).await.class, class, "{sources:?}, running");
        table.begin("a-x", Game::new(1));
        table.save(&store).await;
        assert_eq!(record(&store, &id).await.class, class, "{sources:?}, filed");
    }
}

pub(super) async fn any_part_of_a_games_moves_can_be_read(store: Arc<dyn Store>) {
    let mut table = Table::new("a", 12);
    table.create(&store).await;
    let sources = ["mcts", "human", "fallback"];
    let mut played = Vec::new();
    while played.len() < 2_100 {
        table.invent(1, sources[played.len() / 5 % 3]);
        let decision = table.head.decision.clone().unwrap();
        played.push((decision.direction, decision.source, decision.reason, decision.confidence));
        if played.len() % 90 == 0 {
            table.save(&store).await;
        }
    }
    table.save(&store).await;
    let count = played.len() as u32;
    let ranges = [
        (1, count),
        (1, 1),
        (count, count),
        (60, 70),
        (64, 64),
        (65, 65),
        (500, 599),
        (1_000, 1_050),
        (1, 2_048),
    ];
    let past = [(count, count + 50), (count + 1, count + 2), (0, 3), (5, 4), (0, u32::MAX)];
    for filed in [false, true] {
        for (from, to) in ranges.into_iter().chain(past) {
            let moves = store.moves(&GameId::new("a-1"), from, to).await.unwrap().unwrap();
            let (first, last) = (from.max(1) as usize - 1, to.min(count) as usize);
            let expected = played.get(first..last).unwrap_or_default();
            assert_eq!(moves.len(), expected.len(), "{from} to {to}");
            for (made, (direction, source, reason, confidence)) in moves.iter().zip(expected) {
                let decision = &made.decision;
                assert_eq!(decision.direction, *direction);
                assert_eq!((&decision.source, &decision.reason), (source, reason));
                assert_eq!(decision.direction, Some(made.direction.index() as u8));
                assert_eq!((&decision.detail, decision.probabilities), (&None, None));
                let rounded = confidence.map(|number| (number * 1e4).round() / 1e4);
                assert_eq!(decision.confidence, rounded, "to four decimals");
            }
        }
        if !filed {
            table.begin("a-2", Game::new(1));
            table.save(&store).await;
        }
    }
    assert_eq!(store.moves(&GameId::new("nothing"), 1, 9).await.unwrap(), None);
}

/// Three sessions with games of all kinds: `a` by hand, `b` by players, `c` closed, with an import.
async fn furnish(store: &Arc<dyn Store>) {
    for (name, source, kind, lengths) in [
        ("a", "human", DriverKind::Human, [30, 10, 50]),
        ("b", "mcts", DriverKind::Player, [20, 60, 5]),
        ("c", "flat", DriverKind::Player, [40, 8, 15]),
    ] {
        let mut table = Table::new(name, 3);
        table.now = 1_000 * i64::from(name.as_bytes()[0]);
        table.create(store).await;
        if kind != DriverKind::Human {
            table.drive(kind, source, "started");
        }
        for (number, length) in (2..).zip(lengths) {
            table.play_on(length, source);
            table.save(store).await;
            if number < 4 {
                table.begin(&format!("{name}-{number}"), Game::new(number));
                table.save(store).await;
            }
        }
    }
    let mut over = Table::with_game("d", nearly_over());
    over.create(store).await;
    over.play_on(9, "human");
    over.save(store).await;
    let import = imported("c-9", "c", 5, 25);
    store.import(import).await.unwrap();
    store.close(&SessionId::new("c"), UnixMillis(999_999)).await.unwrap();
}

pub(super) async fn lists_are_filtered(store: Arc<dyn Store>) {
    furnish(&store).await;
    let sorted = async |query| {
        let mut ids = ids(&store, query).await;
        ids.sort();
        ids.join(" ")
    };
    let everything = "a-1 a-2 a-3 b-1 b-2 b-3 c-1 c-2 c-3 c-9 d-1";
    let session = |id| Some(SessionId::new(id));
    let player = |name: &str| Some(name.to_owned());
    assert_eq!(sorted(all()).await, everything);
    for (status, expected) in [
        (Status::Running, "a-3 b-3"),
        (Status::Over, "d-1"),
        (Status::Abandoned, "a-1 a-2 b-1 b-2 c-1 c-2 c-3"),
        (Status::Imported, "c-9"),
    ] {
        assert_eq!(sorted(GameQuery { status: Some(status), ..all() }).await, expected);
    }
    assert_eq!(sorted(GameQuery { session: session("b"), ..all() }).await, "b-1 b-2 b-3");
    assert_eq!(sorted(GameQuery { session: session("c"), ..all() }).await, "c-1 c-2 c-3 c-9");
    assert_eq!(sorted(GameQuery { session: session("nobody"), ..all() }).await, "");
    assert_eq!(sorted(GameQuery { player: player("mcts"), ..all() }).await, "b-1 b-2 b-3");
    assert_eq!(sorted(GameQuery { player: player("nobody"), ..all() }).await, "");
    let both = GameQuery { session: session("c"), player: player("flat"), ..all() };
    assert_eq!(sorted(GameQuery { status: Some(Status::Running), ..both.clone() }).await, "");
    assert_eq!(sorted(both).await, "c-1 c-2 c-3");
}

pub(super) async fn lists_are_sorted_and_paged(store: Arc<dyn Store>) {
    furnish(&store).await;
    for sort in [Sort::Started, Sort::Score, Sort::MaxTile, Sort::Moves] {
        let page = store.games(GameQuery { sort, ..all() }).await.unwrap();
        assert_eq!((page.items.len(), page.next), (11, None));
        let keys: Vec<_> = page
            .items
            .iter()
            .map(|record| match sort {
                Sort::Started => record.started.0,
                Sort::Score => record.numbers.score.cast_signed(),
                Sort::MaxTile => record.numbers.max_tile.into(),
                Sort::Moves => record.numbers.moves.into(),
            })
            .collect();
        assert!(keys.is_sorted_by(|one, next| one >= next), "{sort:?}: {keys:?}");
        let whole: Vec<_> = page.items.iter().map(|record| record.id.to_string()).collect();
        for limit in [1, 2, 3, 10, 11] {
            let paged = ids(&store, GameQuery { sort, limit, ..all() }).await;
            assert_eq!(paged, whole, "{sort:?} in pages of {limit}");
        }
    }
    let last = ids(&store, GameQuery { limit: 2, ..all() }).await;
    assert_eq!(last[..4], ["c-9", "c-3", "c-2", "c-1"], "the newest first");
}

pub(super) async fn cursor_of_another_list_is_refused(store: Arc<dyn Store>) {
    furnish(&store).await;
    let page = store.games(GameQuery { limit: 2, ..all() }).await.unwrap();
    for cursor in [page.next.unwrap(), String::new(), "s".to_owned(), "s1.x".to_owned()] {
        let query = GameQuery { sort: Sort::Score, cursor: Some(cursor), ..all() };
        let error = store.games(query).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadCursor);
    }
}

pub(super) async fn best_scores_are_by_class_without_custom_and_imported_games(
    store: Arc<dyn Store>,
) {
    let id = SessionId::new("a");
    let best = async || store.best(&id).await.unwrap();
    assert_eq!(best().await, Best::default());
    let mut table = Table::new("a", 3);
    table.create(&store).await;
    let mut expected = Best::default();
    for (number, source) in (2..).zip(["human", "mcts", "human", "mcts", "both"]) {
        table.play_on(30 + number, if source == "both" { "human" } else { source });
        if source == "both" {
            table.play_on(9, "mcts");
        }
        table.save(&store).await;
        let class = match source {
            "human" => &mut expected.human,
            "mcts" => &mut expected.ai,
            _ => &mut expected.mixed,
        };
        *class = table.game.score().max(*class);
        assert_eq!(best().await, expected, "a running game counts");
        table.begin(&format!("a-{number}"), Game::new(number as u64));
        table.save(&store).await;
        assert_eq!(best().await, expected, "a filed game counts");
    }
    let board = "1024 1024 . . . . . . . . . . . . . .".parse().unwrap();
    table.begin("a-custom", Game::begin(1, Start::Custom(board)));
    table.play_on(50, "human");
    table.save(&store).await;
    assert_eq!(best().await, expected, "a custom start does not, running");
    table.begin("a-last", Game::new(1));
    table.save(&store).await;
    store.import(imported("a-import", "a", 77, 500)).await.unwrap();
    assert_eq!(best().await, expected, "nor filed, nor does an import");
    assert!(expected.human > 0 && expected.ai > 0 && expected.mixed > 0);
}

/// A game of `moves` moves from elsewhere: a person's first three, a player's others.
fn imported(id: &str, session: &str, seed: u64, moves: usize) -> ImportedGame {
    let mut played = Table::new("elsewhere", seed);
    played.play_on(moves, "human");
    let moves = played.game.moves();
    let stretch = |kind, name: &str, from, to| Stretch {
        kind,
        name: name.to_owned(),
        from,
        to,
        why: (from > 1).then(|| "started".to_owned()),
    };
    ImportedGame {
        id: GameId::new(id),
        session: SessionId::new(session),
        seed,
        start: Start::Seeded,
        directions: played.game.directions().to_vec(),
        numbers: played.numbers(),
        drivers: vec![
            stretch(DriverKind::Human, "human", 1, 3),
            stretch(DriverKind::Player, "ntuple", 4, moves),
        ],
        at: UnixMillis(500_000),
    }
}

pub(super) async fn imported_game_is_filed(store: Arc<dyn Store>) {
    let table = Table::new("a", 3);
    table.create(&store).await;
    let import = imported("i", "a", 12, 1_500);
    store.import(import.clone()).await.unwrap();
    let game = store.game(&import.id).await.unwrap().unwrap();
    assert_eq!((game.seed, game.start, &game.directions), (12, Start::Seeded, &import.directions));
    let filed = record(&store, "i").await;
    assert_eq!((filed.status, filed.class), (Status::Imported, Class::Mixed));
    assert_eq!((filed.numbers, &filed.drivers), (import.numbers, &import.drivers));
    assert_eq!((filed.started, filed.ended), (import.at, Some(import.at)));
    assert!(filed.seed_shown);
    let moves = store.moves(&import.id, 3, 4).await.unwrap().unwrap();
    let sources: Vec<_> = moves.iter().map(|made| made.decision.source.as_str()).collect();
    assert_eq!(sources, ["human", "ntuple"]);
    table.check(&store).await;
}

pub(super) async fn import_that_does_not_fit_is_refused(store: Arc<dyn Store>) {
    let table = Table::new("a", 3);
    table.create(&store).await;
    let good = imported("i", "a", 12, 50);
    let with = |change: fn(&mut ImportedGame)| {
        let mut import = good.clone();
        change(&mut import);
        import
    };
    for (import, kind) in [
        (with(|import| import.session = SessionId::new("nobody")), ErrorKind::NotFound),
        (with(|import| import.id = GameId::new("a-1")), ErrorKind::Exists),
        (with(|import| import.drivers[1].from += 1), ErrorKind::Invalid),
        (with(|import| import.drivers[1].to += 1), ErrorKind::Invalid),
        (with(|import| import.drivers.clear()), ErrorKind::Invalid),
        (with(|import| import.numbers.moves -= 1), ErrorKind::Invalid),
    ] {
        assert_eq!(store.import(import).await.unwrap_err().kind, kind);
    }
    assert_eq!(ids(&store, all()).await, ["a-1"]);
    store.import(good).await.unwrap();
    assert_eq!(ids(&store, all()).await, ["i", "a-1"]);
}

pub(super) async fn custom_start_comes_back(store: Arc<dyn Store>) {
    let board = "131072 65536 . 2 . . . 4 8 . . . . . . 2".parse().unwrap();
    let mut table = Table::with_game("a", Game::begin(u64::MAX, Start::Custom(board)));
    table.create(&store).await;
    table.play_on(20, "human");
    table.save(&store).await;
    table.check(&store).await;
    let running = record(&store, "a-1").await;
    assert_eq!((running.seed, running.seed_shown), (u64::MAX, true));
    assert_eq!(running.start, Start::Custom(board));
    let Numbers { max_tile, .. } = running.numbers;
    assert_eq!(max_tile, 131_072);
}
