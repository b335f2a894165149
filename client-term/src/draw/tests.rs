//! The pictures, as text.

use client::{Connection, Fault, Update, view::palette::Palette};
use ratatui::{
    Terminal,
    backend::TestBackend,
    buffer::Buffer,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
    style::Color,
};

use super::*;
use crate::{
    model::{
        Overlay,
        tests::{HOSTILE, golden, hostile, live, person, update},
    },
    options::Depth,
    theme::Theme,
};

const COLOUR: Theme = Theme { depth: Depth::Truecolor, palette: Palette::Classic, ascii: false };
const MONO: Theme = Theme { depth: Depth::None, ..COLOUR };
const ASCII: Theme = Theme { ascii: true, ..MONO };

fn picture(model: &Model, width: u16, height: u16, now: Instant) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, model, now)).unwrap();
    terminal.backend().buffer().clone()
}

/// The lines of a picture, spaces at their ends left out.
fn lines(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    let line = |y| {
        let cells = (0..area.width).map(|x| buffer[(x, y)].symbol());
        cells.collect::<String>().trim_end().to_owned()
    };
    (0..area.height).map(line).collect()
}

fn check(model: &Model, (width, height): (u16, u16), now: Instant, expected: &[&str]) {
    let lines = lines(&picture(model, width, height, now));
    assert_eq!(lines, expected, "\n{}\n", lines.join("\n"));
}

fn shows(model: &Model, (width, height): (u16, u16), now: Instant, text: &str) {
    let lines = lines(&picture(model, width, height, now));
    assert!(
        lines.iter().any(|line| line.contains(text)),
        "{text:?} is not in\n{}\n",
        lines.join("\n")
    );
}

#[test]
fn the_full_screen() {
    let now = Instant::now();
    let mut state = golden("state-after-a-move");
    state.grid[3][3] = Some(131_072);
    state.grid[3][2] = Some(2048);
    let model = live(state, MONO, now);
    check(
        &model,
        (80, 24),
        now,
        &[
            " 2048  ● Live  Monte Carlo Tree Search plays  since move 120  3 watching",
            " Score 2,056  Best 27,168  Moves 214  Merges 183  Max 128",
            "",
            "                                        Player Monte Carlo Tree Search",
            "  ┏━━━━━━┓ ┏━━━━━━┓ ┌──────┐ ┌──────┐   Pace 0.5 s  300 ms  playing",
            "  ┃ 128  ┃ ┃  64  ┃ │  16  │ │  4   │   Left by mcts",
            "  ┗━━━━━━┛ ┗━━━━━━┛ └──────┘ └──────┘   99 %  risk 0.57 getting crowded  301 ms",
            "                                          Up    ░░░░░░░░░░░░░░░░░░░░   0 %",
            "  ┌──────┐ ┌──────┐                       Down  ░░░░░░░░░░░░░░░░░░░░   1 %",
            "  │  4   │ │  4   │    ·        ·       > Left  ████████████████████  99 %",
            "  └──────┘ └──────┘                     7660 rollouts over 1001 nodes, 16 deep",
            "",
            "  ┌──────┐ ┌──────┐ ┌──────┐",
            "  │  4   │ │  4   │ │  2   │    ·       Log",
            "  └──────┘ └──────┘ └──────┘             214 Left  +12    mcts     2 at 3,3",
            "",
            "  ┌──────┐          ╔══════╗ ╔══════╗",
            "  │  8   │    ·     ║ 2048 ║ ║131072║",
            "  └──────┘          ╚══════╝ ╚══════╝",
            "",
            "",
            "",
            "",
            " ←↑↓→ move  space AI  enter step  i hint  n new  p players  ? keys  q quit",
        ],
    );
}

