//! What is said, drawn and sent, event by event.

use super::*;
pub(in crate::view) use crate::golden::golden;
use crate::stream::Fault;

/// Two states, one move apart.
pub(in crate::view) fn before_and_after() -> (State, State) {
    let after = golden("state-after-a-move");
    let grid = include_str!("../../../protocol/golden/grid-before-the-move.json");
    let before = State {
        seq: after.seq - 1,
        moves: after.moves - 1,
        grid: serde_json::from_str(grid).unwrap(),
        score: after.score - 12,
        transition: None,
        ..after.clone()
    };
    (before, after)
}

/// As if `change` were the next thing to happen.
fn then(state: &State, change: impl FnOnce(&mut State)) -> State {
    let mut next = State { seq: state.seq + 1, transition: None, ..state.clone() };
    change(&mut next);
    next
}

fn human(state: &mut State) {
    state.agent.running = false;
    state.driver =
        protocol::Driver { kind: DriverKind::Human, name: "human".into(), since_move: state.moves };
}

fn live(state: &State, now: Instant) -> View {
    let mut view = View::new(true, Motion::Full, now);
    view.connected(Connection::Live);
    assert_eq!(view.receive(state.clone(), now), []);
    view
}

fn texts(lines: &[Said]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

fn lost(now: Instant) -> Connection {
    Connection::Lost { since: now, next_try: now, fault: Fault::Ended }
}

#[test]
fn a_move_is_said_and_animated() {
    let ((before, after), now) = (before_and_after(), Instant::now());
    let mut view = live(&before, now);
    let later = now + Duration::from_secs(1);
    let lines = view.receive(after.clone(), later);
    assert_eq!((lines.len(), lines[0].about), (1, About::Move));
    assert!(lines[0].text.starts_with("Left. 2 and 2 made 4"));
    assert!(view.is_moving(later));
    let rest = later + Duration::from_millis(700);
    assert!(!view.is_moving(rest));
    assert_eq!(view.scene(rest), Some(Scene::still(&after.grid)));
}

#[test]
fn an_old_state_is_passed_over() {
    let ((before, after), now) = (before_and_after(), Instant::now());
    let mut view = live(&after, now);
    assert_eq!(view.receive(before.clone(), now), []);
    assert_eq!(view.state(), Some(&after));
    let restored = State { epoch: "restored".into(), ..before };
    view.receive(restored.clone(), now);
    assert_eq!(view.state(), Some(&restored));
}

#[test]
fn a_missed_state_is_drawn_at_once_and_not_said() {
    let ((before, after), now) = (before_and_after(), Instant::now());
    let mut view = live(&State { seq: before.seq - 1, ..before }, now);
    assert_eq!(view.receive(after, now + Duration::from_secs(1)), []);
    assert!(!view.is_moving(now + Duration::from_secs(1)));
}

#[test]
fn a_takeover_is_mine_while_my_move_is_on_its_way() {
    let (state, now) = (golden("state-after-a-move"), Instant::now());
    let taken = then(&state, human);
    let mut view = live(&state, now);
    assert_eq!(texts(&view.receive(taken.clone(), now)), ["mcts stopped at move 214."]);
    let mut view = live(&state, now);
    let Press::Send(request) = view.press(Direction::Up, now) else { panic!("not sent") };
    assert_eq!((request.if_moves, request.takeover), (None, Some(true)));
    assert_eq!(texts(&view.receive(taken, now)), ["You took over from mcts at move 214."]);
}

#[test]
fn a_persons_move_is_meant_for_the_board_that_is_shown() {
    let (mut state, now) = (golden("state-after-a-move"), Instant::now());
    human(&mut state);
    let mut view = live(&state, now);
    let Press::Send(request) = view.press(Direction::Up, now) else { panic!("not sent") };
    assert_eq!(request.direction, "UP");
    assert_eq!((request.if_moves, request.game), (Some(214), Some(state.game.clone())));
    assert_eq!(view.press(Direction::Left, now), Press::Nothing, "waits");

    let after = then(&state, |state| state.moves += 1);
    let answer = Ok(Moved { moved: true, state: after });
    let (lines, next) = view.answered(Direction::Up, answer, now);
    assert_eq!(lines, []);
    let (direction, next) = next.unwrap();
    assert_eq!((direction, next.if_moves), (Direction::Left, Some(215)));
}

#[test]
fn a_move_that_changes_nothing_is_said() {
    let (mut state, now) = (golden("state-after-a-move"), Instant::now());
    human(&mut state);
    let mut view = live(&state, now);
    view.press(Direction::Left, now);
    let (lines, next) = view.answered(Direction::Left, Ok(Moved { moved: false, state }), now);
    assert_eq!((texts(&lines), next), (vec!["Left changes nothing."], None));
}

#[test]
fn a_stale_move_resyncs_and_drops_what_waits() {
    let (mut state, now) = (golden("state-after-a-move"), Instant::now());
    human(&mut state);
    let mut view = live(&state, now);
    view.press(Direction::Left, now);
    view.press(Direction::Up, now);
    let newer = then(&state, |state| state.moves += 1);
    let refusal = CallError::Refused {
        status: 409,
        detail: "the game is at move 215, not 214".into(),
        state: Some(Box::new(newer.clone())),
        retry_after: None,
    };
    let (lines, next) = view.answered(Direction::Left, Err(refusal), now);
    assert_eq!(texts(&lines), ["Not done: the game is at move 215, not 214"]);
    assert_eq!((next, view.state()), (None, Some(&newer)));
}

#[test]
fn without_the_right_to_play_one_watches() {
    let (mut state, now) = (golden("state-after-a-move"), Instant::now());
    human(&mut state);
    let mut view = live(&state, now);
    view.press(Direction::Left, now);
    let refusal = CallError::Refused {
        status: 401,
        detail: "playing needs the session's token".into(),
        state: None,
        retry_after: None,
    };
    view.answered(Direction::Left, Err(refusal), now);
    assert!(matches!(view.press(Direction::Left, now), Press::Say(_)));
    assert_eq!(view.status(now).game, "Watching");
}

#[test]
fn a_return_says_what_was_missed() {
    let (state, now) = (golden("state-after-a-move"), Instant::now());
    let check = |change: fn(&mut State), expected: &str| {
        let mut view = live(&state, now);
        view.connected(lost(now));
        view.connected(Connection::Live);
        let newer = State { seq: state.seq + 9, transition: None, ..state.clone() };
        let mut newer = newer;
        change(&mut newer);
        let lines = view.receive(newer, now);
        assert_eq!((lines[0].about, lines[0].text.as_str()), (About::Connection, expected));
    };
    check(|_| {}, "Back. Nothing was played meanwhile.");
    check(|state| state.moves += 1, "Back. 1 move was played meanwhile.");
    check(|state| state.moves += 14, "Back. 14 moves were played meanwhile.");
    check(|state| state.game = "next".into(), "Back. A new game was begun meanwhile.");
    check(
        |state| state.boot = "next".into(),
        "The server restarted; the game continues at move 214.",
    );
    check(
        |state| (state.boot, state.epoch, state.game) = ("b".into(), "e".into(), "g".into()),
        "The server restarted; the game before is gone.",
    );
}

#[test]
fn a_return_without_news_is_said_once() {
    let (state, now) = (golden("state-after-a-move"), Instant::now());
    let mut view = live(&state, now);
    assert_eq!(view.heard(state.seq), None);
    view.connected(lost(now));
    view.connected(Connection::Live);
    assert_eq!(view.heard(state.seq + 1), None, "the state will come");
    assert!(view.heard(state.seq).is_some());
    assert_eq!(view.heard(state.seq), None);

    let restarted = then(&state, |state| state.boot = "next".into());
    assert_eq!(
        texts(&view.receive(restarted, now)),
        ["The server restarted; the game continues at move 214."],
        "the first state of the new run"
    );
}

#[test]
fn equal_fallbacks_are_said_once_and_counted() {
    let (played, now) = (golden("state-after-a-move"), Instant::now());
    let fallback = golden("state-fallback").decision;
    let mut view = live(&played, now);
    let transition = played.transition.clone();
    let mut state = played;
    for times in 1..=3 {
        state = then(&state, |state| {
            state.decision.clone_from(&fallback);
            state.transition.clone_from(&transition);
        });
        let lines = view.receive(state.clone(), now);
        let said = lines.iter().filter(|line| line.about == About::Fallback).count();
        assert_eq!(said, usize::from(times == 1));
        assert_eq!(view.fallback().unwrap().times, times);
    }
    state = then(&state, |state| state.watchers += 1);
    view.receive(state.clone(), now);
    assert_eq!(view.fallback().unwrap().times, 3, "no move, no new fallback");
    state = then(&state, |state| state.decision = None);
    view.receive(state, now);
    assert_eq!(view.fallback(), None);
}

#[test]
fn the_turns_of_a_game_are_said() {
    let (state, now) = (golden("state-after-a-move"), Instant::now());
    let check = |change: fn(&mut State), expected: &str| {
        let lines = live(&state, now).receive(then(&state, change), now);
        assert_eq!(texts(&lines), [expected]);
        assert_eq!(lines[0].about, About::Game);
    };
    check(|state| state.game = "next".into(), "New game.");
    check(|state| state.won = true, "2048! The game goes on.");
    check(|state| state.game_over = true, "Game over. Score 2,056 in 214 moves, largest tile 128.");
    check(
        |state| (state.game_over, state.won) = (true, true),
        "Game over. Score 2,056 in 214 moves, largest tile 128. 2048 was made.",
    );
}

#[test]
fn while_looking_back_no_key_plays() {
    let (state, now) = (golden("state-after-a-move"), Instant::now());
    let mut view = live(&state, now);
    view.look_at(Some(120));
    assert!(matches!(view.press(Direction::Left, now), Press::Say(_)));
    view.look_at(None);
    assert!(matches!(view.press(Direction::Left, now), Press::Send(_)));
}
