//! What lies over the screen: the list of players, the keys, the card of a game that is over.

use client::{
    seat::games::record_words,
    view::spoken::{best_words, grouped},
};
use protocol::{RosterEntry, State};
use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::Line,
    widgets::{Block, Borders, Clear, Paragraph},
};

use super::board;
use crate::{
    keys,
    model::{Model, Overlay},
    order::HELP,
    theme::Tone,
};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, model: &Model) {
    match (model.overlay, model.seat.view.state()) {
        (Overlay::Help, _) => draw_box(frame, area, model, "Keys", &help_lines(model)),
        (Overlay::Commands, _) => {
            let lines: Vec<_> = HELP.lines().map(Line::raw).collect();
            draw_box(frame, area, model, "Commands", &lines);
        }
        (Overlay::Server, _) => draw_box(frame, area, model, "Server", &server_lines(model)),
        (Overlay::Games(marked), _) => {
            let games = &model.seat.games;
            let (show, sort) = (games.query.show, games.query.sort);
            let title = format!("Games: {show}, by {sort}, page {}", games.number());
            draw_box(frame, area, model, &title, &game_lines(model, marked));
        }
        (Overlay::Players(marked), Some(state)) => {
            let lines = player_lines(model, &state.agent.roster, marked);
            draw_box(frame, area, model, "Players", &lines);
        }
        (_, Some(state))
            if state.game_over && !model.seat.card_closed && model.seat.look.is_none() =>
        {
            draw_card(frame, area, model, state);
        }
        _ => {}
    }
}

fn help_lines(model: &Model) -> Vec<Line<'static>> {
    let line = |(keys, does): (&str, &str)| Line::raw(format!("{keys:<15} {does}"));
    keys::help(model.theme.ascii).map(line).collect()
}

fn player_lines(model: &Model, roster: &[RosterEntry], marked: usize) -> Vec<Line<'static>> {
    let line = |(index, entry): (usize, &RosterEntry)| {
        let mark = if index == marked { ">" } else { " " };
        let why = match (&entry.reason, entry.available) {
            (Some(reason), false) => format!(" ({reason})"),
            (None, false) => " (not available)".into(),
            (_, true) => String::new(),
        };
        let tone = match (entry.available, index == marked) {
            (false, _) => Tone::Faint,
            (true, true) => Tone::Strong,
            (true, false) => Tone::Good,
        };
        let style = if tone == Tone::Good { Style::new() } else { model.theme.text(tone) };
        Line::styled(format!("{mark} {} {}{why}", index + 1, entry.title), style)
    };
    let mut lines: Vec<Line<'_>> = roster.iter().enumerate().map(line).collect();
    lines.push(Line::styled("number or enter, Esc closes", model.theme.text(Tone::Faint)));
    lines
}

fn game_lines(model: &Model, marked: usize) -> Vec<Line<'static>> {
    let games = &model.seat.games;
    let mut lines: Vec<Line<'_>> = Vec::new();
    match &games.page {
        None => lines.push(Line::raw("Asking the server...")),
        Some(Err(why)) => lines.push(Line::styled(why.clone(), model.theme.text(Tone::Bad))),
        Some(Ok(page)) if page.items.is_empty() => lines.push(Line::raw("No such games.")),
        Some(Ok(page)) => lines.extend(page.items.iter().enumerate().map(|(index, game)| {
            let (mark, tone) =
                if index == marked { (">", Tone::Strong) } else { (" ", Tone::Good) };
            let style = if tone == Tone::Good { Style::new() } else { model.theme.text(tone) };
            Line::styled(format!("{mark} {}", record_words(game)), style)
        })),
    }
    let more = if games.has_more() { "n next page  " } else { "" };
    let back = if games.number() > 1 { "p page before  " } else { "" };
    let keys = format!("enter looks  f which  o order  {more}{back}Esc closes");
    lines.push(Line::styled(keys, model.theme.text(Tone::Faint)));
    lines
}

fn server_lines(model: &Model) -> Vec<Line<'static>> {
    let mut lines = match &model.seat.server {
        None => vec![Line::raw("Asking the server...")],
        Some(Err(why)) => vec![Line::styled(why.clone(), model.theme.text(Tone::Bad))],
        Some(Ok(facts)) => facts.lines().into_iter().map(Line::raw).collect(),
    };
    if let Some(best) = model.seat.view.state().and_then(best_words) {
        lines.push(Line::raw(format!("Best here: {best}")));
    }
    lines
}

/// A box in the middle, cut to the screen.
fn draw_box(frame: &mut Frame<'_>, area: Rect, model: &Model, title: &str, lines: &[Line<'_>]) {
    let widest = lines.iter().map(Line::width).max().unwrap_or(0) as u16;
    let width = (widest + 4).min(area.width);
    let height = (lines.len() as u16 + 2).min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let border = Block::new()
        .borders(Borders::ALL)
        .border_set(model.theme.box_border())
        .title(format!(" {title} "))
        .padding(ratatui::widgets::Padding::horizontal(1));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines.to_vec()).block(border), place);
}

/// Over the lower third of the board; where there is no room for it, the line of numbers and the sentence do.
fn draw_card(frame: &mut Frame<'_>, area: Rect, model: &Model, state: &State) {
    let lines = [
        Line::styled("Game over", model.theme.text(Tone::Strong)),
        Line::raw(format!(
            "{} points, {} moves",
            grouped(state.score),
            grouped(state.moves.into())
        )),
        Line::raw("n new game   Esc closes"),
    ];
    let height = lines.len() as u16 + 2;
    if area.width < board::LARGE.0 || area.height < board::LARGE.1 + 3 {
        return;
    }
    let header = if area.width >= super::FULL.0 && area.height >= super::FULL.1 { 3 } else { 2 };
    let bottom = area.y + header + board::LARGE.1;
    let place = Rect { x: area.x + 3, y: bottom - height, width: board::LARGE.0 - 6, height };
    draw_box(frame, place.intersection(area), model, "2048", &lines);
}
