//! The lists beside the board: moves, players, games, sessions.

use client::{seat::Earlier, view::spoken::grouped};
use eframe::egui::{Button, Grid, Label, RichText, Ui};
use protocol::{GameStatus, State};

use super::{coloured, play::short, primary, soft};
use crate::{
    desktop::{Desktop, Listing, Tab},
    keys::Action,
    link::Order,
    theme::colours,
};

/// Shows a tab, and fetches what is in it anew.
pub(super) fn open(desktop: &mut Desktop, tab: Tab) {
    desktop.tab = tab;
    match tab {
        Tab::Games => {
            desktop.games = Listing::Asked;
            desktop.order(Order::Games);
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
    Grid::new("log").num_columns(4).min_row_height(20.0).spacing([14.0, 1.0]).show(ui, |ui| {
        for logged in desktop.seat.log.iter().rev() {
            ui.label(soft(ui, logged.number.to_string()));
            ui.label(logged.direction);
            let gained =
                if logged.gained > 0 { format!("+{}", logged.gained) } else { String::new() };
            ui.label(coloured(gained, colours.good));
            ui.label(soft(ui, logged.by.clone()));
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

fn games(ui: &mut Ui, desktop: &mut Desktop, state: &State) {
    let games = match desktop.games.clone() {
        Listing::Unknown => return open(desktop, Tab::Games),
        Listing::Asked => return waiting(ui),
        Listing::Failed(why) => return failed(ui, &why),
        Listing::Here(games, more) => {
            if more {
                ui.label(soft(ui, "The newest of them; the page shows all."));
            }
            games
        }
    };
    let colours = colours(ui.ctx());
    for game in games {
        let running = game.status == GameStatus::Running && game.game == state.game;
        let how = match game.status {
            GameStatus::Running if running => "this one",
            GameStatus::Running => "running",
            GameStatus::Over => "over",
            GameStatus::Abandoned => "left",
            GameStatus::Imported => "imported",
        };
        ui.horizontal(|ui| {
            if ui.add_enabled(!running && game.moves > 0, Button::new("Look").small()).clicked() {
                let now = desktop.now();
                let earlier = Earlier { game: game.game.clone(), moves: game.moves };
                let command = desktop.seat.visit(earlier, game.moves, now);
                desktop.call(command);
            }
            ui.label(RichText::new(grouped(game.score)).strong().color(colours.ink));
            let custom = if game.custom { ", custom start" } else { "" };
            let text = format!(
                "{} moves, largest {}, {how}{custom}",
                grouped(game.moves.into()),
                game.max_tile
            );
            ui.add(Label::new(soft(ui, text)).truncate());
        });
    }
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
