//! Draws the window. The same state at the same time gives the same picture.

mod board;

mod dialogs;

mod header;

mod lists;

mod play;

mod side;

use eframe::egui::{
    CentralPanel, Color32, CornerRadius, Frame, Margin, Panel, Response, RichText, ScrollArea,
    Stroke, Ui,
};

use crate::{desktop::Desktop, theme::Colours, theme::colours};

/// The width from which the panel stands beside the board.
const WIDE: f32 = 740.0;
/// The panel's width beside the board.
const SIDE: f32 = 372.0;

/// Draws everything.
pub fn draw(ui: &mut Ui, desktop: &mut Desktop) {
    let now = desktop.now();
    let colours = colours(ui.ctx());
    let bar = |colours: &Colours| {
        Frame::new().fill(colours.ground).inner_margin(Margin::symmetric(14, 8))
    };
    Panel::top("header")
        .frame(bar(&colours))
        .show_separator_line(false)
        .show(ui, |ui| header::draw(ui, desktop, now));
    Panel::bottom("status")
        .frame(bar(&colours))
        .show_separator_line(false)
        .show(ui, |ui| play::status(ui, desktop, now));
    let body = Frame::new()
        .fill(colours.ground)
        .inner_margin(Margin { bottom: 4, ..Margin::symmetric(14, 0) });
    if ui.available_width() >= WIDE {
        Panel::right("side")
            .frame(body)
            .exact_size(SIDE)
            .resizable(false)
            .show_separator_line(false)
            .show(ui, |ui| {
                let all = ScrollArea::vertical().id_salt("side").auto_shrink(false);
                all.show(ui, |ui| side::draw(ui, desktop, now));
            });
        CentralPanel::default().frame(body).show(ui, |ui| {
            let room = ui.available_size();
            play::draw(ui, desktop, now, room.x.min(room.y - play::AROUND));
        });
    } else {
        CentralPanel::default().frame(body).show(ui, |ui| {
            let room = ui.available_size();
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                // The board and what steers it stay on one screen.
                play::draw(ui, desktop, now, room.x.min(room.y - play::AROUND));
                ui.add_space(8.0);
                side::draw(ui, desktop, now);
            });
        });
    }
    dialogs::draw(ui.ctx(), desktop);
}

/// A box for what belongs together.
fn boxed<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let colours = colours(ui.ctx());
    Frame::new()
        .fill(colours.panel)
        .stroke(Stroke::new(1.0, colours.rim))
        .corner_radius(CornerRadius::same(10))
        .inner_margin(Margin::symmetric(12, 10))
        .show(ui, contents)
        .inner
}

/// The button that matters most here.
fn primary(ui: &mut Ui, text: &str) -> Response {
    let colours = colours(ui.ctx());
    let text = RichText::new(text).color(colours.accent_ink).strong();
    ui.add(eframe::egui::Button::new(text).fill(colours.accent))
}

/// Text of less importance.
fn soft(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).color(colours(ui.ctx()).soft)
}

/// Text in a colour.
fn coloured(text: impl Into<String>, colour: Color32) -> RichText {
    RichText::new(text).color(colour)
}
