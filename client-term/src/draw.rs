//! Draws the screen. The same model on the same size gives the same picture.

mod board;

mod overlay;

mod panel;

use std::time::Instant;

use client::view::{
    driver::driver_text,
    spoken::{game_over_sentences, grouped},
    status::Light,
};
use protocol::{DriverKind, State};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Margin, Rect},
    style::Style,
    text::{Line, Span},
    widgets::Paragraph,
};

use crate::{
    model::{Model, Overlay},
    theme::Tone,
};

/// The size from which everything is shown.
const FULL: (u16, u16) = (60, 24);

/// Draws `model` as it is at `now`.
pub fn draw(frame: &mut Frame<'_>, model: &Model, now: Instant) {
    let area = frame.area();
    if area.width < board::COMPACT.0 || area.height < board::COMPACT.1 {
        too_small(frame, area);
    } else if area.width >= FULL.0 && area.height >= FULL.1 {
        full(frame, area, model, now);
    } else {
        narrow(frame, area, model, now);
    }
    overlay::draw(frame, area, model);
}

fn too_small(frame: &mut Frame<'_>, area: Rect) {
    let (width, height) = board::COMPACT;
    let text =
        format!("Terminal too small ({}x{}): {width}x{height} needed", area.width, area.height);
    frame.render_widget(Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true }), area);
}

