//! How strong a network is, by a sample of games.

use std::fmt;

use engine::Tile;
use players::ntuple::Outcome;

/// The scores of some games.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sample {
    pub(super) games: usize,
    pub(super) mean: f64,
    /// The bounds of the mean with 95 % confidence.
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) most: f64,
    /// The shares of the games with a tile of 2048, 4096, 8192, 16384 and 32768.
    pub(super) rates: [f64; 5],
}

impl Sample {
    /// What these games say; there must be two at least.
    pub(crate) fn of(outcomes: &[Outcome]) -> Self {
        let games = outcomes.len() as f64;
        let scores = || outcomes.iter().map(|outcome| outcome.score as f64);
        let mean = scores().sum::<f64>() / games;
        let variance = scores().map(|score| (score - mean).powi(2)).sum::<f64>() / (games - 1.0);
        // The normal distribution holds 95 % within so many standard errors.
        let reach = 1.96 * (variance / games).sqrt();
        let rates = [11, 12, 13, 14, 15].map(|exponent| {
            let has_it = |outcome: &&Outcome| outcome.largest >= Tile::from_exponent(exponent);
            outcomes.iter().filter(has_it).count() as f64 / games
        });
        let most = scores().fold(0.0, f64::max);
        Self { games: outcomes.len(), mean, low: mean - reach, high: mean + reach, most, rates }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, mean, low, high, most, rates } = self;
        let [two, _, eight, sixteen, thirty_two] = rates.map(|rate| rate * 100.0);
        write!(
            f,
            "mean {mean:.0} ({low:.0} to {high:.0}) of {games} games one move ahead, most {most:.0}; 2048 in {two:.1} %, \
             8192 in {eight:.1} %, 16384 in {sixteen:.1} %, 32768 in {thirty_two:.1} %"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_mean_and_rates() {
        let outcome =
            |score, exponent| Outcome { score, moves: 1, largest: Tile::from_exponent(exponent) };
        let sample =
            Sample::of(&[outcome(100, 10), outcome(300, 13), outcome(200, 11), outcome(200, 12)]);
        assert_eq!(
            sample.to_string(),
            "mean 200 (120 to 280) of 4 games one move ahead, most 300; 2048 in 75.0 %, 8192 in 25.0 %, 16384 in 0.0 %, \
             32768 in 0.0 %"
        );
    }
}