#[test]
fn the_compact_board() {
    let now = Instant::now();
    let mut state = person();
    state.grid[3][3] = Some(131_072);
    let model = live(state, MONO, now);
    check(
        &model,
        (29, 9),
        now,
        &[
            "┌──────┬──────┬──────┬──────┐",
            "│ 128  │  64  │  16  │  4   │",
            "├──────┼──────┼──────┼──────┤",
            "│  4   │  4   │  ·   │  ·   │",
            "├──────┼──────┼──────┼──────┤",
            "│  4   │  4   │  2   │  ·   │",
            "├──────┼──────┼──────┼──────┤",
            "│  8   │  ·   │  ·   │131072│",
            "└──────┴──────┴──────┴──────┘",
        ],
    );
}

#[test]
fn in_ascii_there_is_nothing_else() {
    let now = Instant::now();
    for overlay in [Overlay::None, Overlay::Help, Overlay::Players(1), Overlay::NewGame] {
        for state in
            [golden("state-after-a-move"), golden("state-game-over"), golden("state-fallback")]
        {
            let mut model = live(state, ASCII, now);
            model.overlay = overlay;
            for (width, height) in [(100, 30), (60, 24), (45, 22), (29, 9), (10, 5)] {
                let text = lines(&picture(&model, width, height, now)).join("\n");
                assert!(text.is_ascii(), "{text}");
            }
        }
    }
    let model = live(person(), ASCII, now);
    shows(&model, (80, 24), now, "|  16  |");
    shows(&model, (80, 24), now, "+======+ +======+ +------+");
}

#[test]
fn without_colour_there_is_none() {
    let now = Instant::now();
    for theme in [MONO, ASCII] {
        let model = live(golden("state-fallback"), theme, now);
        for (width, height) in [(80, 24), (29, 9)] {
            for cell in picture(&model, width, height, now).content() {
                assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
            }
        }
    }
}

#[test]
fn tiles_have_the_colours_of_the_palette() {
    let now = Instant::now();
    let buffer = picture(&live(person(), COLOUR, now), 80, 24, now);
    let middle = &buffer[(5, 5)];
    assert_eq!((middle.symbol(), middle.bg), ("2", Color::Rgb(0xed, 0xcf, 0x72)));
    assert_eq!(middle.fg, Color::Rgb(0x1f, 0x1b, 0x16));
}

#[test]
fn every_size_is_drawn_without_a_panic() {
    let now = Instant::now();
    for state in [golden("state-after-a-move"), golden("state-game-over"), golden("state-new-game")]
    {
        for overlay in [Overlay::None, Overlay::Help, Overlay::Players(2), Overlay::NewGame] {
            let mut model = live(state.clone(), MONO, now);
            model.overlay = overlay;
            for width in [0, 1, 2, 3, 8, 20, 28, 29, 30, 36, 37, 59, 60, 61, 80, 200] {
                for height in [0, 1, 2, 3, 8, 9, 10, 12, 19, 20, 23, 24, 60] {
                    picture(&model, width, height, now);
                }
            }
        }
    }
}

#[test]
fn what_is_too_small_is_said() {
    let now = Instant::now();
    let model = live(person(), MONO, now);
    check(
        &model,
        (28, 9),
        now,
        &["Terminal too small (28x9):", "29x9 needed", "", "", "", "", "", "", ""],
    );
    shows(&model, (60, 8), now, "Terminal too small (60x8): 29x9 needed");
}

#[test]
fn lines_come_around_the_board_in_the_order_of_their_worth() {
    let now = Instant::now();
    let model = live(person(), MONO, now);
    let first = |height| lines(&picture(&model, 29, height, now))[0].clone();
    assert!(first(10).starts_with('┌'));
    assert!(first(11).starts_with("Score 2,056"));
    assert!(first(12).starts_with("2048  ● Live"));
    shows(&model, (29, 13), now, "←↑↓→ move  ? keys  q quit");
}

#[test]
fn values_beyond_the_table_are_cut_and_not_dropped() {
    let now = Instant::now();
    let mut state = person();
    state.grid[0][0] = Some(u32::MAX);
    let model = live(state, COLOUR, now);
    shows(&model, (80, 24), now, "42949672");
    shows(&model, (29, 9), now, "429496");
}

