//! What a scenario found: figures by name, and what was wrong.

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::latency::Latency;

/// How many faults are told in words; all are counted.
const TOLD: usize = 10;

/// What a scenario found.
#[derive(Debug)]
pub(crate) struct Report {
    figures: Map<String, Value>,
    errors: u64,
    told: Vec<String>,
}

impl Report {
    /// An empty report of `scenario`.
    pub(crate) fn new(scenario: &str) -> Self {
        let mut report = Self { figures: Map::new(), errors: 0, told: Vec::new() };
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
        let mut figures = self.figures.clone();
        figures.insert("errors".to_owned(), self.errors.into());
        if !self.told.is_empty() {
            figures.insert("faults".to_owned(), self.told.clone().into());
        }
        if json {
            return writeln!(out, "{}", Value::Object(figures));
        }
        for (name, value) in &figures {
            writeln!(out, "{name:28} {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
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
    fn numbers_have_the_digits_they_are_worth() {
        let mut report = Report::new("none");
        report.number("small", 1.23456);
        report.number("large", 12345.678);
        assert_eq!(report.figures["small"], 1.23);
        assert_eq!(report.figures["large"], 12346.0);
    }
}
