//! Beside the board: who can play and how fast, what the last move was and why, and the lists.

use std::{collections::BTreeMap, time::Instant};

use client::{
    seat::{Action, Budget},
    view::{
        driver::{fallback_text, risk_words, title},
        spoken::{direction_word, grouped},
    },
};
use eframe::egui::{Button, Color32, FontId, Label, Rect, RichText, ScrollArea, Sense, Ui, vec2};
use protocol::{Decision, Direction, HintMove, State};

use super::{boxed, coloured, lists, primary, soft};
use crate::{
    desktop::{Desktop, Tab},
    theme::colours,
};

/// The decision's height: it stays when the decision comes or goes.
const DECISION: f32 = 190.0;
const DIRECTIONS: [Direction; 4] =
    [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

pub(super) fn draw(ui: &mut Ui, desktop: &mut Desktop, now: Instant) {
    let Some(state) = desktop.seat.view.state().cloned() else { return };
    boxed(ui, |ui| {
        ui.set_min_width(ui.available_width());
        controls(ui, desktop, &state, now);
    });
    ui.add_space(6.0);
    boxed(ui, |ui| {
        ui.set_min_size(vec2(ui.available_width(), DECISION));
        ui.set_max_height(DECISION);
        ui.spacing_mut().item_spacing.y = 4.0;
        if let Some(hint) = desktop.seat.hint() {
            hint_lines(ui, &hint.moves, hint.decision.direction);
        } else {
            decision(ui, desktop, &state);
        }
    });
    ui.add_space(6.0);
    boxed(ui, |ui| {
        ui.set_min_width(ui.available_width());
        tabs(ui, desktop);
        ui.add_space(4.0);
        let height = (ui.available_height() - 12.0).max(140.0);
        ScrollArea::vertical()
            .id_salt(desktop.tab as u8)
            .max_height(height)
            .auto_shrink(false)
            .show(ui, |ui| {
                ui.set_min_height(height - 8.0);
                lists::draw(ui, desktop, &state);
            });
    });
}

fn controls(ui: &mut Ui, desktop: &mut Desktop, state: &State, now: Instant) {
    let player = desktop.seat.player().unwrap_or_default().to_owned();
    ui.horizontal(|ui| {
        ui.label(soft(ui, "Player"));
        let text = RichText::new(title(&state.agent, &player)).strong();
        ui.add(Label::new(text).truncate());
    });
    if desktop.seat.view.may_play() {
        ui.horizontal_wrapped(|ui| {
            let button = desktop.seat.agent_button().unwrap_or_default();
            if primary(ui, &button).clicked() {
                desktop.act(Action::Agent);
            }
            for (text, action) in
                [("Hint", Action::Hint), ("Step", Action::Step), ("New game", Action::NewGame)]
            {
                if ui.button(text).clicked() {
                    desktop.act(action);
                }
            }
            if ui.button("Position").on_hover_text("as a code, and another one").clicked() {
                desktop.open_position_dialog();
            }
        });
        paces(ui, desktop, now);
    }
    if desktop.seat.look.is_some() {
        replay(ui, desktop);
    }
    let doing = match desktop.seat.view.status(now).thinking {
        Some(elapsed) => format!("thinking for {:.1} s", elapsed.as_secs_f64()),
        None if state.agent.running => "playing".into(),
        None => "not playing".into(),
    };
    ui.label(soft(ui, doing));
}

/// The game that is looked at plays itself again, as fast as one likes.
fn replay(ui: &mut Ui, desktop: &mut Desktop) {
    ui.horizontal(|ui| {
        let text = if desktop.seat.is_replaying() { "Pause" } else { "Replay" };
        if ui.button(text).clicked() {
            desktop.act(Action::Replay);
        }
        let (now, speed) = (desktop.now(), desktop.seat.replay_speed());
        for (sign, hint, other) in
            [("\u{2212}", "replay slower", speed.slower()), ("+", "replay faster", speed.faster())]
        {
            if sign == "+" {
                ui.label(speed.to_string());
            }
            if ui.button(sign).on_hover_text(hint).clicked() {
                desktop.seat.set_replay_speed(other, now);
            }
        }
        if ui.button("Next big merge").on_hover_text("to 512 or more").clicked() {
            desktop.act(Action::NextMerge);
        }
    });
}

fn paces(ui: &mut Ui, desktop: &mut Desktop, now: Instant) {
    ui.horizontal(|ui| {
        ui.label(soft(ui, "Pace"));
        if ui.button("-").on_hover_text("slower").clicked() {
            desktop.act(Action::Slower);
        }
        ui.label(desktop.seat.pace().map_or_else(String::new, |pace| pace.to_string()));
        if ui.button("+").on_hover_text("faster").clicked() {
            desktop.act(Action::Faster);
        }
    });
    ui.horizontal(|ui| {
        ui.label(soft(ui, "Thinks"));
        let chosen = desktop.seat.budget();
        for budget in [Budget::Fast, Budget::Balanced, Budget::Strong] {
            let button = Button::new(budget.to_string()).selected(chosen == Some(budget));
            if ui.add(button).clicked() {
                let command = desktop.seat.set_budget(budget, now);
                desktop.call(command);
            }
        }
        if let Some(budget @ Budget::Other(_)) = chosen {
            ui.label(soft(ui, budget.to_string()));
        }
    });
}

fn decision(ui: &mut Ui, desktop: &Desktop, state: &State) {
    let past = desktop.seat.look.as_ref().map(|look| look.past.as_ref());
    let decision = match past {
        Some(past) => past.and_then(|past| past.decision.as_ref()),
        None => state.decision.as_ref(),
    };
    let colours = colours(ui.ctx());
    let Some(decision) = decision else {
        ui.label(soft(ui, "No move yet."));
        return;
    };
    ui.horizontal(|ui| {
        let direction = decision.direction.map_or("No move", direction_word);
        ui.label(RichText::new(direction).size(18.0).strong());
        ui.label(format!("by {}", decision.source));
        ui.add(Label::new(soft(ui, facts(decision))).truncate());
    });
    if let Some(text) = fallback_text(decision) {
        let times = desktop.seat.view.fallback().map_or(1, |fallback| fallback.times);
        let times = if times > 1 { format!(" (x {times})") } else { String::new() };
        ui.add(Label::new(coloured(format!("! {text}{times}"), colours.warn)).wrap());
    }
    if let Some(shares) = &decision.probabilities {
        bars(ui, shares, decision.direction);
    }
    if let Some(risk) = decision.risk {
        ui.label(soft(ui, format!("Risk {risk:.2}: {}", risk_words(risk))));
    }
    if let Some(detail) = &decision.detail {
        ui.add(Label::new(soft(ui, detail.clone())).wrap());
    }
}

/// "99 %, 301 ms"
fn facts(decision: &Decision) -> String {
    let mut facts = Vec::new();
    facts.extend(decision.confidence.map(|share| format!("{:.0} %", 100.0 * share)));
    facts.extend(decision.latency_ms.map(|ms| format!("{} ms", grouped(ms))));
    facts.join(", ")
}

/// A bar for each direction; the picked one is marked by a sign too.
fn bars(ui: &mut Ui, shares: &BTreeMap<Direction, f64>, picked: Option<Direction>) {
    let colours = colours(ui.ctx());
    for direction in DIRECTIONS {
        let Some(share) = shares.get(&direction) else { continue };
        let share = share.clamp(0.0, 1.0);
        let chosen = picked == Some(direction);
        let (line, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
        let words = format!("{} {:.0} %", direction_word(direction), 100.0 * share);
        response.widget_info(|| {
            eframe::egui::WidgetInfo::labeled(eframe::egui::Role::Label, true, &words)
        });
        let ink = if chosen { colours.ink } else { colours.soft };
        let text = |x: f32, text: String, colour: Color32| {
            let at = line.left_center() + vec2(x, 0.0);
            let font = FontId::proportional(14.0);
            ui.painter().text(at, eframe::egui::Align2::LEFT_CENTER, text, font, colour);
        };
        text(0.0, if chosen { ">".into() } else { String::new() }, colours.accent);
        text(14.0, direction_word(direction).into(), ink);
        text(line.width() - 44.0, format!("{:.0} %", 100.0 * share), ink);
        let track = Rect::from_min_max(
            line.left_top() + vec2(62.0, 5.0),
            line.right_bottom() - vec2(54.0, 5.0),
        );
        ui.painter().rect_filled(track, 4.0, colours.hole);
        let filled =
            Rect::from_min_size(track.min, vec2(track.width() * share as f32, track.height()));
        let fill = if chosen { colours.accent } else { colours.strong_rim };
        ui.painter().rect_filled(filled, 4.0, fill);
    }
}

/// What each direction would give.
fn hint_lines(ui: &mut Ui, moves: &BTreeMap<Direction, HintMove>, picked: Option<Direction>) {
    let words = picked.map_or("no move", direction_word);
    ui.label(RichText::new(format!("Hint: {words}")).size(18.0).strong());
    for direction in DIRECTIONS {
        let known = moves.get(&direction).filter(|known| known.legal);
        let text = known.map_or_else(|| String::from("changes nothing"), hint_facts);
        let mark = if picked == Some(direction) { ">" } else { " " };
        ui.horizontal(|ui| {
            ui.add_sized([60.0, 18.0], Label::new(format!("{mark} {}", direction_word(direction))));
            ui.add(Label::new(soft(ui, text)).wrap());
        });
    }
}

fn hint_facts(known: &HintMove) -> String {
    let mut facts = Vec::new();
    facts.extend(known.gained.map(|gained| format!("+{gained}")));
    facts.extend(known.empty_after.map(|empty| format!("{empty} empty")));
    facts.extend(
        known.keeps_corner.filter(|keeps| *keeps).map(|_| String::from("keeps the corner")),
    );
    facts.extend(known.value.map(|value| format!("value {value:.0}")));
    if known.could_end_the_game == Some(true) {
        facts.push("could end the game".into());
    }
    facts.join(", ")
}

fn tabs(ui: &mut Ui, desktop: &mut Desktop) {
    ui.horizontal(|ui| {
        for (tab, name) in [
            (Tab::Log, "Log"),
            (Tab::Players, "Players"),
            (Tab::Games, "Games"),
            (Tab::Sessions, "Sessions"),
        ] {
            let button = Button::new(name).selected(desktop.tab == tab);
            if ui.add(button).clicked() {
                lists::open(desktop, tab);
            }
        }
    });
}