#[test]
fn a_loss_is_seen_and_the_board_stays() {
    let now = Instant::now();
    let mut model = live(person(), MONO, now);
    let since = now.checked_sub(std::time::Duration::from_secs(31)).unwrap();
    let next_try = now + std::time::Duration::from_secs(8);
    let lost = Connection::Lost { since, next_try, fault: Fault::Unreachable };
    model.update(Update::Connection(lost), now);
    shows(&model, (80, 24), now, "● Server not reachable. Next try in 8 s");
    shows(&model, (80, 24), now, "128");
}

#[test]
fn before_the_first_state_there_is_an_empty_board() {
    let now = Instant::now();
    let model = Model::new(
        true,
        client::view::animation::Motion::Full,
        MONO,
        crate::options::Held::PressOnce,
        now,
    );
    let later = now + std::time::Duration::from_millis(300);
    shows(&model, (80, 24), later, "● Connecting...");
    shows(&model, (80, 24), later, "·        ·        ·        ·");
}

#[test]
fn the_end_has_a_card_that_can_be_closed() {
    let now = Instant::now();
    let mut model = live(golden("state-game-over"), MONO, now);
    shows(&model, (60, 24), now, "2,900 points, 301 moves");
    shows(&model, (60, 24), now, "n new game   Esc closes");
    model.key(&KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE), now);
    let text = lines(&picture(&model, 60, 24, now)).join("\n");
    assert!(!text.contains("Esc closes") && text.contains("Game over. Score 2,900"), "{text}");
}

#[test]
fn a_fallback_says_its_reason_and_how_often() {
    let now = Instant::now();
    let mut model = live(golden("state-fallback"), MONO, now);
    shows(&model, (80, 24), now, "! Fell back: only one legal move");
    let mut again = golden("state-fallback");
    again.seq += 1;
    again.transition = golden("state-after-a-move").transition;
    model.update(update(again), now);
    shows(&model, (80, 24), now, "! Fell back: only one legal move (x 2)");
}

#[test]
fn the_question_the_players_and_the_keys_are_shown() {
    let now = Instant::now();
    let mut model = live(person(), MONO, now);
    model.overlay = Overlay::NewGame;
    shows(&model, (80, 24), now, "Start a new game? This one stays in the list of games.  y / n");
    model.overlay = Overlay::Players(1);
    shows(&model, (80, 24), now, "  1 Jev (TypeSafe AI) (no TYPESAFE_API_KEY set)");
    shows(&model, (80, 24), now, "> 2 Monte Carlo Tree Search");
    model.overlay = Overlay::Help;
    for (keys, does) in crate::keys::help(false) {
        shows(&model, (80, 24), now, &format!("{keys:<15} {does}"));
    }
}

#[test]
fn looking_back_shows_the_board_of_then() {
    let now = Instant::now();
    let mut model = live(person(), MONO, now);
    let mut after = person();
    (after.seq, after.moves, after.grid[0][0]) = (after.seq + 1, 215, Some(512));
    model.update(update(after), now);
    model.key(&KeyEvent::new(KeyCode::Char(','), KeyModifiers::NONE), now);
    shows(&model, (80, 24), now, "Move 214 of 215. The live game goes on.");
    shows(&model, (80, 24), now, "┃ 128  ┃");
    shows(&model, (29, 9), now, "│ 128  │");
}

#[test]
fn text_from_outside_is_only_text() {
    let now = Instant::now();
    let mut model = live(hostile(), COLOUR, now);
    model.warn(HOSTILE, now);
    for overlay in [false, true] {
        if overlay {
            model.key(&KeyEvent::new(KeyCode::Char('p'), KeyModifiers::NONE), now);
        }
        for (width, height) in [(80, 24), (120, 40), (40, 24)] {
            let lines = lines(&picture(&model, width, height, now));
            assert!(lines.iter().any(|line| line.contains("[31mb")), "{lines:?}");
            assert!(!lines.iter().any(|line| line.contains(char::is_control)), "{lines:?}");
        }
    }
}
