//! How fast a piece of work is, by two clocks.

use std::time::{Duration, Instant};

use crate::cpu;

/// How much CPU time a run takes at least: long against the clock's grain, short against the machine's moods.
const RUN: Duration = Duration::from_millis(50);

/// Medians, in units a second.
pub(super) struct Speed {
    /// By the CPU time of this thread: what the machine's other work takes away does not count.
    pub(super) cpu: f64,
    /// By the clock on the wall.
    pub(super) wall: f64,
}

/// Measures `runs` runs of work, which returns how many units it did.
pub(super) fn speed(runs: u16, mut work: impl FnMut() -> u64) -> Speed {
    let (mut by_cpu, mut by_wall) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let (start, wall, mut units) = (cpu::time(), Instant::now(), 0);
        let spent = loop {
            units += work();
            let spent = cpu::time().saturating_sub(start);
            if spent >= RUN {
                break spent;
            }
        };
        by_cpu.push(units as f64 / spent.as_secs_f64());
        by_wall.push(units as f64 / wall.elapsed().as_secs_f64());
    }
    Speed { cpu: median(by_cpu), wall: median(by_wall) }
}

/// The middle value; of an even number the upper of the two.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_value() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]).to_bits(), 2.0_f64.to_bits());
    }

    #[test]
    fn work_is_counted_in_units() {
        let mut calls = 0;
        let Speed { cpu, wall } = speed(3, || {
            calls += 1;
            std::hint::black_box((0..100_000).fold(0_u64, |sum, i| sum ^ std::hint::black_box(i)));
            1_000
        });
        assert!(calls >= 3 && cpu > 1_000.0 && wall > 0.0, "{calls} {cpu} {wall}");
    }
}
