//! How fast games are looked back at: 10,000 games of 10,000 moves, in 100 sessions, and what they take on disk.
//!
//! `cargo run --release -p store --example archive` prints one line of JSON for each kind of look.
#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use engine::{Direction, Game, Start};
use store::{
    DriverKind, Durability, GameId, GameQuery, ImportedGame, Numbers, SessionId, Sort, Sqlite,
    Status, Store, Stretch, UnixMillis, contract::Table,
};

const GAMES: usize = 10_000;
const MOVES: u32 = 10_000;
const SESSIONS: usize = 100;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let begin = Instant::now();
    let store: Arc<dyn Store> =
        Arc::new(Sqlite::open(folder.path(), Durability::Process).expect("a new store"));
    fill(&store).await;
    let filled = begin.elapsed();
    drop(store);
    let file = folder.path().join("serve2048.db");
    let bytes = std::fs::metadata(&file).expect("it was closed").len();
    println!(
        "{{\"bench\":\"archive\",\"games\":{GAMES},\"moves\":{MOVES},\"filled_s\":{:.1},\
         \"bytes_per_move\":{:.3}}}",
        filled.as_secs_f64(),
        bytes as f64 / (GAMES as f64 * f64::from(MOVES)),
    );
    let begin = Instant::now();
    let store: Arc<dyn Store> =
        Arc::new(Sqlite::open(folder.path(), Durability::Process).expect("what was filled"));
    println!("{{\"look\":\"open\",\"ms\":{:.1}}}", begin.elapsed().as_secs_f64() * 1e3);
    look(&store).await;
}

/// Fills the store.
async fn fill(store: &Arc<dyn Store>) {
    for n in 0..SESSIONS {
        Table::new(&format!("session-{n}"), 1).create(store).await;
    }
    let directions: Vec<_> =
        (0..MOVES as usize).map(|n| Direction::ALL[(n * n / 7 + n / 3) % 4]).collect();
    let mut answers = Vec::new();
    for n in 0..GAMES {
        answers.push(store.import(game(n, directions.clone())));
        if answers.len() == 100 {
            for answer in answers.drain(..) {
                answer.await.expect("a new game");
            }
        }
    }
}

fn game(n: usize, directions: Vec<Direction>) -> ImportedGame {
    let player = ["mcts", "flat", "expectimax", "ntuple"][n % 4];
    let stretch = |kind, name: &str, from, to| Stretch {
        kind,
        name: name.to_owned(),
        from,
        to,
        why: (from > 1).then(|| "started".to_owned()),
    };
    ImportedGame {
        id: GameId::new(format!("game-{n}")),
        session: SessionId::new(format!("session-{}", n % SESSIONS)),
        seed: n as u64,
        start: Start::Seeded,
        numbers: Numbers {
            moves: MOVES,
            score: (n * 7_919 % 300_000) as u64,
            merges: MOVES - 20,
            max_tile: 2 << (n % 15),
            over: true,
        },
        directions,
        drivers: vec![
            stretch(DriverKind::Human, "human", 1, 100),
            stretch(DriverKind::Player, player, 101, MOVES),
        ],
        at: UnixMillis(1_000 * (n * 31 % 10_007).cast_signed() as i64),
    }
}

async fn look(store: &Arc<dyn Store>) {
    let all = || GameQuery { limit: 50, ..GameQuery::default() };
    for sort in [Sort::Started, Sort::Score, Sort::MaxTile, Sort::Moves] {
        list(store, &format!("list {sort:?}"), GameQuery { sort, ..all() }).await;
        let player = Some("ntuple".to_owned());
        let query = GameQuery { sort, player, ..all() };
        list(store, &format!("list {sort:?} of a player"), query).await;
        let session = Some(SessionId::new("session-7"));
        let query = GameQuery { sort, session, ..all() };
        list(store, &format!("list {sort:?} of a session"), query).await;
        let query = GameQuery { sort, status: Some(Status::Imported), ..all() };
        list(store, &format!("list {sort:?} of a status"), query).await;
    }
    let nobody = GameQuery { player: Some("nobody".to_owned()), sort: Sort::Score, ..all() };
    time("list of a player without games", 20, async |_| {
        assert_eq!(store.games(nobody.clone()).await.expect("a list").items, []);
    })
    .await;
    let id = |n: usize| GameId::new(format!("game-{}", n * 97 % GAMES));
    time("record", 100, async |n| {
        let record = store.record(&id(n)).await.expect("a record").expect("a game");
        assert_eq!(record.numbers.moves, MOVES);
    })
    .await;
    time("moves 5,001 to 5,500", 100, async |n| {
        let moves = store.moves(&id(n), 5_001, 5_500).await.expect("moves").expect("a game");
        assert_eq!(moves.len(), 500);
    })
    .await;
    time("position after move 5,000", 100, async |n| {
        let game = store.game(&id(n)).await.expect("a game").expect("a game");
        let directions = &game.directions[..5_000];
        // These games are invented; what is timed is the reading, and a replay as long as it would be.
        let mut replayed = Game::begin(game.seed, game.start);
        for &direction in directions {
            if replayed.play(direction).is_err() && replayed.board().is_over() {
                replayed = Game::begin(game.seed, game.start);
            }
        }
        assert_eq!(game.directions.len(), MOVES as usize);
    })
    .await;
    time("best", 100, async |n| {
        store.best(&SessionId::new(format!("session-{}", n % SESSIONS))).await.expect("scores");
    })
    .await;
}

/// Times the first page of a list, and its second.
async fn list(store: &Arc<dyn Store>, name: &str, query: GameQuery) {
    time(name, 20, async |_| {
        let first = store.games(query.clone()).await.expect("a list");
        assert_eq!(first.items.len(), query.limit);
        let second = GameQuery { cursor: first.next, ..query.clone() };
        assert_eq!(store.games(second).await.expect("a list").items.len(), query.limit);
    })
    .await;
}

async fn time(name: &str, count: usize, look: impl AsyncFn(usize)) {
    let mut times = Vec::new();
    for n in 0..count {
        let begin = Instant::now();
        look(n).await;
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{{\"look\":\"{name}\",\"times\":{count},\"median_ms\":{:.2},\"max_ms\":{:.2}}}",
        ms(times[count / 2]),
        ms(times[count - 1]),
    );
}
