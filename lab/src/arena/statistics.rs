//! What can be said from a sample, and how surely.

use engine::Random;

/// A number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) ci95: [f64; 2],
}

/// How often a bootstrap draws the sample anew.
const RESAMPLES: usize = 10_000;

/// A statistic of a sample, with the interval in which it lies for 95 % of the samples drawn from the sample itself
/// (percentile bootstrap). The sample must not be empty. The same sample gives the same interval.
pub(super) fn bootstrap(sample: &[f64], statistic: fn(&mut [f64]) -> f64) -> Estimate {
    let value = statistic(&mut sample.to_vec());
    let mut random = Random::new(1);
    let mut drawn = vec![0.0; sample.len()];
    let mut values: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            for number in &mut drawn {
                *number = sample[random.below(sample.len() as u32) as usize];
            }
            statistic(&mut drawn)
        })
        .collect();
    values.sort_by(f64::total_cmp);
    let outside = RESAMPLES / 40;
    Estimate { value, ci95: [values[outside], values[RESAMPLES - 1 - outside]] }
}

/// The mean; the sample must not be empty.
pub(super) fn mean(sample: &mut [f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

/// The median, of an even number the middle of the middle two; the sample must not be empty.
pub(super) fn median(sample: &mut [f64]) -> f64 {
    sample.sort_by(f64::total_cmp);
    let middle = sample.len() / 2;
    if sample.len() % 2 == 1 {
        sample[middle]
    } else {
        f64::midpoint(sample[middle - 1], sample[middle])
    }
}

/// A rate with its interval by Wilson (1927), "Probable inference, the law of succession, and statistical inference";
/// it is of use near 0 and 1 too.
pub(super) fn rate(hits: usize, of: usize) -> Estimate {
    // The normal distribution holds 95 % within so many deviations.
    const Z: f64 = 1.959_964;
    let (hits, of) = (hits as f64, of as f64);
    let value = hits / of;
    let centre = (hits + Z * Z / 2.0) / (of + Z * Z);
    let reach = Z / (of + Z * Z) * (value * (1.0 - value) * of + Z * Z / 4.0).sqrt();
    Estimate { value, ci95: [(centre - reach).max(0.0), (centre + reach).min(1.0)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, not {expected}");
    }

    #[test]
    fn a_rate_has_wilsons_interval() {
        let estimate = rate(8, 10);
        near(estimate.value, 0.8, 1e-9);
        near(estimate.ci95[0], 0.4902, 1e-4);
        near(estimate.ci95[1], 0.9433, 1e-4);
        near(rate(0, 20).ci95[1], 0.1611, 1e-4);
        near(rate(0, 20).ci95[0], 0.0, 1e-9);
        near(rate(20, 20).ci95[0], 0.8389, 1e-4);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        near(median(&mut [3.0, 1.0, 2.0]), 2.0, 0.0);
        near(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5, 0.0);
    }

    #[test]
    fn the_interval_of_a_mean_is_about_two_standard_errors_wide_on_each_side() {
        let mut random = Random::new(9);
        let sample: Vec<f64> = (0..400).map(|_| f64::from(random.below(1_000))).collect();
        let Estimate { value, ci95: [low, high] } = bootstrap(&sample, mean);
        // A uniform distribution of that width deviates by 289.
        let reach = 1.96 * 289.0 / 20.0;
        near(value, 500.0, reach * 1.5);
        near(high - low, 2.0 * reach, reach * 0.3);
        assert_eq!(bootstrap(&sample, mean), bootstrap(&sample, mean));
    }

    #[test]
    fn equal_numbers_leave_no_doubt() {
        let estimate = bootstrap(&[7.0; 5], median);
        assert_eq!(estimate, Estimate { value: 7.0, ci95: [7.0, 7.0] });
    }
}
