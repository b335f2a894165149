//! The distributions of the scores as a picture: a row for each player, a dot for each game.

use std::fmt::Write;

use super::report::Report;

/// Sizes in the picture's units.
const WIDTH: f64 = 900.0;
const LEFT: f64 = 170.0;
const RIGHT: f64 = 30.0;
const ROW: f64 = 56.0;
const TOP: f64 = 20.0;

/// The picture as SVG. Scores are on a logarithmic scale; the box holds the middle half, its line is the median.
pub(super) fn svg(report: &Report) -> String {
    let scale = Scale::of(report);
    let height = TOP + ROW * report.players.len() as f64 + 40.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for score in scale.ticks() {
        let (x, bottom) = (scale.x(score), height - 40.0);
        draw(
            &mut svg,
            format_args!(
                "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{score}</text>",
                bottom + 18.0,
            ),
        );
    }
    for (i, player) in report.players.iter().enumerate() {
        let middle = TOP + ROW * (i as f64 + 0.5);
        let mut scores = player.scores();
        scores.sort_by(f64::total_cmp);
        draw(
            &mut svg,
            format_args!(
                "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 12.0,
                middle + 4.0,
                player.label,
            ),
        );
        row(&mut svg, &scale, middle, &scores);
    }
    svg + "</svg>\n"
}

/// One player's games, in ascending order.
fn row(svg: &mut String, scale: &Scale, middle: f64, scores: &[f64]) {
    let quartile = |n: usize| scale.x(scores[(scores.len() - 1) * n / 4]);
    let (low, median, high) = (quartile(1), quartile(2), quartile(3));
    let (top, bottom) = (middle - 14.0, middle + 14.0);
    draw(
        svg,
        format_args!(
            "<rect x=\"{low:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"28\" fill=\"#cfe3f5\"/>\
         <path d=\"M{median:.1} {top:.1}V{bottom:.1}\" stroke=\"#14508c\" stroke-width=\"2\"/>",
            high - low,
        ),
    );
    for (i, &score) in scores.iter().enumerate() {
        // Dots of equal scores would hide each other: they take turns on five lines.
        let y = middle + 5.0 * ((i % 5) as f64 - 2.0);
        draw(
            svg,
            format_args!(
                "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"#14508c\" fill-opacity=\"0.5\"/>",
                scale.x(score),
            ),
        );
    }
}

fn draw(svg: &mut String, element: std::fmt::Arguments<'_>) {
    writeln!(svg, "{element}").expect("a string takes all that is written");
}

/// From scores to places.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(report: &Report) -> Self {
        let scores = || report.players.iter().flat_map(super::report::Summary::scores);
        let low = scores().fold(f64::INFINITY, f64::min).clamp(10.0, 1e6);
        let high = scores().fold(0.0, f64::max).max(low * 2.0);
        Self { low: low / 1.1, high: high * 1.1 }
    }

    fn x(&self, score: f64) -> f64 {
        let place = (score.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        LEFT + place * (WIDTH - LEFT - RIGHT)
    }

    /// The powers of ten, and their doubles and fives, that are in the picture.
    fn ticks(&self) -> Vec<f64> {
        (1..=7)
            .flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10.0_f64.powi(power)))
            .filter(|score| (self.low..self.high).contains(score))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{
        contestant::{Contestant, Setup},
        game::play,
    };

    #[test]
    fn every_game_has_its_dot_inside_the_picture() {
        let contestants: Vec<Contestant> = ["random", "rules"]
            .map(|name| Contestant::parse(name, &Setup::default()).unwrap())
            .to_vec();
        let records: Vec<_> = contestants
            .iter()
            .flat_map(|player| [1, 2, 3].map(|seed| play(player, seed)))
            .collect();
        let report = Report::new(&contestants, &records, &[1, 2, 3]);
        let svg = svg(&report);
        let places: Vec<f64> = svg
            .split("cx=\"")
            .skip(1)
            .map(|rest| rest[..rest.find('"').unwrap()].parse().unwrap())
            .collect();
        assert_eq!(places.len(), 6);
        assert!(places.iter().all(|x| (LEFT..=WIDTH - RIGHT).contains(x)), "{places:?}");
        assert!(svg.contains(">random<") && svg.contains(">rules<"));
    }
}
