//! Beside the board: the player, its last decision, the hint, the log.

use std::{collections::BTreeMap, time::Instant};

use client::{
    seat::{Budget, Logged},
    view::{
        driver::{risk_words, title},
        spoken::{direction_word, grouped},
    },
};
use protocol::{Decision, Direction, HintMove, State};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::{Paragraph, Wrap},
};

use crate::{model::Model, theme::Tone};

/// Lines of the decision: they stay where they are when it appears.
const DECISION_LINES: u16 = 8;
/// Columns that are of use for how a move was decided.
const LEAST_WHY: usize = 8;
const DIRECTIONS: [Direction; 4] =
    [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, model: &Model, now: Instant) {
    let Some(state) = model.seat.view.state() else { return };
    let [player, decision, heading, log] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(DECISION_LINES),
        Constraint::Length(1),
        Constraint::Min(0),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(player_lines(model, state, player.width, now)), player);
    if let Some(hint) = model.seat.hint() {
        let lines = hint_lines(model, &hint.moves, hint.decision.direction);
        frame.render_widget(Paragraph::new(lines), decision);
    } else {
        draw_decision(frame, decision, model, state);
    }
    if !model.seat.log.is_empty() {
        frame.render_widget(Line::styled("Log", model.theme.text(Tone::Strong)), heading);
    }
    frame.render_widget(Paragraph::new(log_lines(model, log)), log);
}

fn player_lines(model: &Model, state: &State, width: u16, now: Instant) -> Vec<Line<'static>> {
    let name = model.seat.player().unwrap_or_default();
    let title = title(&state.agent, name);
    // A title that has no room is worth less than a whole name.
    let player =
        if "Player ".len() + title.chars().count() <= usize::from(width) { title } else { name };
    let pace = model.seat.pace().map_or_else(String::new, |pace| pace.to_string());
    let budget = model.seat.budget().filter(|budget| *budget != Budget::Own);
    let budget = budget.map_or_else(String::new, |budget| format!("  {budget}"));
    let doing = match model.seat.view.status(now).thinking {
        Some(elapsed) => format!("  thinking for {:.1} s", elapsed.as_secs_f64()),
        None if state.agent.running => "  playing".into(),
        None => "  not playing".into(),
    };
    let faint = model.theme.text(Tone::Faint);
    vec![
        Line::from(vec![
            Span::styled("Player ", faint),
            Span::styled(player.to_owned(), model.theme.text(Tone::Strong)),
        ]),
        Line::from(vec![
            Span::styled("Pace ", faint),
            Span::raw(format!("{pace}{budget}")),
            Span::styled(doing, faint),
        ]),
    ]
}

fn draw_decision(frame: &mut Frame<'_>, area: Rect, model: &Model, state: &State) {
    let looked_at = model.seat.look.as_ref().and_then(|look| look.past.as_ref());
    let decision = looked_at.map_or(state.decision.as_ref(), |past| past.decision.as_ref());
    let mut lines = Vec::new();
    if let Some(decision) = decision {
        lines.push(headline(model, decision));
        if let Some(facts) = facts(decision) {
            lines.push(Line::raw(facts));
        }
        let fallback = client::view::driver::fallback_text(decision);
        if let Some(text) = fallback {
            let times = model.seat.view.fallback().map_or(1, |fallback| fallback.times);
            let times = if times > 1 { format!(" (x {times})") } else { String::new() };
            lines.push(Line::styled(format!("! {text}{times}"), model.theme.text(Tone::Warning)));
        }
        if let Some(shares) = &decision.probabilities {
            lines.extend(bars(model, shares, decision.direction, area.width));
        }
        if let Some(detail) = &decision.detail {
            lines.push(Line::styled(detail.clone(), model.theme.text(Tone::Faint)));
        }
    }
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

/// "LEFT by mcts"
fn headline(model: &Model, decision: &Decision) -> Line<'static> {
    let direction = decision.direction.map_or("No move", direction_word);
    Line::from(vec![
        Span::styled(direction, model.theme.text(Tone::Strong)),
        Span::raw(format!(" by {}", decision.source)),
    ])
}

