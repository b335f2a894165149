//! How many appends a second: 64 callers that each wait for their answer, over as many sessions, or over 5,000.
//!
//! `cargo run --release -p store --example append` prints one line of JSON for each level; seconds can be given after.
#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use store::{Durability, Memory, Sqlite, Store, contract::Table};

/// Callers that wait for their answers.
const CALLERS: usize = 64;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let seconds = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(3);
    let time = Duration::from_secs(seconds);
    for sessions in [CALLERS, 5_000] {
        for level in [Some(Durability::Power), Some(Durability::Process), None] {
            measure(sessions, level, time).await;
        }
    }
}

async fn measure(sessions: usize, level: Option<Durability>, time: Duration) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store: Arc<dyn Store> = match level {
        Some(level) => Arc::new(Sqlite::open(folder.path(), level).expect("a new store")),
        None => Arc::new(Memory::new()),
    };
    let tables: Vec<_> = (0..sessions).map(|n| Table::new(&format!("session-{n}"), 1)).collect();
    for created in tables.iter().map(|table| store.create(table.creation())).collect::<Vec<_>>() {
        created.await.expect("a new session");
    }
    let (begin, cpu) = (Instant::now(), cpu());
    let mut shares: Vec<Vec<Table>> = vec![Vec::new(); CALLERS];
    for (n, table) in tables.into_iter().enumerate() {
        shares[n % CALLERS].push(table);
    }
    let callers: Vec<_> = shares
        .into_iter()
        .map(|share| tokio::spawn(call(Arc::clone(&store), share, begin + time)))
        .collect();
    let mut waits = Vec::new();
    let mut tables = Vec::new();
    for caller in callers {
        let (waited, share) = caller.await.expect("no caller panics");
        waits.extend(waited);
        tables.extend(share);
    }
    let elapsed = begin.elapsed().as_secs_f64();
    let cpu = cpu_since(cpu).as_secs_f64();
    for table in &tables {
        let loaded = store.load(&table.id).await.expect("it is there").expect("it is open");
        assert_eq!(loaded.head, table.head, "every answered append is stored");
    }
    waits.sort_unstable();
    let at = |percent: usize| waits[(waits.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    println!(
        "{{\"bench\":\"append\",\"level\":\"{}\",\"callers\":{CALLERS},\"sessions\":{sessions},\
         \"appends\":{},\"appends_per_second\":{:.0},\"p50_ms\":{:.2},\"p99_ms\":{:.2},\
         \"cpu_us_per_append\":{:.1}}}",
        store.describe().durability,
        waits.len(),
        waits.len() as f64 / elapsed,
        at(50),
        at(99),
        cpu * 1e6 / waits.len() as f64,
    );
}

/// Appends a move with a command and its reply to one of its tables after the other.
async fn call(
    store: Arc<dyn Store>,
    mut tables: Vec<Table>,
    end: Instant,
) -> (Vec<Duration>, Vec<Table>) {
    let reply = "x".repeat(900);
    let mut waits = Vec::new();
    while Instant::now() < end {
        let next = waits.len() % tables.len();
        let table = &mut tables[next];
        table.invent(1, "human");
        table.command(&waits.len().to_string(), &reply);
        let append = table.take();
        let asked = Instant::now();
        store.append(append).await.expect("nobody else appends");
        waits.push(asked.elapsed());
    }
    (waits, tables)
}

/// Processor time of this process so far, all threads; zero where the system does not tell.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    Duration::from_millis(ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>() * 10)
}

fn cpu_since(before: Duration) -> Duration {
    cpu().saturating_sub(before)
}
