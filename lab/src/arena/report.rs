//! What the games say about the players: as a table, as JSON, as lines of comma-separated values.

use std::{collections::HashMap, fmt::Write};

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::{
    contestant::Contestant,
    game::{Record, times},
    statistics::{Estimate, bootstrap, mean, median, rate},
};

/// The tiles whose rates are given: who reached it, or more.
const TILES: [u32; 8] = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

/// The games of the contestants on the seeds asked for, and what follows from them.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) players: Vec<Summary>,
    differences: Vec<Difference>,
}

/// What is said of one contestant.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) label: String,
    limit: String,
    fingerprint: String,
    /// In the order of the seeds.
    records: Vec<Record>,
    mean: Estimate,
    median: Estimate,
    moves: f64,
    /// For each of [`TILES`].
    rates: Vec<Estimate>,
    /// Time of a move: the median, the 99th percentile, the longest and the mean, in ms.
    ms_per_move: [f64; 4],
}

/// How much more the first scores than the second, on the seeds that both have played.
#[derive(Debug)]
struct Difference {
    first: String,
    second: String,
    seeds: usize,
    mean: Estimate,
}

impl Report {
    /// The report on the records of these contestants and seeds; a contestant without a game is left out.
    pub(super) fn new(contestants: &[Contestant], records: &[Record], seeds: &[u64]) -> Self {
        let by_game: HashMap<(&str, u64), &Record> =
            records.iter().map(|record| ((record.player.as_str(), record.seed), record)).collect();
        let players: Vec<Summary> = contestants
            .iter()
            .map(|contestant| {
                let game = |seed: &u64| by_game.get(&(contestant.label.as_str(), *seed)).copied();
                Summary::new(contestant, seeds.iter().filter_map(game).cloned().collect())
            })
            .filter(|summary| !summary.records.is_empty())
            .collect();
        let differences = players
            .iter()
            .enumerate()
            .flat_map(|(i, first)| players[i + 1..].iter().map(move |second| (first, second)))
            .filter_map(|(first, second)| Difference::new(first, second))
            .collect();
        Self { players, differences }
    }

    pub(super) fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |cells: String| text.push_str(&(cells + "\n"));
        line(format!(
            "{:<20} {:>10} {:>6} {:>28} {:>10} {:>7} {:>15}  rates of {} ... {}",
            "player",
            "limit",
            "games",
            "mean score (95 %)",
            "median",
            "moves",
            "ms/move (p99)",
            TILES[0],
            TILES[TILES.len() - 1],
        ));
        for player in &self.players {
            let [low, high] = player.mean.ci95;
            let mean = format!("{:.0} ({low:.0} ... {high:.0})", player.mean.value);
            let [median_ms, p99_ms, ..] = player.ms_per_move;
            let rates: Vec<String> =
                player.rates.iter().map(|rate| format!("{:.0}", rate.value * 100.0)).collect();
            line(format!(
                "{:<20} {:>10} {:>6} {mean:>28} {:>10.0} {:>7.0} {:>15}  {} %",
                player.label,
                player.limit,
                player.records.len(),
                player.median.value,
                player.moves,
                format!("{median_ms:.2} ({p99_ms:.2})"),
                rates.join(" "),
            ));
        }
        for difference in &self.differences {
            line(difference.sentence());
        }
        text.trim_end().to_owned()
    }

    /// The table as the README has it.
    pub(super) fn markdown(&self) -> String {
        let mut text =
            "| Player | Limit | Games | Mean score (95 %) | Median | ms a move (p99) |".to_owned();
        let mut rule = "\n|---|---|---|---|---|---|".to_owned();
        for tile in TILES {
            write!(text, " {tile} |").expect("a string takes all that is written");
            rule += "---|";
        }
        text += &rule;
        for player in &self.players {
            let [low, high] = player.mean.ci95.map(thousands);
            let [_, p99_ms, _, mean_ms] = player.ms_per_move;
            let rates: Vec<String> = player.rates.iter().map(percent).collect();
            write!(
                text,
                "\n| `{}` | {} | {} | {} ({low} to {high}) | {} | {mean_ms:.2} ({p99_ms:.2}) | {} |",
                player.label.split('@').next().unwrap_or_default(),
                player.limit,
                player.records.len(),
                thousands(player.mean.value),
                thousands(player.median.value),
                rates.join(" | "),
            )
            .expect("a string takes all that is written");
        }
        text
    }

    pub(super) fn json(&self) -> Result<String> {
        let players: Map<String, Value> =
            self.players.iter().map(|player| (player.label.clone(), player.json())).collect();
        let differences: Vec<Value> = self.differences.iter().map(Difference::json).collect();
        serde_json::to_string_pretty(&json!({ "players": players, "differences": differences }))
            .context("write the report as JSON")
    }

    pub(super) fn csv(&self) -> String {
        let mut text = "player,limit,fingerprint,seed,score,moves,max_tile\n".to_owned();
        for record in self.players.iter().flat_map(|player| &player.records) {
            let Record { player, limit, fingerprint, seed, score, moves, max_tile, .. } = record;
            writeln!(text, "{player},{limit},{fingerprint},{seed},{score},{moves},{max_tile}")
                .expect("a string takes all that is written");
        }
        text
    }
}