/// "99 %  risk 0.57 getting crowded  301 ms"
fn facts(decision: &Decision) -> Option<String> {
    let mut facts = Vec::new();
    facts.extend(decision.confidence.map(|share| format!("{:.0} %", 100.0 * share)));
    facts.extend(decision.risk.map(|risk| format!("risk {risk:.2} {}", risk_words(risk))));
    facts.extend(decision.latency_ms.map(|ms| format!("{} ms", grouped(ms))));
    (!facts.is_empty()).then(|| facts.join("  "))
}

/// One bar a direction, the chosen one marked by a character too.
fn bars(
    model: &Model,
    shares: &BTreeMap<Direction, f64>,
    chosen: Option<Direction>,
    width: u16,
) -> Vec<Line<'static>> {
    // "> Right " before the bar and " 100 %" behind it.
    let most = usize::from(width.saturating_sub(14)).min(20);
    let bar = |direction: &Direction| {
        let share = shares.get(direction)?.clamp(0.0, 1.0);
        let filled = (1..=most).filter(|step| share * most as f64 >= *step as f64 - 0.5).count();
        let full = model.theme.either("█", "#").repeat(filled);
        let empty = model.theme.either("░", "-").repeat(most - filled);
        let mark = if chosen == Some(*direction) { "> " } else { "  " };
        let text = format!(
            "{mark}{:<5} {full}{empty} {:>3.0} %",
            direction_word(*direction),
            100.0 * share
        );
        let tone = if chosen == Some(*direction) { Tone::Strong } else { Tone::Faint };
        Some(Line::styled(text, model.theme.text(tone)))
    };
    DIRECTIONS.iter().filter_map(bar).collect()
}

/// What each direction would give.
fn hint_lines(
    model: &Model,
    moves: &BTreeMap<Direction, HintMove>,
    chosen: Option<Direction>,
) -> Vec<Line<'static>> {
    let words = chosen.map_or("no move", direction_word);
    let mut lines = vec![Line::styled(format!("Hint: {words}"), model.theme.text(Tone::Strong))];
    for direction in DIRECTIONS {
        let mark = if chosen == Some(direction) { "> " } else { "  " };
        let what = moves.get(&direction).filter(|known| known.legal).map_or_else(
            || String::from("changes nothing"),
            |known| {
                let mut facts = Vec::new();
                facts.extend(known.gained.map(|gained| format!("+{gained}")));
                facts.extend(known.empty_after.map(|empty| format!("{empty} empty")));
                facts.extend(
                    known.could_end_the_game.filter(|ends| *ends).map(|_| "may end it".into()),
                );
                facts.join(", ")
            },
        );
        lines.push(Line::raw(format!("{mark}{:<5} {what}", direction_word(direction))));
    }
    lines
}

/// The newest moves, newest last. Where there is little room a direction is a letter.
fn log_lines(model: &Model, area: Rect) -> Vec<Line<'static>> {
    let shown = model.seat.log.len().saturating_sub(area.height.into());
    let letters = if area.width < 28 { 1 } else { 5 };
    let line = |logged: &Logged| {
        let gained = match logged.gained {
            0 => String::new(),
            gained => format!("+{gained}"),
        };
        let Logged { number, by, spawned, why, .. } = logged;
        let direction = logged.direction;
        let mut text =
            format!("{number:>4} {direction:<letters$.letters$} {gained:<6} {by:<8} {spawned}");
        // How it was decided is worth a line that has room for more than its beginning.
        let room = usize::from(area.width).saturating_sub(text.chars().count() + 1);
        if room >= LEAST_WHY {
            text.extend([" "].into_iter().chain([why.as_str()]));
        }
        Line::styled(text, model.theme.text(Tone::Faint))
    };
    model.seat.log.iter().skip(shown).map(line).collect()
}
