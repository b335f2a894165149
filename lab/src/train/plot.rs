//! The learning curve as a picture.

use std::fmt::Write;

/// One evaluation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    /// Learned from so far.
    pub(super) games: f64,
    /// Mean score, and its 95 % interval.
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Sizes in the picture's units.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;

/// The picture as SVG: the mean score over the games, with its interval as a band.
pub(super) fn svg(points: &[Point]) -> String {
    let most = |of: fn(&Point) -> f64| points.iter().map(of).fold(1.0, f64::max);
    let (games, score) = (most(|point| point.games), most(|point| point.high));
    let x = |value: f64| LEFT + value / games * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - value / score * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for value in ticks(score) {
        let (y, right) = (y(value), WIDTH - RIGHT);
        draw(
            &mut svg,
            format_args!(
                "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{:.0}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{value}</text>",
                LEFT - 8.0,
                y + 4.0,
            ),
        );
    }
    for value in ticks(games) {
        let (x, bottom) = (x(value), HEIGHT - BOTTOM);
        draw(
            &mut svg,
            format_args!(
                "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/><text x=\"{x:.1}\" y=\"{:.0}\" \
                 text-anchor=\"middle\">{value}</text>",
                bottom + 18.0,
            ),
        );
    }
    let path = |values: &mut dyn Iterator<Item = (f64, f64)>| {
        values
            .map(|(games, score)| format!("{:.1} {:.1}", x(games), y(score)))
            .collect::<Vec<_>>()
            .join("L")
    };
    let band = path(
        &mut points
            .iter()
            .map(|point| (point.games, point.high))
            .chain(points.iter().rev().map(|point| (point.games, point.low))),
    );
    let line = path(&mut points.iter().map(|point| (point.games, point.mean)));
    draw(
        &mut svg,
        format_args!(
            "<path d=\"M{band}Z\" fill=\"#cfe3f5\"/><path d=\"M{line}\" fill=\"none\" stroke=\"#14508c\" \
             stroke-width=\"2\"/>\n<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">games learned from; mean score \
             of a game one move ahead</text>",
            WIDTH / 2.0,
            HEIGHT - 12.0,
        ),
    );
    svg + "</svg>\n"
}

/// About five round values up to `most`.
fn ticks(most: f64) -> impl Iterator<Item = f64> {
    let magnitude = 10.0_f64.powf((most / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|step| step * magnitude);
    let step = step.into_iter().find(|step| most / step <= 6.0).unwrap_or(most);
    (0..=6).map(move |i| f64::from(i) * step).take_while(move |value| *value <= most)
}

fn draw(svg: &mut String, element: std::fmt::Arguments<'_>) {
    writeln!(svg, "{element}").expect("a string takes all that is written");
}
