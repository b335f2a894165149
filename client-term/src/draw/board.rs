//! The board, in two sizes.

use std::time::Instant;

use client::view::animation::{Scene, Sprite};
use ratatui::{
    Frame,
    buffer::Buffer,
    layout::{Offset, Rect},
    style::{Color, Modifier, Style},
    widgets::{Block, Borders, Widget},
};

use crate::{
    model::Model,
    theme::{Theme, Tone},
};

/// Columns and lines of the large board.
pub(super) const LARGE: (u16, u16) = (37, 17);
/// Of the small one.
pub(super) const COMPACT: (u16, u16) = (29, 9);

/// From one tile of the large board to the next.
const STEP: (u16, u16) = (9, 4);
/// A tile of the large board: 131072 has room within a border.
const TILE: (u16, u16) = (8, 3);
/// A square of the small board, its border left out.
const SQUARE: u16 = 6;

/// Tiles as blocks of colour, or as boxes where there is none. They slide.
pub(super) fn large(frame: &mut Frame<'_>, area: Rect, model: &Model, now: Instant) {
    let theme = model.theme;
    let buffer = frame.buffer_mut();
    buffer.set_style(area, theme.frame());
    for cell in 0..16_u16 {
        let square = tile_area(area, (cell % 4 * STEP.0).into(), (cell / 4 * STEP.1).into());
        buffer.set_style(square, theme.hollow());
        if !theme.fills() {
            let dot = theme.either("·", ".");
            middle_of(buffer, square, dot, theme.text(Tone::Faint));
        }
    }
    let Some(scene) = scene(model, now) else { return };
    for sprite in &scene.tiles {
        draw_tile(buffer, area, sprite, theme);
    }
    if let Some((gained, share)) = scene.gain {
        // It rises over the upper edge, one line in its time.
        let text = format!(" +{gained} ");
        let rise = u16::from(share < 0.5);
        let line = Rect { y: area.y + rise, height: 1, ..area };
        let style = theme.text(Tone::Strong).fg(Color::Reset).bg(Color::Reset);
        middle_of(buffer, line, &text, style);
    }
    dim(buffer, area, model, now);
}

fn draw_tile(buffer: &mut Buffer, area: Rect, sprite: &Sprite, theme: Theme) {
    let x = (sprite.column * f32::from(STEP.0)).round() as i32;
    let y = (sprite.row * f32::from(STEP.1)).round() as i32;
    let square = tile_area(area, x, y);
    if sprite.opacity < 0.5 {
        // A tile that appears is small first.
        return middle_of(buffer, square, theme.either("▪", "o"), theme.hollow());
    }
    let style = theme.tile(sprite.value);
    if theme.fills() {
        buffer.set_style(square, style);
        clear(buffer, square);
    } else {
        clear(buffer, square);
        let set = theme.tile_border(sprite.value);
        Block::new().borders(Borders::ALL).border_set(set).render(square, buffer);
    }
    let style = if sprite.scale > 1.05 { style.add_modifier(Modifier::UNDERLINED) } else { style };
    middle_of(buffer, square, &sprite.value.to_string(), style);
}

/// One line a square, between light rules. Nothing moves.
pub(super) fn compact(frame: &mut Frame<'_>, area: Rect, model: &Model, now: Instant) {
    let theme = model.theme;
    let buffer = frame.buffer_mut();
    let rules: [[&str; 4]; 3] = if theme.ascii {
        [["+", "+", "+", "-"]; 3]
    } else {
        [["┌", "┬", "┐", "─"], ["├", "┼", "┤", "─"], ["└", "┴", "┘", "─"]]
    };
    for line in 0..=4_u16 {
        let [left, cross, right, rule] = rules[usize::from(line > 0) + usize::from(line == 4)];
        let rules = [rule.repeat(SQUARE.into()), rule.repeat(SQUARE.into())].join(cross);
        let text = format!("{left}{rules}{cross}{rules}{right}");
        buffer.set_stringn(area.x, area.y + 2 * line, text, area.width.into(), Style::new());
    }
    let vertical = theme.either("│", "|");
    let grid = scene(model, now).map(|_| grid(model)).unwrap_or_default();
    for row in 0..4_u16 {
        let y = area.y + 1 + 2 * row;
        for column in 0..=4_u16 {
            buffer.set_string(area.x + column * (SQUARE + 1), y, vertical, Style::new());
        }
        for column in 0..4_u16 {
            let x = area.x + 1 + column * (SQUARE + 1);
            let square = Rect { x, y, width: SQUARE, height: 1 }.intersection(buffer.area);
            if let Some(value) = grid[usize::from(row)][usize::from(column)] {
                buffer.set_style(square, theme.tile(value));
                middle_of(buffer, square, &value.to_string(), theme.tile(value));
            } else if theme.fills() {
                buffer.set_style(square, theme.hollow());
            } else {
                middle_of(buffer, square, theme.either("·", "."), theme.text(Tone::Faint));
            }
        }
    }
    dim(buffer, area, model, now);
}

/// What is drawn: the board that is looked at, or the live one as it moves.
fn scene(model: &Model, now: Instant) -> Option<Scene> {
    match &model.seat.look {
        Some(look) => look.past.as_ref().map(|past| Scene::still(&past.grid)),
        None => model.seat.view.scene(now),
    }
}

fn grid(model: &Model) -> [[Option<u32>; 4]; 4] {
    let looked_at =
        model.seat.look.as_ref().and_then(|look| look.past.as_ref()).map(|past| past.grid);
    looked_at.or_else(|| model.seat.view.state().map(|state| state.grid)).unwrap_or_default()
}

/// A board that may be old, or is not the live one, is faint.
fn dim(buffer: &mut Buffer, area: Rect, model: &Model, now: Instant) {
    if model.seat.view.status(now).stale || model.seat.look.is_some() {
        buffer.set_style(area, Style::new().add_modifier(Modifier::DIM));
    }
}

/// A tile's area, `x` and `y` from the first one, cut to the board.
fn tile_area(board: Rect, x: i32, y: i32) -> Rect {
    let first = Rect { x: board.x + 1, y: board.y + 1, width: TILE.0, height: TILE.1 };
    first.offset(Offset { x, y }).intersection(board)
}

fn clear(buffer: &mut Buffer, area: Rect) {
    for y in area.top()..area.bottom() {
        buffer.set_string(area.x, y, " ".repeat(area.width.into()), Style::new());
    }
}

/// Writes into the middle of an area, and no further.
fn middle_of(buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
    if area.is_empty() {
        return;
    }
    let width = text.chars().count() as u16;
    let x = area.x + area.width.saturating_sub(width) / 2;
    let most = area.right().saturating_sub(x);
    buffer.set_stringn(x, area.y + area.height / 2, text, most.into(), style);
}
