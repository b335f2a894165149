//! The column of the game: numbers, board, the way back; and the line at the bottom.

use std::time::Instant;

use client::{
    seat::Action,
    view::spoken::{best_words, game_over_sentences, grouped},
};
use eframe::egui::{
    Align2, Color32, CornerRadius, FontId, Frame, Id, Label, Margin, Painter, Pos2, Rect, RichText,
    Role, Sense, Slider, Stroke, Ui, UiBuilder, Vec2, WidgetInfo, accesskit, vec2,
};
use protocol::State;

use super::{board, primary, soft};
use crate::{app::is_lost, desktop::Desktop, link::Order, options::Goal, theme::colours};

/// What the numbers above the board and the way back below it need, in points.
pub(super) const AROUND: f32 = NUMBERS + 44.0 + 16.0;
const NUMBERS: f32 = 54.0;
/// A board smaller than this is of no use: then one scrolls.
const LEAST_BOARD: f32 = 220.0;

pub(super) fn draw(ui: &mut Ui, desktop: &mut Desktop, now: Instant, size: f32) {
    let size = size.max(LEAST_BOARD).floor();
    let room = vec2(ui.available_width(), size + AROUND);
    let (area, _) = ui.allocate_exact_size(room, Sense::hover());
    let left = area.center().x - size / 2.0;
    let at = |top: f32, height: f32| {
        Rect::from_min_size(area.min + vec2(left - area.left(), top), vec2(size, height))
    };
    numbers(ui, desktop, at(0.0, NUMBERS));
    let square = at(NUMBERS + 8.0, size);
    board::draw(ui, desktop, now, square);
    over_the_board(ui, desktop, now, square);
    let mut below = ui.new_child(UiBuilder::new().max_rect(at(NUMBERS + size + 14.0, 40.0)));
    way_back(&mut below, desktop);
}

fn numbers(ui: &Ui, desktop: &Desktop, area: Rect) {
    let colours = colours(ui.ctx());
    let Some(state) = desktop.seat.view.state() else { return };
    let past = desktop.seat.look.as_ref().and_then(|look| look.past.as_ref());
    let (score, moves, merges, largest) = past
        .map_or((state.score, state.moves, state.merge_count, state.max_tile), |past| {
            (past.score, past.moves, past.merge_count, past.max_tile)
        });
    let all = [
        ("Score", grouped(score)),
        ("Best", grouped(state.best)),
        ("Moves", grouped(moves.into())),
        ("Merges", grouped(merges.into())),
        ("Max", largest.to_string()),
    ];
    // Without room for five the merges go first.
    let shown: Vec<_> =
        all.iter().filter(|(name, _)| area.width() >= 340.0 || *name != "Merges").collect();
    let gap = 8.0;
    let width = (area.width() - gap * (shown.len() - 1) as f32) / shown.len() as f32;
    for (index, (name, number)) in shown.into_iter().enumerate() {
        let corner = area.min + vec2(index as f32 * (width + gap), 0.0);
        let place = Rect::from_min_size(corner, vec2(width, area.height()));
        ui.painter().rect(
            place,
            10.0,
            colours.panel,
            Stroke::new(1.0, colours.rim),
            eframe::egui::StrokeKind::Inside,
        );
        let (left, room) = (place.left() + 9.0, width - 16.0);
        let painter = ui.painter();
        let font = FontId::proportional(12.5);
        let top = Pos2::new(left, place.top() + 6.0);
        painter.text(top, Align2::LEFT_TOP, name, font, colours.soft);
        let middle = Pos2::new(left, place.bottom() - 17.0);
        fitted(painter, middle, room, number, colours.ink);
        let heard = ui.interact(place, Id::unique(("number", *name)), Sense::hover());
        heard.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name} {number}")));
        if let Some(best) = best_words(state).filter(|_| *name == "Best") {
            heard.on_hover_text(best);
        }
    }
}

/// A number as large as there is room for.
fn fitted(painter: &Painter, middle: Pos2, room: f32, number: &str, ink: Color32) {
    let layout = |size| painter.layout_no_wrap(number.into(), FontId::proportional(size), ink);
    let mut galley = layout(18.0);
    if galley.size().x > room {
        galley = layout((18.0 * room / galley.size().x).max(7.0));
    }
    let corner = middle - vec2(0.0, galley.size().y / 2.0);
    painter.galley(corner, galley, ink);
}

/// What lies over the lower third: the end of the game, or what to do without a server.
fn over_the_board(ui: &mut Ui, desktop: &mut Desktop, now: Instant, board: Rect) {
    let Some(state) = desktop.seat.view.state().cloned() else {
        return nothing_yet(ui, desktop, now, board);
    };
    let seat = &desktop.seat;
    // The last move is seen to its end before the card comes.
    let still = !seat.view.is_moving(now);
    if state.game_over && still && seat.look.is_none() && !seat.card_closed {
        card(ui, board, |ui| game_over(ui, desktop, &state));
    }
}

fn card(ui: &mut Ui, board: Rect, contents: impl FnOnce(&mut Ui)) {
    let colours = colours(ui.ctx());
    let height = (board.height() * 0.36).max(142.0);
    let place = Rect::from_min_max(board.max - vec2(board.width(), height), board.max);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(place));
    Frame::new()
        .fill(colours.panel)
        .stroke(Stroke::new(1.0, colours.strong_rim))
        .corner_radius(CornerRadius::same(10))
        .inner_margin(Margin::same(12))
        .show(&mut ui, |ui| {
            ui.set_min_size(place.size() - Vec2::splat(26.0));
            contents(ui);
        });
}

