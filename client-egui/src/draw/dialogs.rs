//! What lies over the window: one dialog at a time, closed by Esc or a click beside it.

use client::{position, view::palette::Palette};
use eframe::egui::{Context, Grid, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui};

use super::{coloured, primary, soft};
use crate::{
    desktop::{Desktop, Dialog, Leave},
    keys,
    link::Order,
    options::Goal,
    settings::{Held, Labels, Look, Moving},
    theme::colours,
};

pub(super) fn draw(ctx: &Context, desktop: &mut Desktop) {
    let dialog = desktop.dialog;
    if dialog == Dialog::None {
        return;
    }
    let shown = Modal::new(Id::unique("dialog")).show(ctx, |ui| {
        ui.set_max_width(420.0);
        match dialog {
            Dialog::None => {}
            Dialog::NewGame => new_game(ui, desktop),
            Dialog::Position => position(ui, desktop),
            Dialog::Help => help(ui, desktop),
            Dialog::Settings => settings(ui, desktop),
            Dialog::Server => server(ui, desktop),
            Dialog::Closing => closing(ui, desktop),
        }
    });
    if shown.should_close() && desktop.dialog == dialog {
        desktop.dialog = Dialog::None;
    }
}

fn new_game(ui: &mut Ui, desktop: &mut Desktop) {
    ui.heading("Start a new game?");
    ui.label("This one stays in Games.");
    let yes = primary(ui, "New game");
    // The question can be answered by the keyboard at once: Enter or Y.
    if ui.memory(|memory| memory.focused().is_none()) {
        yes.request_focus();
    }
    let typed = ui.input(|input| input.key_pressed(Key::Y));
    if yes.clicked() || typed {
        desktop.dialog = Dialog::None;
        desktop.call(Some(client::Command::NewGame(None)));
    }
    if ui.button("Go on playing").clicked() {
        desktop.dialog = Dialog::None;
    }
}

/// The position on the board as a code, and the way to begin on another one.
fn position(ui: &mut Ui, desktop: &mut Desktop) {
    ui.heading("Position");
    ui.label(soft(ui, "Four rows of four numbers; 0 is an empty square."));
    ui.add(TextEdit::singleline(&mut desktop.code).desired_width(380.0));
    let now = desktop.now();
    ui.horizontal(|ui| {
        if desktop.seat.view.may_play() && primary(ui, "Play from here").clicked() {
            match position::read(&desktop.code) {
                Ok(grid) => {
                    desktop.dialog = Dialog::None;
                    let command = desktop.seat.start_from(grid, now);
                    desktop.call(command);
                }
                Err(error) => desktop.answer(&error.to_string()),
            }
        }
        if ui.button("Copy").clicked() {
            ui.copy_text(desktop.code.clone());
            desktop.answer("The code is copied.");
        }
    });
    ui.label(soft(ui, "Such a game does not count for the best score."));
    close_button(ui, desktop);
}

fn help(ui: &mut Ui, desktop: &mut Desktop) {
    ui.heading("Keys");
    let room = ui.ctx().content_rect().height() - 150.0;
    ScrollArea::vertical().max_height(room.max(120.0)).show(ui, |ui| {
        let grid = Grid::new("keys").num_columns(2).min_row_height(20.0).spacing([18.0, 2.0]);
        grid.show(ui, |ui| {
            for (shown, does) in keys::help() {
                ui.label(RichText::new(shown).strong());
                ui.label(does);
                ui.end_row();
            }
            ui.label(RichText::new("Ctrl with + - 0").strong());
            ui.label("larger, smaller, as it was");
            ui.end_row();
        });
    });
    close_button(ui, desktop);
}

fn settings(ui: &mut Ui, desktop: &mut Desktop) {
    ui.heading("Settings");
    let settings = &mut desktop.settings;
    row(
        ui,
        "Tiles",
        &mut settings.palette,
        &[
            (Palette::Classic, "Classic"),
            (Palette::ColourBlind, "Colour-blind"),
            (Palette::Plain, "Plain"),
        ],
    );
    row(
        ui,
        "Window",
        &mut settings.look,
        &[(Look::System, "System"), (Look::Light, "Light"), (Look::Dark, "Dark")],
    );
    row(
        ui,
        "Motion",
        &mut settings.moving,
        &[(Moving::Full, "On"), (Moving::Reduced, "Reduced"), (Moving::Off, "Off")],
    );
    row(ui, "Labels", &mut settings.labels, &[(Labels::Full, "131072"), (Labels::Short, "131K")]);
    row(
        ui,
        "Held keys",
        &mut settings.held,
        &[(Held::Once, "Play once"), (Held::Repeat, "Repeat")],
    );
    let colours = colours(ui.ctx());
    if let Some(why) = &desktop.unkept {
        ui.label(coloured(why, colours.warn));
    }
    close_button(ui, desktop);
}

/// One of a few.
fn row<T: Copy + PartialEq>(ui: &mut Ui, name: &str, value: &mut T, choices: &[(T, &str)]) {
    ui.horizontal(|ui| {
        ui.add_sized([80.0, 26.0], eframe::egui::Label::new(soft(ui, name)));
        for (choice, text) in choices {
            ui.selectable_value(value, *choice, *text);
        }
    });
}

fn server(ui: &mut Ui, desktop: &mut Desktop) {
    ui.heading("Server");
    ui.label(soft(ui, "The address of a server, such as http://127.0.0.1:2048"));
    let typed = ui.add(TextEdit::singleline(&mut desktop.address).desired_width(360.0));
    let entered = typed.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    ui.horizontal(|ui| {
        let server = || Some(desktop.address.trim().to_owned());
        let goal = || Goal { server: server(), ..Goal::default() };
        let go = primary(ui, "Go there").clicked() || entered;
        let here =
            ui.button("Play here").on_hover_text("with a server inside this program").clicked();
        let order = match (go, here) {
            (true, _) => Order::Go(goal()),
            (_, true) => Order::PlayHere(goal()),
            _ => return,
        };
        desktop.dialog = Dialog::None;
        desktop.order(order);
    });
    match &desktop.seat.server {
        None => {
            ui.label(soft(ui, "Asking the server..."));
        }
        Some(Ok(facts)) => {
            for line in facts.lines() {
                ui.label(soft(ui, line));
            }
        }
        Some(Err(why)) => {
            let bad = colours(ui.ctx()).bad;
            ui.label(coloured(why, bad));
        }
    }
    close_button(ui, desktop);
}

fn closing(ui: &mut Ui, desktop: &mut Desktop) {
    let button = desktop.seat.agent_button().unwrap_or_default();
    let player = button.strip_prefix("Stop ").unwrap_or("The player").to_owned();
    if desktop.place.own {
        ui.heading(format!("{player} pauses until you come back"));
        ui.label("The server is a part of this window. The game is kept, and goes on when you play here again.");
    } else {
        ui.heading(format!("{player} plays on without this window"));
        ui.label("The game is the server's, and open to everybody there. This is said once.");
    }
    ui.horizontal(|ui| {
        if primary(ui, "Leave").clicked() {
            desktop.leave = Leave::Yes;
        }
        if ui.button("Stop it and leave").clicked() {
            desktop.call(Some(client::Command::Stop));
            desktop.leave = Leave::Yes;
        }
        if ui.button("Stay").clicked() {
            desktop.dialog = Dialog::None;
        }
    });
}

fn close_button(ui: &mut Ui, desktop: &mut Desktop) {
    if ui.button("Close").clicked() {
        desktop.dialog = Dialog::None;
    }
}