/// Header, numbers, board and panel side by side, sentence, keys.
fn full(frame: &mut Frame<'_>, area: Rect, model: &Model, now: Instant) {
    // A margin where there is room for one.
    let area = area.inner(Margin::new(u16::from(area.width > FULL.0 + 2), 0));
    let [header, numbers, _, middle, _, status, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(board::LARGE.1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    let [left, _, right] = Layout::horizontal([
        Constraint::Length(board::LARGE.0),
        Constraint::Length(2),
        Constraint::Min(0),
    ])
    .areas(middle);
    draw_header(frame, header, model, now);
    draw_numbers(frame, numbers, model, true);
    board::large(frame, top(left, board::LARGE.1), model, now);
    panel::draw(frame, right, model, now);
    draw_status(frame, status, model, now);
    draw_keys(frame, keys, model);
}

/// The board, and of the lines around it as many as there is room for.
fn narrow(frame: &mut Frame<'_>, area: Rect, model: &Model, now: Instant) {
    let large = area.width >= board::LARGE.0 && area.height >= board::LARGE.1 + 3;
    let (width, height) = if large { board::LARGE } else { board::COMPACT };
    let spare = area.height - height;
    // In the order of their worth: the sentence, the numbers, the connection, the keys.
    let line = |rank: u16| Constraint::Length(u16::from(spare >= rank));
    let [header, numbers, middle, status, keys, _] = Layout::vertical([
        line(3),
        line(2),
        Constraint::Length(height),
        line(1),
        line(4),
        Constraint::Min(0),
    ])
    .areas(area);
    draw_header(frame, header, model, now);
    draw_numbers(frame, numbers, model, false);
    let board_area = Rect { width: width.min(middle.width), ..middle };
    if large {
        board::large(frame, board_area, model, now);
    } else {
        board::compact(frame, board_area, model, now);
    }
    draw_status(frame, status, model, now);
    draw_keys(frame, keys, model);
}

fn top(area: Rect, height: u16) -> Rect {
    Rect { height: height.min(area.height), ..area }
}

/// "2048  * Live  Monte Carlo Tree Search plays  since move 120  3 watching": of the pieces, those that have room.
fn draw_header(frame: &mut Frame<'_>, area: Rect, model: &Model, now: Instant) {
    let status = model.seat.view.status(now);
    let tone = match status.light {
        Light::Green => Tone::Good,
        Light::Amber => Tone::Warning,
        Light::Red => Tone::Bad,
        Light::Off => Tone::Faint,
    };
    let theme = model.theme;
    let light = if status.link.is_empty() { "" } else { theme.either("● ", "* ") };
    let pieces = [
        Span::styled("2048", theme.text(Tone::Strong)),
        Span::styled(format!("{light}{}", status.link), theme.text(tone)),
        Span::raw(status.game),
        Span::styled(
            model.seat.view.state().map_or_else(String::new, since),
            theme.text(Tone::Faint),
        ),
        Span::styled(watchers(model.seat.view.watchers()), theme.text(Tone::Faint)),
    ];
    let mut line = Line::default();
    for piece in pieces.into_iter().filter(|piece| piece.width() > 0) {
        // The light and its words are cut rather than left out.
        if line.spans.len() > 1 && line.width() + piece.width() > usize::from(area.width) {
            continue;
        }
        line.push_span(piece);
        line.push_span("  ");
    }
    frame.render_widget(line, area);
}

fn since(state: &State) -> String {
    match state.driver.kind {
        DriverKind::Human => String::new(),
        _ if state.agent.running => format!("since move {}", state.driver.since_move),
        _ => format!("Driver: {}", driver_text(state)),
    }
}

/// Oneself is not worth saying.
fn watchers(count: u32) -> String {
    if count > 1 { format!("{count} watching") } else { String::new() }
}

/// "Score 12,340  Best 27,168  Moves 812  Merges 760  Max 1024"
fn draw_numbers(frame: &mut Frame<'_>, area: Rect, model: &Model, merges: bool) {
    let Some(state) = model.seat.view.state() else { return };
    let looked_at = model.seat.look.as_ref().and_then(|look| look.past.as_ref());
    let (score, moves, merge_count, max_tile) = looked_at
        .map_or((state.score, state.moves, state.merge_count, state.max_tile), |past| {
            (past.score, past.moves, past.merge_count, past.max_tile)
        });
    let mut numbers = vec![
        ("Score", grouped(score)),
        ("Best", grouped(state.best)),
        ("Moves", grouped(moves.into())),
    ];
    if merges {
        numbers.push(("Merges", grouped(merge_count.into())));
    }
    numbers.push(("Max", max_tile.to_string()));
    let mut spans = Vec::new();
    for (name, number) in numbers {
        spans.push(Span::styled(format!("{name} "), model.theme.text(Tone::Faint)));
        spans.push(Span::styled(number, model.theme.text(Tone::Strong)));
        spans.push(Span::raw("  "));
    }
    frame.render_widget(Line::from(spans), area);
}

/// The question that waits for an answer, or the sentence said last, or what is always worth saying.
fn draw_status(frame: &mut Frame<'_>, area: Rect, model: &Model, now: Instant) {
    let (text, style) = if model.overlay == Overlay::Typing {
        // Its end is where one types.
        let room = usize::from(area.width).saturating_sub(2);
        let hidden = model.typed.chars().count().saturating_sub(room);
        let shown: String = model.typed.chars().skip(hidden).collect();
        (format!(":{shown}_"), model.theme.text(Tone::Strong))
    } else if model.overlay == Overlay::NewGame {
        let question = "Start a new game? This one stays in the list of games.  y / n";
        (question.into(), model.theme.text(Tone::Strong))
    } else if let Some(said) = model.said(now) {
        (said.into(), Style::new())
    } else {
        (standing(model), model.theme.text(Tone::Faint))
    };
    frame.render_widget(Line::styled(text, style), area);
}

fn standing(model: &Model) -> String {
    let Some(state) = model.seat.view.state() else { return String::new() };
    if state.game_over && model.seat.look.is_none() {
        return game_over_sentences(state);
    }
    seed(state)
}

fn seed(state: &State) -> String {
    let custom = if state.custom { "Custom start. " } else { "" };
    match &state.seed {
        Some(seed) => format!("{custom}Seed {seed}"),
        None => custom.trim_end().into(),
    }
}

/// As many of the keys as there is room for, the most needed first, in an order that does not depend on it.
fn draw_keys(frame: &mut Frame<'_>, area: Rect, model: &Model) {
    let moves = model.theme.either("←↑↓→ move", "arrows move");
    let shown = [
        (0, moves),
        (3, "space AI"),
        (6, "enter step"),
        (5, "i hint"),
        (4, "n new"),
        (7, "p players"),
        (2, "? keys"),
        (1, "q quit"),
    ];
    let text = |most: usize| {
        let words = shown.iter().filter(|(need, _)| *need < most).map(|(_, word)| *word);
        words.collect::<Vec<_>>().join("  ")
    };
    let fits = |text: &String| text.chars().count() <= usize::from(area.width);
    let line = (1..=shown.len()).rev().map(text).find(fits).unwrap_or_default();
    frame.render_widget(Line::styled(line, model.theme.text(Tone::Faint)), area);
}

#[cfg(test)]
mod tests;