/// A rate in whole per cent, with its interval unless it is nothing.
fn percent(rate: &Estimate) -> String {
    let [value, low, high] = [rate.value, rate.ci95[0], rate.ci95[1]].map(|rate| rate * 100.0);
    if rate.value == 0.0 { "0".to_owned() } else { format!("{value:.0} % ({low:.0} to {high:.0})") }
}

/// A score with commas between the thousands.
fn thousands(score: f64) -> String {
    let digits = format!("{score:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Summary {
    fn new(contestant: &Contestant, records: Vec<Record>) -> Self {
        let scores: Vec<f64> = records.iter().map(|record| record.score as f64).collect();
        let nothing = Estimate { value: f64::NAN, ci95: [f64::NAN; 2] };
        let estimate = |statistic| {
            if scores.is_empty() { nothing } else { bootstrap(&scores, statistic) }
        };
        let reached = |tile| records.iter().filter(|record| record.max_tile >= tile).count();
        let mut all_times = times();
        for (us, count) in records.iter().flat_map(|record| &record.times_us) {
            all_times.saturating_record_n(*us, *count);
        }
        let ms = |us: u64| us as f64 / 1e3;
        Self {
            label: contestant.label.clone(),
            limit: contestant.limit_in_words(),
            fingerprint: contestant.fingerprint.clone(),
            mean: estimate(mean),
            median: estimate(median),
            moves: records.iter().map(|record| f64::from(record.moves)).sum::<f64>()
                / records.len() as f64,
            rates: TILES.map(|tile| rate(reached(tile), records.len())).to_vec(),
            ms_per_move: [
                ms(all_times.value_at_quantile(0.5)),
                ms(all_times.value_at_quantile(0.99)),
                ms(all_times.max()),
                all_times.mean() / 1e3,
            ],
            records,
        }
    }

    pub(super) fn scores(&self) -> Vec<f64> {
        self.records.iter().map(|record| record.score as f64).collect()
    }

    fn json(&self) -> Value {
        let by_tile = |number: fn(&Estimate) -> Value| -> Map<String, Value> {
            TILES.iter().map(u32::to_string).zip(self.rates.iter().map(number)).collect()
        };
        let [median, p99, max, mean] = self.ms_per_move;
        json!({
            "limit": self.limit,
            "fingerprint": self.fingerprint,
            "games": self.records.len(),
            "mean": self.mean.value,
            "ci95": self.mean.ci95,
            "median": self.median.value,
            "median_ci95": self.median.ci95,
            "moves": self.moves,
            "rates": by_tile(|rate| json!(rate.value)),
            "rates_ci95": by_tile(|rate| json!(rate.ci95)),
            "ms_per_move": { "median": median, "p99": p99, "max": max, "mean": mean },
        })
    }
}

impl Difference {
    fn new(first: &Summary, second: &Summary) -> Option<Self> {
        let scores: HashMap<u64, u64> =
            second.records.iter().map(|record| (record.seed, record.score)).collect();
        let pair = |record: &Record| Some(record.score as f64 - *scores.get(&record.seed)? as f64);
        let paired: Vec<f64> = first.records.iter().filter_map(pair).collect();
        (!paired.is_empty()).then(|| Self {
            first: first.label.clone(),
            second: second.label.clone(),
            seeds: paired.len(),
            mean: bootstrap(&paired, mean),
        })
    }

    /// Whether the interval leaves no doubt about who is better.
    fn is_separable(&self) -> bool {
        let [low, high] = self.mean.ci95;
        self.seeds > 1 && (low > 0.0 || high < 0.0)
    }

    fn sentence(&self) -> String {
        let Self { first, second, seeds, mean: Estimate { value, ci95: [low, high] } } = self;
        let verdict = match (self.is_separable(), *value > 0.0) {
            (true, true) => format!("{first} is better"),
            (true, false) => format!("{second} is better"),
            (false, _) => "not separable".to_owned(),
        };
        format!(
            "{first} - {second}: {value:.0} ({low:.0} ... {high:.0}) on {seeds} seeds: {verdict}"
        )
    }

    fn json(&self) -> Value {
        json!({
            "first": self.first,
            "second": self.second,
            "seeds": self.seeds,
            "mean": self.mean.value,
            "ci95": self.mean.ci95,
            "separable": self.is_separable(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::contestant::Setup;

    /// The report on players of the roster whose games, on the seeds from 1, had these scores.
    fn report(scores: &[(&str, &[u64])]) -> Report {
        let contestants: Vec<Contestant> = scores
            .iter()
            .map(|(name, _)| Contestant::parse(name, &Setup::default()).unwrap())
            .collect();
        let records: Vec<Record> = scores
            .iter()
            .flat_map(|(name, scores)| {
                (1..).zip(*scores).map(|(seed, &score)| Record {
                    player: (*name).to_owned(),
                    fingerprint: String::new(),
                    limit: String::new(),
                    seed,
                    score,
                    moves: 100,
                    max_tile: if score >= 20_000 { 2048 } else { 1024 },
                    times_us: vec![(1_000, 98), (5_000, 2)],
                })
            })
            .collect();
        Report::new(&contestants, &records, &[1, 2, 3, 4, 5, 6])
    }

    #[test]
    fn a_player_is_summed_up() {
        let report = report(&[("random", &[10_000, 20_000, 60_000])]);
        let json: Value = serde_json::from_str(&report.json().unwrap()).unwrap();
        let random = &json["players"]["random"];
        assert_eq!((&random["mean"], &random["median"]), (&json!(30_000.0), &json!(20_000.0)));
        assert_eq!(random["rates"]["1024"], json!(1.0));
        assert!((random["rates"]["2048"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(random["rates"]["4096"], json!(0.0));
        // Times have two digits.
        assert!((random["ms_per_move"]["median"].as_f64().unwrap() - 1.0).abs() < 0.01);
        assert!((random["ms_per_move"]["p99"].as_f64().unwrap() - 5.0).abs() < 0.05);
        assert!(random["ci95"][0].as_f64() <= random["mean"].as_f64());
    }

    #[test]
    fn players_are_compared_on_the_seeds_that_both_have_played() {
        // Each game is far from the next, but the pairs agree.
        let report = report(&[
            ("random", &[1_000, 90_000, 5_000, 40_000, 700]),
            ("rules", &[1_100, 90_100, 5_100, 40_110, 790, 1_000_000]),
        ]);
        assert_eq!(report.differences[0].seeds, 5);
        assert!(report.table().ends_with("on 5 seeds: rules is better"), "{}", report.table());
    }

    #[test]
    fn players_that_cannot_be_told_apart_are_said_so() {
        let report =
            report(&[("random", &[1_000, 2_000, 3_000]), ("rules", &[2_000, 1_000, 3_100])]);
        assert!(report.table().ends_with("not separable"), "{}", report.table());
        // One pair tells nothing, however far apart.
        let report = self::report(&[("random", &[1_000]), ("rules", &[2_000])]);
        assert!(report.table().ends_with("not separable"), "{}", report.table());
    }

    #[test]
    fn the_readme_gets_a_table_in_markdown() {
        let text = report(&[("random", &[10_000, 20_000, 1_060_000])]).markdown();
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 3);
        let cells = |row: &str| row.matches('|').count();
        assert!(rows.iter().all(|row| cells(row) == cells(rows[0])), "{text}");
        assert!(rows[2].starts_with("| `random` | no limit | 3 | 363,333 ("), "{text}");
        assert!(
            rows[2].contains("| 20,000 |") && rows[2].contains("| 67 % (21 to 94) |"),
            "{text}"
        );
        assert!(rows[2].ends_with("| 0 |"), "{text}");
    }

    #[test]
    fn every_game_has_its_line() {
        let csv = report(&[("random", &[10, 20]), ("rules", &[30])]).csv();
        assert_eq!(csv.lines().count(), 4);
        assert_eq!(csv.lines().nth(2), Some("random,,,2,20,100,1024"));
    }
}
