//! The line at the top: how the connection is, whose move it is, who watches.

use std::time::Instant;

use client::view::{driver::driver_text, status::Light};
use eframe::egui::{
    Align, Color32, Label, Layout, Pos2, Response, RichText, Sense, Shape, Stroke, Ui, Vec2, vec2,
};
use protocol::DriverKind;

use super::{coloured, soft};
use crate::{
    app::is_lost,
    desktop::{Desktop, Dialog},
    keys::Wish,
    link::Order,
    theme::{self, colours},
};

/// Below this width the game's words have a line of their own.
const ONE_LINE: f32 = 640.0;

pub(super) fn draw(ui: &mut Ui, desktop: &mut Desktop, now: Instant) {
    let one_line = ui.available_width() >= ONE_LINE;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, desktop);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                connection(ui, desktop, now);
                if one_line {
                    game(ui, desktop, now);
                }
            });
        });
    });
    if !one_line {
        ui.horizontal(|ui| {
            ui.set_min_height(24.0);
            game(ui, desktop, now);
        });
    }
}

fn buttons(ui: &mut Ui, desktop: &mut Desktop) {
    if ui.button("Keys").clicked() {
        desktop.grant(Wish::Help);
    }
    if ui.button("Settings").clicked() {
        desktop.dialog = Dialog::Settings;
    }
    if ui.button("Server").clicked() {
        desktop.open_server_dialog();
    }
    if is_lost(desktop) && ui.button("Try now").clicked() {
        desktop.order(Order::TryNow);
    }
}

fn connection(ui: &mut Ui, desktop: &Desktop, now: Instant) {
    let colours = colours(ui.ctx());
    let status = desktop.seat.view.status(now);
    let (kind, words) = match &desktop.nowhere {
        Some(why) => (Light::Red, why),
        None => (status.light, &status.link),
    };
    if ui.available_width() > 120.0 {
        ui.label(RichText::new("2048").size(21.0).strong().color(colours.ink));
    }
    let colour = match kind {
        Light::Green => colours.good,
        Light::Amber => colours.warn,
        Light::Red => colours.bad,
        Light::Off => colours.soft,
    };
    if !words.is_empty() {
        light(ui, kind);
        ui.add(Label::new(coloured(words, colour)).truncate());
    }
}

fn game(ui: &mut Ui, desktop: &Desktop, now: Instant) {
    let status = desktop.seat.view.status(now);
    badge(ui, desktop);
    if !status.game.is_empty() {
        ui.add(Label::new(&status.game).truncate());
    }
    let Some(state) = desktop.seat.view.state() else { return };
    let since = match state.driver.kind {
        DriverKind::Human => String::new(),
        _ if state.agent.running => format!("since move {}", state.driver.since_move),
        _ => format!("Driver: {}", driver_text(state)),
    };
    let watchers = desktop.seat.view.watchers();
    let watching = if watchers > 1 { format!("{watchers} watching") } else { String::new() };
    for text in [since, watching] {
        // What has no room is left out: a cut word helps nobody.
        if !text.is_empty() && ui.available_width() > 8.0 * text.len() as f32 {
            ui.label(soft(ui, text));
        }
    }
}

/// The connection's light: its shape differs with its colour.
fn light(ui: &mut Ui, light: Light) -> Response {
    let colours = colours(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(12.0), Sense::hover());
    let centre = rect.center();
    let painter = ui.painter();
    match light {
        Light::Green => {
            painter.circle_filled(centre, 5.0, colours.good);
        }
        Light::Amber => {
            let corner = |x: f32, y: f32| Pos2::new(centre.x + x, centre.y + y);
            let corners =
                vec![corner(0.0, -6.0), corner(6.0, 0.0), corner(0.0, 6.0), corner(-6.0, 0.0)];
            painter.add(Shape::convex_polygon(corners, colours.warn, Stroke::NONE));
        }
        Light::Red => {
            painter.rect_filled(rect.shrink(1.0), 0.0, colours.bad);
        }
        Light::Off => {
            painter.circle_stroke(centre, 4.5, Stroke::new(1.5, colours.soft));
        }
    }
    response
}

/// Who drives, by a colour and a letter.
fn badge(ui: &mut Ui, desktop: &Desktop) {
    let Some(state) = desktop.seat.view.state() else { return };
    if state.driver.kind == DriverKind::Human || state.game_over {
        return;
    }
    let (fill, ink) =
        driver_colour(ui, desktop).unwrap_or((colours(ui.ctx()).soft, Color32::WHITE));
    let letter: String = state.driver.name.chars().take(1).flat_map(char::to_uppercase).collect();
    let (rect, _) = ui.allocate_exact_size(vec2(22.0, 22.0), Sense::hover());
    ui.painter().rect_filled(rect, 5.0, fill);
    let font = eframe::egui::FontId::proportional(14.0);
    ui.painter().text(rect.center(), eframe::egui::Align2::CENTER_CENTER, letter, font, ink);
}

/// The colour of the player that drives, and the ink on it; `None` while a person does.
pub(super) fn driver_colour(ui: &Ui, desktop: &Desktop) -> Option<(Color32, Color32)> {
    let state = desktop.seat.view.state().filter(|state| state.agent.running)?;
    let roster = &state.agent.roster;
    let number = roster.iter().position(|entry| entry.name == state.driver.name)?;
    Some(theme::player(ui.ctx(), number))
}
