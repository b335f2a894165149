//! What a scenario found: figures by name, and what was wrong.

mod drawing;

use std::{
    io::{self, Write},
    path::Path,
};

use serde_json::{Map, Value};

use crate::latency::{Latency, Timeline};

/// How many faults are told in words; all are counted.
const TOLD: usize = 10;

/// What a scenario found.
#[derive(Debug)]
pub(crate) struct Report {
    figures: Map<String, Value>,
    errors: u64,
    told: Vec<String>,
    /// Targets that were missed, which is no fault unless it is asked for.
    missed: Vec<String>,
    curves: Vec<Curve>,
    lines: Vec<Line>,
}

/// How long something took.
#[derive(Debug)]
struct Curve {
    what: String,
    all: Latency,
    /// By name, milliseconds by seconds.
    over_time: Vec<(&'static str, Vec<(f64, f64)>)>,
}

/// Something over time.
#[derive(Debug)]
struct Line {
    what: String,
    /// By seconds.
    points: Vec<(f64, f64)>,
}

impl Report {
    /// An empty report of `scenario`.
    pub(crate) fn new(scenario: &str) -> Self {
        let mut report = Self {
            figures: Map::new(),
            errors: 0,
            told: Vec::new(),
            missed: Vec::new(),
            curves: Vec::new(),
            lines: Vec::new(),
        };
        report.put("scenario", scenario);
        report
    }

    /// Adds a figure. A name ends in its unit.
    pub(crate) fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.figures.insert(name.to_owned(), value.into());
    }

    /// Adds a number with as many digits as it is worth.
    pub(crate) fn number(&mut self, name: &str, value: f64) {
        let digits = if value.abs() < 100.0 { 100.0 } else { 1.0 };
        self.put(name, (value * digits).round() / digits);
    }

    /// Adds how long something took, in milliseconds; `of` stands before the names.
    pub(crate) fn latency(&mut self, of: &str, latency: &Latency) {
        for (name, value) in [
            ("p50_ms", latency.percentile(50.0)),
            ("p99_ms", latency.percentile(99.0)),
            ("max_ms", latency.percentile(100.0)),
        ] {
            self.number(&format!("{of}{name}"), value);
        }
    }

    /// Adds how long something took over the time that was measured: its figures, and its curves.
    pub(crate) fn timeline(&mut self, of: &str, what: &str, timeline: &Timeline) {
        self.latency(of, &timeline.all);
        let over_time = [("p50", 50.0), ("p99", 99.0), ("max", 100.0)];
        self.curves.push(Curve {
            what: what.to_owned(),
            all: timeline.all.clone(),
            over_time: over_time.map(|(name, percent)| (name, timeline.over_time(percent))).into(),
        });
    }

    /// Adds something that was looked at over time, in seconds.
    pub(crate) fn line(&mut self, what: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.lines.push(Line { what: what.to_owned(), points: points.into_iter().collect() });
    }

    /// Adds so many things that are wrong, some of them in words.
    pub(crate) fn faults(&mut self, count: u64, told: Vec<String>) {
        self.errors += count;
        self.told.extend(told);
        self.told.truncate(TOLD);
    }

    /// Adds something that is wrong.
    pub(crate) fn fault(&mut self, what: impl Into<String>) {
        self.errors += 1;
        if self.told.len() < TOLD {
            self.told.push(what.into());
        }
    }

    /// Adds what is wrong unless `holds`.
    pub(crate) fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.fault(what());
        }
    }

    /// Adds that a target was missed unless `holds`: on a crowded machine that says nothing of the server.
    pub(crate) fn aim(&mut self, holds: bool, missed: impl FnOnce() -> String) {
        if !holds {
            self.missed.push(missed());
        }
    }

    /// Counts missed targets as faults.
    pub(crate) fn be_strict(&mut self) {
        let missed = std::mem::take(&mut self.missed);
        for missed in missed {
            self.fault(missed);
        }
    }

    /// How much is wrong so far.
    pub(crate) fn errors(&self) -> u64 {
        self.errors
    }

    /// Whether nothing was wrong.
    pub(crate) fn is_well(&self) -> bool {
        self.errors == 0
    }

    /// Writes it, as one JSON object or as lines.
    pub(crate) fn write(&self, json: bool, out: &mut impl Write) -> io::Result<()> {
        let figures = self.all_figures();
        if json {
            return writeln!(out, "{}", Value::Object(figures));
        }
        for (name, value) in &figures {
            writeln!(out, "{name:28} {value}")?;
        }
        Ok(())
    }
}

impl Report {
    /// Writes it as a page with curves, or as a picture of them alone.
    ///
    /// # Errors
    /// - When the file can't be written.
    pub(crate) fn draw(&self, path: &Path) -> anyhow::Result<()> {
        drawing::write(path, &self.all_figures(), &self.curves, &self.lines)
    }

    fn all_figures(&self) -> Map<String, Value> {
        let mut figures = self.figures.clone();
        figures.insert("errors".to_owned(), self.errors.into());
        if !self.told.is_empty() {
            figures.insert("faults".to_owned(), self.told.clone().into());
        }
        if !self.missed.is_empty() {
            figures.insert("missed".to_owned(), self.missed.clone().into());
        }
        figures
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::*;

    #[test]
    fn every_fault_is_counted_and_the_first_are_told() {
        let mut report = Report::new("none");
        assert!(report.is_well());
        report.expect(true, || unreachable!("nothing is wrong"));
        (0..30).for_each(|n| report.expect(false, || format!("fault {n}")));
        let mut text = Vec::new();
        report.write(true, &mut text).unwrap();
        let read: Value = serde_json::from_slice(&text).unwrap();
        assert!(!report.is_well());
        assert_eq!(read["errors"], 30);
        assert_eq!(read["faults"].as_array().unwrap().len(), TOLD);
    }

    #[test]
    fn a_missed_target_is_a_fault_when_it_is_asked_for() {
        let mut report = Report::new("none");
        report.aim(true, || unreachable!("nothing is missed"));
        report.aim(false, || "too slow".to_owned());
        assert!(report.is_well());
        assert_eq!(report.all_figures()["missed"][0], "too slow");
        report.be_strict();
        assert!(!report.is_well());
        assert_eq!(report.all_figures()["faults"][0], "too slow");
    }

    #[test]
    fn a_report_is_a_page_or_a_picture() {
        let folder = tempfile::tempdir().unwrap();
        let mut report = Report::new("none");
        let mut line = Timeline::new();
        line.begin(1.0);
        line.add(Duration::from_millis(3), Instant::now());
        report.timeline("", "one & another", &line);
        report.line("memory", [(0.0, 1.0), (1.0, 2.0)]);
        for (name, start) in [("a.svg", "<svg"), ("a.html", "<!doctype html>")] {
            let path = folder.path().join(name);
            report.draw(&path).unwrap();
            let text = std::fs::read_to_string(path).unwrap();
            assert!(text.starts_with(start), "{text}");
            assert!(text.contains("one &amp; another") && text.contains("<polyline"), "{text}");
        }
    }

    #[test]
    fn numbers_have_the_digits_they_are_worth() {
        let mut report = Report::new("none");
        report.number("small", 1.23456);
        report.number("large", 12345.678);
        assert_eq!(report.figures["small"], 1.23);
        assert_eq!(report.figures["large"], 12346.0);
    }
}