fn game_over(ui: &mut Ui, desktop: &mut Desktop, state: &State) {
    let now = desktop.now();
    ui.label(RichText::new("Game over").size(20.0).strong());
    let text = game_over_sentences(state);
    let text = text.strip_prefix("Game over. ").unwrap_or(&text).to_owned();
    ui.label(text);
    ui.horizontal_wrapped(|ui| {
        if desktop.seat.view.may_play() && primary(ui, "New game").clicked() {
            desktop.act(Action::NewGame);
        }
        if ui.button("Start").clicked() {
            desktop.act(Action::First);
        }
        if ui.button("Close").clicked() {
            desktop.seat.card_closed = true;
        }
    });
    // Nothing plays any more: one picture is enough.
    debug_assert!(!desktop.seat.view.is_moving(now));
}

/// Before the first state: what is tried, and what else can be done.
fn nothing_yet(ui: &mut Ui, desktop: &mut Desktop, now: Instant, board: Rect) {
    let status = desktop.seat.view.status(now);
    let text = desktop.nowhere.clone().unwrap_or(status.link);
    if text.is_empty() {
        return;
    }
    if desktop.nowhere.is_none() && !is_lost(desktop) {
        return board::placard(ui, board, &text);
    }
    card(ui, board, |ui| {
        ui.label(RichText::new(text).strong());
        if !desktop.place.server.is_empty() {
            ui.label(soft(ui, desktop.place.server.clone()));
        }
        ui.horizontal_wrapped(|ui| {
            if ui.button("Try now").clicked() {
                desktop.order(Order::TryNow);
            }
            if primary(ui, "Play here").clicked() {
                let server = Some(desktop.settings.server.clone());
                let goal = Goal { server, ..Goal::default() };
                desktop.order(Order::PlayHere(goal));
            }
            if ui.button("Another server").clicked() {
                desktop.dialog = crate::desktop::Dialog::Server;
            }
        });
    });
}

/// The slider over the moves, with a step either way and the way back to live.
fn way_back(ui: &mut Ui, desktop: &mut Desktop) {
    let Some((here, last)) = desktop.seat.position() else { return };
    let now = desktop.now();
    ui.horizontal(|ui| {
        let (first, back, forward) = ("|<", "<", ">");
        for (sign, hint, action) in
            [(first, "the first move", Action::First), (back, "back", Action::Back(1))]
        {
            if ui.button(sign).on_hover_text(hint).clicked() {
                desktop.act(action);
            }
        }
        if ui.button(forward).on_hover_text("forward").clicked() {
            desktop.act(Action::Forward(1));
        }
        let looking = desktop.seat.look.is_some();
        let text = format!("move {here} of {last}");
        let short = format!("{here} / {last}");
        let shown = if ui.available_width() > 300.0 { &text } else { &short };
        let words = 8.0 * shown.len() as f32 + if looking { 64.0 } else { 8.0 };
        ui.spacing_mut().slider_width = (ui.available_width() - words).max(40.0);
        let mut at = here;
        let slider = Slider::new(&mut at, 0..=last.max(1)).show_value(false);
        let moved = ui.add_enabled(last > 0, slider);
        moved.widget_info(|| WidgetInfo::slider(last > 0, f64::from(here), "look back"));
        if at != here {
            let command = desktop.seat.look_at(at.min(last), now);
            desktop.call(command);
        }
        ui.label(soft(ui, shown));
        if looking && ui.button("Live").on_hover_text("back to the live game").clicked() {
            desktop.act(Action::Live);
        }
    });
}

/// The sentence of the moment; it is read out when it changes.
pub(super) fn status(ui: &mut Ui, desktop: &mut Desktop, now: Instant) {
    let colours = colours(ui.ctx());
    ui.horizontal(|ui| {
        ui.set_min_height(30.0);
        let (text, colour) = sentence(desktop, now, colours.ink, colours.soft);
        let line = ui.add(Label::new(RichText::new(text.clone()).color(colour)).truncate());
        live_region(ui, line.id, &text);
        if desktop.offers_the_game_before(now)
            && ui.button("Back to the previous one").clicked()
            && let Some(earlier) = desktop.seat.previous.clone()
        {
            let last = earlier.moves;
            let command = desktop.seat.visit(earlier, last, now);
            desktop.call(command);
        }
    });
}

fn sentence(desktop: &Desktop, now: Instant, ink: Color32, soft: Color32) -> (String, Color32) {
    if let Some(said) = desktop.seat.said(now) {
        return (said.text.clone(), ink);
    }
    let Some(state) = desktop.seat.view.state() else {
        return (desktop.place.server.clone(), soft);
    };
    if state.game_over && desktop.seat.look.is_none() && desktop.seat.card_closed {
        return (game_over_sentences(state), ink);
    }
    let custom = if state.custom { "Custom start. " } else { "" };
    let place = match (&desktop.place.session, desktop.place.own) {
        (Some(id), _) => format!("Session {} on {}", short(id), desktop.place.server),
        (None, true) => format!("Played here, open to this machine at {}", desktop.place.server),
        (None, false) => desktop.place.server.clone(),
    };
    let seed = state.seed.as_ref().map_or_else(String::new, |seed| format!("Seed {seed}. "));
    (format!("{custom}{seed}{place}"), soft)
}

/// As much of an id as tells it from others.
pub(super) fn short(id: &str) -> String {
    id.chars().take(8).collect()
}

fn live_region(ui: &Ui, id: Id, text: &str) {
    let described = ui.ctx().accesskit_node_builder(id, |node| {
        node.set_live(accesskit::Live::Polite);
        node.set_value(text);
    });
    // Nobody listens: then there is no node.
    described.unwrap_or_default();
}
