//! What is printed, event by event.

use client::{CallError, Fault, Snapshot};
use protocol::Moved;

use super::*;
use crate::model::tests::{HOSTILE, golden, hostile, person};

fn plain(commands: Commands) -> Plain<Vec<u8>> {
    Plain::new(true, commands, Vec::new())
}

fn update(state: State) -> Update {
    Update::State(Box::new(Snapshot { state, json: String::new() }))
}

impl Plain<Vec<u8>> {
    fn live(state: State) -> Self {
        let mut plain = plain(Commands::Typed);
        plain.update(Update::Connection(Connection::Live)).unwrap();
        plain.update(update(state)).unwrap();
        plain
    }

    /// What was printed since the last call.
    fn printed(&mut self) -> String {
        String::from_utf8(std::mem::take(&mut self.out)).unwrap()
    }

    fn type_line(&mut self, line: &str) -> String {
        let next = self.line(line).unwrap();
        assert!(matches!(next, Next::Line), "{line} is only answered");
        self.printed()
    }

    fn command(&mut self, line: &str) -> Command {
        match self.line(line).unwrap() {
            Next::Call(command) => command,
            Next::Line | Next::Quit => panic!("{line} calls nothing: {}", self.printed()),
        }
    }
}

#[test]
fn the_first_state_is_one_line_and_every_move_another() {
    let before = State { seq: 214, moves: 213, transition: None, ..golden("state-after-a-move") };
    let mut plain = Plain::live(before);
    assert_eq!(
        plain.printed(),
        "move 213, score 2056, best 27168, largest tile 128, Monte Carlo Tree Search plays\n"
    );
    plain.update(update(golden("state-after-a-move"))).unwrap();
    assert_eq!(
        plain.printed(),
        "left: 2 and 2 made 4, 2 and 2 made 4, 2 and 2 made 4; new 2 at 3,3; score 2056\n"
    );
}

#[test]
fn moves_that_were_missed_are_summed_up() {
    let mut plain = Plain::live(person());
    plain.printed();
    let later = State { seq: 300, moves: 290, score: 4000, ..person() };
    plain.update(update(later)).unwrap();
    assert_eq!(
        plain.printed(),
        "move 290, score 4000, best 27168, largest tile 128, driver a person\n"
    );
}

#[test]
fn the_connection_is_told_when_it_changes() {
    let mut plain = Plain::live(person());
    plain.tell_connection().unwrap();
    plain.printed();
    for seconds in [3, 2] {
        let now = Instant::now();
        let since = now.checked_sub(Duration::from_secs(31)).unwrap();
        let next_try = now + Duration::from_secs(seconds);
        let lost = Connection::Lost { since, next_try, fault: Fault::Unreachable };
        plain.update(Update::Connection(lost)).unwrap();
        plain.tell_connection().unwrap();
    }
    assert_eq!(plain.printed(), "Server not reachable.\n");
    plain.update(Update::Connection(Connection::Live)).unwrap();
    plain.tell_connection().unwrap();
    assert_eq!(plain.printed(), "Live\n");
}

#[test]
fn commands_that_need_no_server_are_answered() {
    let mut plain = Plain::live(person());
    plain.printed();
    assert_eq!(
        plain.type_line("b"),
        "128  64  16   4\n  4   4   .   .\n  4   4   2   .\n  8   .   .   .\n"
    );
    assert_eq!(
        plain.type_line("state"),
        "move 214, score 2056, best 27168, largest tile 128, driver a person\n"
    );
    assert!(
        plain
            .type_line("players")
            .starts_with("jev: Jev (TypeSafe AI) (no TYPESAFE_API_KEY set)\n")
    );
    assert!(plain.type_line("?").starts_with("left, right, up, down  move"));
    assert_eq!(plain.type_line("# a comment"), "");
    assert!(!plain.failed);
}

#[test]
fn a_move_that_changes_nothing_is_said_and_no_failure() {
    let mut plain = Plain::live(person());
    plain.printed();
    let Command::Move(direction, _) = plain.command("left") else { panic!("no move") };
    let answer = Answer::Moved(direction, Ok(Moved { moved: false, state: person() }));
    assert_eq!(plain.answered(answer).unwrap(), None);
    assert_eq!(plain.printed(), "Left changes nothing.\n");
    assert!(!plain.failed);
}

#[test]
fn what_is_refused_or_not_understood_is_a_failure() {
    let mut nonsense = Plain::live(person());
    nonsense.printed();
    assert_eq!(nonsense.type_line("sideways"), "\"sideways\" is not a command; ? lists them\n");
    assert!(nonsense.failed);

    let mut refused = Plain::live(person());
    refused.printed();
    assert_eq!(refused.command("new 7"), Command::NewGame(Some(7)));
    let detail = "not here".into();
    let error = CallError::Refused { status: 422, detail, state: None, retry_after: None };
    refused.answered(Answer::State(Err(error))).unwrap();
    assert_eq!((refused.printed().as_str(), refused.failed), ("not here\n", true));

    let mut over = Plain::live(golden("state-game-over"));
    over.printed();
    assert_eq!(over.type_line("left"), "The game is over: N begins a new one\n");
    assert!(over.failed);
    assert_eq!(over.command("new"), Command::NewGame(None));
}

