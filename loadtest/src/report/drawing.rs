//! A report as a page or a picture: the figures, and latency curves.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::Context as _;
use plotters::{
    chart::{ChartBuilder, ChartContext},
    coord::{
        Shift,
        ranged1d::{Ranged, ValueFormatter},
        types::RangedCoordf64,
    },
    prelude::{
        Cartesian2d, DrawingArea, IntoDrawingArea as _, IntoLogRange as _, LineSeries,
        Palette as _, Palette99, PathElement, SVGBackend, SeriesLabelPosition, WHITE,
    },
    style::{BLACK, Color as _},
};
use serde_json::{Map, Value};

use super::{Curve, Line};

/// The size of one chart.
const SIZE: (u32, u32) = (960, 320);

/// The last percentile that is drawn is that of one in so many.
const ONE_IN: f64 = 1e5;

/// Points of a curve of percentiles.
const POINTS: u32 = 200;

/// A chart's lines, by name.
type Lines = Vec<(String, Vec<(f64, f64)>)>;

/// Writes a picture where the file's name ends in `.svg`, a page with the picture and the figures in every other case.
///
/// # Errors
/// - When the file can't be written.
pub(super) fn write(
    path: &Path,
    figures: &Map<String, Value>,
    curves: &[Curve],
    lines: &[Line],
) -> anyhow::Result<()> {
    let picture = picture(curves, lines)?;
    let is_picture =
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    let text = if is_picture { picture } else { page(figures, &picture) };
    fs::write(path, text).with_context(|| format!("write the report {}", path.display()))
}

fn page(figures: &Map<String, Value>, picture: &str) -> String {
    let name = figures.get("scenario").and_then(Value::as_str).unwrap_or_default();
    let mut rows = String::new();
    for (name, value) in figures {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if writeln!(rows, "<tr><th>{}<td>{}", escaped(name), escaped(&value)).is_err() {
            break;
        }
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>loadtest {name}</title>\n\
         <style>body{{font:15px sans-serif;margin:2em;max-width:70em}}th{{text-align:left;padding-right:2em;\
         font-weight:normal}}td{{font-family:monospace;word-break:break-all}}</style>\n\
         <h1>loadtest {name}</h1>\n{picture}\n<table>\n{rows}</table></html>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// All charts, one below the other.
fn picture(curves: &[Curve], lines: &[Line]) -> anyhow::Result<String> {
    let with_counts: Vec<_> = curves.iter().filter(|curve| curve.all.count() > 0).collect();
    let mut charts: Vec<(&str, Lines)> = Vec::new();
    for curve in &with_counts {
        let named = |(name, points): &(&str, Vec<(f64, f64)>)| ((*name).to_owned(), points.clone());
        charts.push((&curve.what, curve.over_time.iter().map(named).collect()));
    }
    charts.extend(
        lines.iter().map(|line| (line.what.as_str(), vec![(String::new(), line.points.clone())])),
    );
    let rows = charts.len() + 1;
    let mut picture = String::new();
    {
        let size = (SIZE.0, SIZE.1 * rows as u32);
        let root = SVGBackend::with_string(&mut picture, size).into_drawing_area();
        root.fill(&WHITE)?;
        let areas = root.split_evenly((rows, 1));
        let (first, rest) = areas.split_first().context("a picture without charts")?;
        percentiles(first, &with_counts)?;
        for (area, (what, lines)) in rest.iter().zip(&charts) {
            over_time(area, what, lines)?;
        }
        root.present()?;
    }
    Ok(picture)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Milliseconds by the share that took longer, as histograms of latency are drawn.
fn percentiles(area: &Area<'_>, curves: &[&Curve]) -> anyhow::Result<()> {
    let lines: Lines = curves
        .iter()
        .map(|curve| {
            let point = |number| {
                let one_in = ONE_IN.powf(f64::from(number) / f64::from(POINTS));
                (one_in, curve.all.percentile(100.0 - 100.0 / one_in))
            };
            (curve.what.clone(), (0..=POINTS).map(point).collect())
        })
        .collect();
    let mut chart = ChartBuilder::on(area)
        .caption("latency by percentile, ms", ("sans-serif", 16))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(60)
        .build_cartesian_2d((1.0..ONE_IN).log_scale(), 0.0..top(&lines))?;
    chart
        .configure_mesh()
        .x_label_formatter(&|one_in| format!("{} %", 100.0 - 100.0 / one_in))
        .draw()?;
    draw(&mut chart, &lines)
}

fn over_time(area: &Area<'_>, what: &str, lines: &Lines) -> anyhow::Result<()> {
    let end = all(lines).map(|(at, _)| at).fold(1.0, f64::max);
    let unit = if lines.len() > 1 { ", ms by seconds" } else { ", by seconds" };
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{what}{unit}"), ("sans-serif", 16))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..end, 0.0..top(lines))?;
    chart.configure_mesh().draw()?;
    draw(&mut chart, lines)
}

fn draw<'a, 'b: 'a, X>(
    chart: &mut ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, RangedCoordf64>>,
    lines: &Lines,
) -> anyhow::Result<()>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64> + 'a,
{
    for (number, (name, points)) in lines.iter().enumerate() {
        let color = Palette99::pick(number).to_rgba();
        let drawn =
            chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))?;
        drawn
            .label(name.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    if lines.iter().any(|(name, _)| !name.is_empty()) {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
    }
    Ok(())
}

fn all(lines: &Lines) -> impl Iterator<Item = (f64, f64)> {
    lines.iter().flat_map(|(_, points)| points.iter().copied())
}

/// The upper end of the scale.
fn top(lines: &Lines) -> f64 {
    all(lines).map(|(_, value)| value).fold(1e-3, f64::max) * 1.05
}
