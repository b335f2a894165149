//! Whatever is asked of them, both adapters answer the same.

use std::{fmt::Debug, sync::Arc};

use engine::Game;
use proptest::prelude::*;

use crate::{
    Answer, DriverKind, Durability, GameId, GameQuery, ImportedGame, Memory, SessionId, Sort,
    Sqlite, Status, Store, Stretch, UnixMillis, contract::Table,
};

/// Something that happens at one of three tables.
#[derive(Debug, Clone)]
enum Deed {
    Play(usize, &'static str),
    Invent(usize, &'static str),
    Begin(u64),
    Drive(DriverKind),
    Command(u8),
    Save,
    /// A request of somebody who has not seen the last one.
    SaveLate,
    Import(usize),
    Link(u8),
    Revoke,
    Close,
}

fn any_deed() -> impl Strategy<Value = Deed> {
    let source = || prop_oneof![Just("human"), Just("mcts"), Just("fallback"), Just("bot:x")];
    let kind =
        prop_oneof![Just(DriverKind::Human), Just(DriverKind::Player), Just(DriverKind::Bot)];
    prop_oneof![
        3 => (1..20_usize, source()).prop_map(|(count, source)| Deed::Play(count, source)),
        3 => (1..300_usize, source()).prop_map(|(count, source)| Deed::Invent(count, source)),
        2 => (0..99_u64).prop_map(Deed::Begin),
        2 => kind.prop_map(Deed::Drive),
        2 => any::<u8>().prop_map(Deed::Command),
        6 => Just(Deed::Save),
        1 => Just(Deed::SaveLate),
        1 => (1..1_500_usize).prop_map(Deed::Import),
        1 => any::<u8>().prop_map(Deed::Link),
        1 => Just(Deed::Revoke),
        1 => Just(Deed::Close),
    ]
}

struct Twins {
    one: Arc<dyn Store>,
    other: Arc<dyn Store>,
    imports: u32,
    games: Vec<GameId>,
}

impl Twins {
    /// Asks both; they must answer the same.
    async fn ask<T: Debug + PartialEq>(&self, ask: impl Fn(&dyn Store) -> Answer<T>) {
        let (one, other) = (ask(self.one.as_ref()).await, ask(self.other.as_ref()).await);
        assert_eq!(one.map_err(|error| error.kind), other.map_err(|error| error.kind));
    }

    async fn act(&mut self, table: &mut Table, deed: Deed) {
        match deed {
            Deed::Play(count, source) if table.numbers().moves == table.game.moves() => {
                table.play_on(count, source);
            }
            Deed::Play(..) => {}
            Deed::Invent(count, source) => table.invent(count, source),
            Deed::Begin(seed) => {
                let id = format!("{}-at-{}", table.id, table.head.seq);
                self.games.push(GameId::new(id.as_str()));
                table.begin(&id, Game::new(seed));
            }
            Deed::Drive(kind) => table.drive(kind, &format!("{kind:?}"), "asked for"),
            Deed::Command(id) => table.command(&id.to_string(), &format!("at {}", table.head.seq)),
            Deed::Save => {
                let append = table.take();
                self.ask(|store| store.append(append.clone())).await;
            }
            Deed::SaveLate => {
                let mut append = table.clone().take();
                append.expected -= 1;
                self.ask(|store| store.append(append.clone())).await;
            }
            Deed::Import(moves) => {
                self.imports += 1;
                let import = imported(table, self.imports, moves);
                self.games.push(import.id.clone());
                self.ask(|store| store.import(import.clone())).await;
            }
            Deed::Link(key) => self.ask(|store| store.add_link(&table.id, [key; 32])).await,
            Deed::Revoke => self.ask(|store| store.revoke_links(&table.id)).await,
            Deed::Close => {
                table.now += 1;
                self.ask(|store| store.close(&table.id, UnixMillis(table.now))).await;
            }
        }
    }

    async fn compare(&self, tables: &[Table]) {
        self.ask(|store| store.sessions(None, 2)).await;
        self.ask(|store| store.driven()).await;
        self.ask(|store| store.unchanged(UnixMillis(1_020), 2)).await;
        for Table { id, .. } in tables {
            self.ask(|store| store.load(id)).await;
            self.ask(|store| store.best(id)).await;
            for command in 0..=255_u8 {
                self.ask(|store| store.reply(id, &command.to_string())).await;
            }
        }
        for key in 0..=255_u8 {
            self.ask(|store| store.linked([key; 32])).await;
        }
        for id in &self.games {
            self.ask(|store| store.game(id)).await;
            self.ask(|store| store.record(id)).await;
            for (from, to) in [(0, u32::MAX), (1, 64), (60, 70), (1_000, 1_100)] {
                self.ask(|store| store.moves(id, from, to)).await;
            }
        }
        for sort in [Sort::Started, Sort::Score, Sort::MaxTile, Sort::Moves] {
            for status in [None, Some(Status::Running), Some(Status::Over), Some(Status::Abandoned)]
            {
                let query = GameQuery { sort, status, limit: 3, ..GameQuery::default() };
                self.ask(|store| store.games(query.clone())).await;
                let session = Some(SessionId::new("a"));
                let player = Some("Player".to_owned());
                let query = GameQuery { session, player, ..query };
                self.ask(|store| store.games(query.clone())).await;
            }
        }
    }
}

fn imported(table: &Table, number: u32, moves: usize) -> ImportedGame {
    let mut elsewhere = Table::new("elsewhere", 1);
    elsewhere.invent(moves, "human");
    let name = "human".to_owned();
    let to = moves as u32;
    ImportedGame {
        id: GameId::new(format!("import-{number}")),
        session: table.id.clone(),
        seed: 1,
        start: engine::Start::Seeded,
        directions: elsewhere.directions(),
        numbers: elsewhere.numbers(),
        drivers: vec![Stretch { kind: DriverKind::Human, name, from: 1, to, why: None }],
        at: UnixMillis(table.now),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn memory_and_sqlite_are_alike(deeds in prop::collection::vec((0..3_usize, any_deed()), 1..80)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let open = || Arc::new(Sqlite::open(folder.path(), Durability::Process).unwrap());
            let mut twins = Twins {
                one: Arc::new(Memory::new()),
                other: open(),
                imports: 0,
                games: ["a-1", "b-1", "c-1"].map(GameId::new).to_vec(),
            };
            let mut tables = ["a", "b", "c"].map(|id| Table::new(id, 7));
            for table in &tables {
                twins.ask(|store| store.create(table.creation())).await;
            }
            for (table, deed) in deeds {
                twins.act(&mut tables[table], deed).await;
            }
            twins.compare(&tables).await;
            // Closed and opened again, it is the same still.
            twins.other = Arc::new(Memory::new());
            twins.other = open();
            twins.compare(&tables).await;
        });
    }
}
