//! The learning curve: a line of CSV for each point, and a picture.

use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::{Sample, checkpoint::Progress, plot};

/// The points so far, as lines of the file.
#[derive(Debug)]
pub(super) struct Curve {
    folder: PathBuf,
    lines: Vec<String>,
}

const HEAD: &str = "games,moves,train_cpu_s,evaluation_games,mean,mean_low,mean_high,max,\
                    rate_2048,rate_4096,rate_8192,rate_16384,rate_32768";

impl Curve {
    /// The curve of a folder, without the points after `games`, which will be made again.
    pub(super) fn open(folder: &Path, games: u64) -> Result<Self> {
        let path = folder.join("curve.csv");
        let text = if path.exists() {
            std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?
        } else {
            String::new()
        };
        let is_kept = |line: &&str| number(line, 0).is_some_and(|at| at <= games as f64);
        let lines = text.lines().filter(is_kept).map(str::to_owned).collect();
        Ok(Self { folder: folder.to_owned(), lines })
    }

    /// Adds a point and writes both files.
    pub(super) fn add(&mut self, progress: &Progress, sample: &Sample) -> Result<()> {
        self.lines.push(line(progress, sample));
        let path = self.folder.join("curve.csv");
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(true)
            .open(&path)
            .with_context(|| format!("write {}", path.display()))?;
        writeln!(file, "{HEAD}\n{}", self.lines.join("\n"))
            .with_context(|| format!("write {}", path.display()))?;
        let points: Vec<plot::Point> = self.lines.iter().filter_map(|line| point(line)).collect();
        let path = self.folder.join("curve.svg");
        std::fs::write(&path, plot::svg(&points))
            .with_context(|| format!("write {}", path.display()))
    }
}

fn line(progress: &Progress, sample: &Sample) -> String {
    let Progress { games, moves, cpu_seconds } = progress;
    let Sample { games: sample_games, mean, low, high, most, rates } = sample;
    let rates = rates.map(|rate| format!("{rate:.4}")).join(",");
    format!(
        "{games},{moves},{cpu_seconds:.1},{sample_games},{mean:.0},{low:.0},{high:.0},{most:.0},{rates}"
    )
}

fn point(line: &str) -> Option<plot::Point> {
    let value = |column| number(line, column);
    Some(plot::Point { games: value(0)?, mean: value(4)?, low: value(5)?, high: value(6)? })
}

fn number(line: &str, column: usize) -> Option<f64> {
    line.split(',').nth(column)?.parse().ok()
}
