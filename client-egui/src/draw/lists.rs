//! The lists beside the board: moves, players, games, sessions.

use client::{
    seat::{
        Action, Earlier,
        games::{Leaf, Show, Sort, record_words},
    },
    view::spoken::grouped,
};
use eframe::egui::{Button, ComboBox, Grid, Label, RichText, Ui};
use protocol::{GameRecord, State};

use super::{coloured, play::short, primary, soft};
use crate::{
    desktop::{Desktop, Listing, Tab},
    link::Order,
    theme::colours,
};

/// Shows a tab, and fetches what is in it anew.
pub(super) fn open(desktop: &mut Desktop, tab: Tab) {
    desktop.tab = tab;
    match tab {
        Tab::Games => {
            let command = desktop.seat.leaf(Leaf::Anew);
            desktop.call(command);
        }
        Tab::Sessions => {
            desktop.sessions = Listing::Asked;
            desktop.order(Order::Sessions);
        }
        Tab::Log | Tab::Players => {}
    }
}

pub(super) fn draw(ui: &mut Ui, desktop: &mut Desktop, state: &State) {
    match desktop.tab {
        Tab::Log => log(ui, desktop),
        Tab::Players => players(ui, desktop, state),
        Tab::Games => games(ui, desktop, state),
        Tab::Sessions => sessions(ui, desktop),
    }
}

/// Newest first, so that what happens is in sight.
fn log(ui: &mut Ui, desktop: &Desktop) {
    let colours = colours(ui.ctx());
    if desktop.seat.log.is_empty() {
        ui.label(soft(ui, "No move of this game has been seen yet."));
    }
    Grid::new("log").num_columns(6).min_row_height(20.0).spacing([14.0, 1.0]).show(ui, |ui| {
        for logged in desktop.seat.log.iter().rev() {
            ui.label(soft(ui, logged.number.to_string()));
            ui.label(logged.direction);
            let gained =
                if logged.gained > 0 { format!("+{}", logged.gained) } else { String::new() };
            ui.label(coloured(gained, colours.good));
            ui.label(soft(ui, logged.by.clone()));
            ui.label(soft(ui, logged.spawned.clone())).on_hover_text("the tile that came");
            let why = soft(ui, logged.why.clone());
            ui.add(Label::new(why).truncate()).on_hover_text(&logged.why);
            ui.end_row();
        }
    });
}

fn players(ui: &mut Ui, desktop: &mut Desktop, state: &State) {
    let chosen = desktop.seat.player().unwrap_or_default().to_owned();
    for (number, entry) in state.agent.roster.iter().enumerate() {
        let text = format!("{}  {}", number + 1, entry.title);
        let button = Button::new(text).selected(entry.name == chosen).truncate();
        let width = [ui.available_width(), 28.0];
        let enabled = entry.available && desktop.seat.view.may_play();
        if ui.add_enabled_ui(enabled, |ui| ui.add_sized(width, button)).inner.clicked() {
            desktop.act(Action::Player(number));
        }
        if let Some(reason) = entry.reason.as_deref().filter(|_| !entry.available) {
            ui.label(soft(ui, format!("not available: {reason}")));
        }
    }
}

/// Which games and in which order, a page of them, and the ways to others.
fn games(ui: &mut Ui, desktop: &mut Desktop, state: &State) {
    let (mut show, mut sort) = (desktop.seat.games.query.show, desktop.seat.games.query.sort);
    let mut leaf = None;
    ui.horizontal(|ui| {
        ui.label(soft(ui, "Show"));
        if choice(ui, "show", &mut show, &Show::ALL) {
            leaf = Some(Leaf::Show(show));
        }
        ui.label(soft(ui, "by"));
        if choice(ui, "sort", &mut sort, &Sort::ALL) {
            leaf = Some(Leaf::Sort(sort));
        }
    });
    match desktop.seat.games.page.clone() {
        None => waiting(ui),
        Some(Err(why)) => failed(ui, &why),
        Some(Ok(page)) => {
            if page.items.is_empty() {
                ui.label(soft(ui, "No such games."));
            }
            for game in &page.items {
                game_line(ui, desktop, state, game);
            }
        }
    }
    ui.horizontal(|ui| {
        let (number, more) = (desktop.seat.games.number(), desktop.seat.games.has_more());
        if number > 1 && ui.button("Page before").clicked() {
            leaf = Some(Leaf::Back);
        }
        if number > 1 || more {
            ui.label(soft(ui, format!("page {number}")));
        }
        if more && ui.button("Next page").clicked() {
            leaf = Some(Leaf::Next);
        }
    });
    if let Some(leaf) = leaf {
        let command = desktop.seat.leaf(leaf);
        desktop.call(command);
    }
}

/// One of a few, from a list that opens. Whether another one was chosen.
fn choice<T: Copy + PartialEq + ToString>(
    ui: &mut Ui,
    name: &str,
    value: &mut T,
    all: &[T],
) -> bool {
    let before = *value;
    ComboBox::from_id_salt(name).width(96.0).selected_text(before.to_string()).show_ui(ui, |ui| {
        for each in all {
            ui.selectable_value(value, *each, each.to_string());
        }
    });
    *value != before
}

fn game_line(ui: &mut Ui, desktop: &mut Desktop, state: &State, game: &GameRecord) {
    let colours = colours(ui.ctx());
    let running = game.game == state.game;
    ui.horizontal(|ui| {
        if ui.add_enabled(!running && game.moves > 0, Button::new("Look").small()).clicked() {
            let now = desktop.now();
            let earlier = Earlier { game: game.game.clone(), moves: game.moves };
            let command = desktop.seat.visit(earlier, game.moves, now);
            desktop.call(command);
        }
        let words = record_words(game);
        let (points, rest) = words.split_once(", ").unwrap_or((&words, ""));
        ui.label(RichText::new(points).strong().color(colours.ink));
        let here = if running { ", this one" } else { "" };
        ui.add(Label::new(soft(ui, format!("{rest}{here}"))).truncate());
    });
}

fn sessions(ui: &mut Ui, desktop: &mut Desktop) {
    if primary(ui, "A session of my own").clicked() {
        desktop.order(Order::CreateSession);
    }
    let sessions = match desktop.sessions.clone() {
        Listing::Unknown => return open(desktop, Tab::Sessions),
        Listing::Asked => return waiting(ui),
        Listing::Failed(why) => return failed(ui, &why),
        Listing::Here(sessions, more) => {
            if more {
                ui.label(soft(ui, "The first of them."));
            }
            sessions
        }
    };
    let here = desktop.place.session.clone().unwrap_or_else(|| "main".into());
    for session in sessions {
        let name = session.name.clone().unwrap_or_else(|| short(&session.id));
        ui.horizontal(|ui| {
            let there = session.id == here;
            if ui.add_enabled(!there, Button::new("Go").small()).clicked() {
                desktop.go(Some(session.id.clone()).filter(|id| id != "main"));
            }
            ui.label(RichText::new(name).strong());
            let who = if session.game_over { "over" } else { session.driver.name.as_str() };
            let text = format!(
                "{} points, {} moves, {who}{}",
                grouped(session.score),
                grouped(session.moves.into()),
                if there { ", here" } else { "" },
            );
            ui.add(Label::new(soft(ui, text)).truncate());
        });
    }
}

fn waiting(ui: &mut Ui) {
    ui.label(soft(ui, "Asking the server..."));
}

fn failed(ui: &mut Ui, why: &str) {
    let colours = colours(ui.ctx());
    ui.label(coloured(why, colours.bad));
}