#[test]
fn a_script_waits_for_the_server_and_a_person_does_not() {
    assert!(plain(Commands::Typed).moves_now());
    let mut scripted = plain(Commands::Scripted);
    assert!(!scripted.moves_now());
    scripted.update(Update::Connection(Connection::Live)).unwrap();
    assert!(!scripted.moves_now());
    scripted.update(update(person())).unwrap();
    assert!(scripted.moves_now());
    assert!(!scripted.gave_up());
}

#[test]
fn a_hint_is_one_line() {
    let mut plain = Plain::live(person());
    plain.printed();
    let Command::Hint(hint) = plain.command("hint mcts") else { panic!("no hint") };
    assert_eq!(hint.player.as_deref(), Some("mcts"));
    let reply = include_str!("../../../protocol/golden/reply-hint.json");
    plain.answered(Answer::Hint(Ok(serde_json::from_str(reply).unwrap()))).unwrap();
    assert_eq!(plain.printed(), "hint: left\n");
}

#[test]
fn games_are_listed_page_by_page() {
    let mut plain = Plain::live(person());
    plain.printed();
    let Command::Games(query) = plain.command("games over score") else { panic!("no list") };
    let game: GameRecord = serde_json::from_value(serde_json::json!({
        "game": "earlier", "session": "main", "status": "over", "custom": true, "startedAt": 0, "endedAt": 1,
        "score": 12_340, "moves": 812, "maxTile": 1024, "mergeCount": 760, "class": "mixed", "seed": null,
        "drivers": [
            {"kind": "human", "name": "human", "from": 0, "to": 9, "why": null},
            {"kind": "player", "name": "mcts", "from": 9, "to": 812, "why": null}
        ]
    }))
    .unwrap();
    let page = Page { items: vec![game], next: Some("c1".into()) };
    plain.answered(Answer::Games(query.clone(), Ok(page))).unwrap();
    assert_eq!(
        plain.printed(),
        "12,340 points, 812 moves, largest 1024, over, custom start, by a person and mcts, earlier\n\
         there are more\n"
    );
    let next = GamesQuery { cursor: Some("c1".into()), ..query };
    assert_eq!(plain.command("more"), Command::Games(next.clone()));
    plain.answered(Answer::Games(next, Ok(Page { items: Vec::new(), next: None }))).unwrap();
    assert_eq!(plain.printed(), "no such games\n");
    assert_eq!(plain.type_line("more"), "there are no more games\n");
}

#[test]
fn positions_series_and_files_are_a_line_each() {
    let mut plain = Plain::live(person());
    plain.printed();
    let code = "128.64.16.4-4.4.0.0-4.4.2.0-8.0.0.0";
    assert_eq!(plain.type_line("code"), format!("{code}\n"));
    assert!(matches!(plain.command(&format!("start {code}")), Command::StartFrom(_)));
    let Command::Start(start) = plain.command("series until 1024") else { panic!("no start") };
    assert_eq!(start.series.unwrap().until_tile, Some(1024));
    let game = person().game;
    let file: std::path::PathBuf = "one.ndjson".into();
    let export = Command::Export { game: game.clone(), file: file.clone() };
    assert_eq!(plain.command("export one.ndjson"), export);
    assert_eq!(plain.command("import one.ndjson"), Command::Import(file));
    assert_eq!(plain.command("at 120"), Command::Past { game, number: 120 });
    let past = PastState { moves: 120, ..PastState::from(&person()) };
    plain.answered(Answer::Past(120, Ok(past))).unwrap();
    let printed = plain.printed();
    assert!(printed.starts_with("move 120, score 2056, largest tile 128\n128  64"), "{printed}");
    assert_eq!(plain.command("server"), Command::AskServer);
    assert!(!plain.failed);
}

#[test]
fn text_from_outside_is_only_text_on_its_own_line() {
    let clean = "a [31mb ]0;c d  e 2Jf";
    let mut plain = Plain::live(person());
    plain.printed();
    let note = protocol::Note { text: HOSTILE.into(), kind: "note".into() };
    plain.update(Update::Note(note)).unwrap();
    assert_eq!(plain.printed(), format!("{clean}\n"));
    let error =
        CallError::Refused { status: 422, detail: HOSTILE.into(), state: None, retry_after: None };
    plain.answered(Answer::State(Err(error))).unwrap();
    assert_eq!(plain.printed(), format!("{clean}\n"));

    let mut plain = Plain::live(hostile());
    plain.update(update(State { seq: 300, moves: 290, ..hostile() })).unwrap();
    let mut printed = plain.printed();
    for line in ["board", "state", "best", "players"] {
        printed += &plain.type_line(line);
    }
    assert!(!printed.replace('\n', "").contains(char::is_control), "{printed:?}");
    assert!(printed.lines().all(|line| !line.starts_with('e')), "{printed}");
}
