use engine::Direction;
use proptest::prelude::*;
use store::{Class, DriverKind, GameId, Numbers, SessionId, StoredDecision, UnixMillis};

use super::*;

/// A game that was played at random from `seed`, and its record.
fn played(seed: u64, start: Start, moves: usize) -> (GameRecord, StoredGame) {
    let mut game = Game::begin(seed, start);
    for n in 0..moves {
        let legal: Vec<_> = game.board().legal().iter().collect();
        let Some(&direction) = legal.get(n * 7 % legal.len().max(1)) else { break };
        game.play(direction).unwrap();
    }
    let numbers = Numbers::of(&game);
    let drivers = vec![
        stretch(DriverKind::Human, "human", 1, 3),
        stretch(DriverKind::Player, "mcts", 4, numbers.moves.max(4)),
    ];
    let record = GameRecord {
        id: GameId::new("g"),
        session: SessionId::new("s"),
        status: Status::Abandoned,
        class: Class::Mixed,
        started: UnixMillis(1),
        ended: Some(UnixMillis(2)),
        numbers,
        drivers,
        seed,
        seed_shown: false,
        start,
    };
    let directions = game.directions().to_vec();
    (record, StoredGame { id: GameId::new("g"), seed, seed_shown: false, start, directions })
}

fn stretch(kind: DriverKind, name: &str, from: u32, to: u32) -> Stretch {
    Stretch { kind, name: name.to_owned(), from, to, why: None }
}

fn read(text: &str) -> Result<store::ImportedGame, ImportError> {
    import(text, GameId::new("g"), SessionId::new("s"), UnixMillis(3))
}

/// The text with `edit` made to the letters of its directions.
fn with_moves(text: &str, edit: impl FnOnce(&mut Vec<char>)) -> String {
    let (header, moves) = text.split_once('\n').unwrap();
    let mut moves: protocol::ExportMoves = serde_json::from_str(moves).unwrap();
    let mut letters = moves.directions.chars().collect();
    edit(&mut letters);
    moves.directions = letters.into_iter().collect();
    format!("{header}\n{}\n", serde_json::to_string(&moves).unwrap())
}

proptest! {
    #[test]
    fn what_is_exported_is_imported_and_exported_the_same(seed: u64, custom: bool) {
        let board = "2 2 4 8 . . . . . . . . . . . .".parse().unwrap();
        let (record, game) = played(seed, if custom { Start::Custom(board) } else { Start::Seeded }, 120);
        let text = export(&record, &game);
        let imported = read(&text).unwrap();
        prop_assert_eq!(&imported.directions, &game.directions);
        prop_assert_eq!(imported.numbers, record.numbers);
        let again = GameRecord { drivers: imported.drivers, numbers: imported.numbers, ..record };
        prop_assert_eq!(export(&again, &game), text);
    }

    #[test]
    fn one_direction_changed_is_refused(seed: u64, at in 0_usize..100, turn in 1_usize..4) {
        let (record, game) = played(seed, Start::Seeded, 120);
        let at = at % game.directions.len();
        let text = with_moves(&export(&record, &game), |letters| {
            let other = Direction::from_index((game.directions[at].index() + turn) % 4).unwrap();
            letters[at] = other.letter();
        });
        prop_assert!(read(&text).is_err());
    }

    #[test]
    fn any_position_is_the_one_that_was_played(seed: u64, n in 0_u32..140) {
        let (record, game) = played(seed, Start::Seeded, 120);
        let position = position(&game, n, None).unwrap();
        prop_assert_eq!(position.is_some(), n <= record.numbers.moves);
        if let Some(position) = position {
            let replay = Game::replay(seed, Start::Seeded, &game.directions[..n as usize]).unwrap();
            prop_assert_eq!(position.grid, protocol::grid_of(replay.board()));
            prop_assert_eq!((position.score, position.moves), (replay.score(), n));
            prop_assert_eq!(position.transition.is_some(), n > 0);
        }
    }
}

#[test]
fn a_move_that_does_not_fit_is_named() {
    let (record, game) = played(1, Start::Seeded, 50);
    let text = export(&record, &game);
    // Five times the same direction: one of them changes nothing, whatever was before.
    let text = with_moves(&text, |letters| letters[10..40].fill('L'));
    let error = read(&text).unwrap_err().to_string();
    assert!(error.starts_with("move ") && error.ends_with("LEFT changes nothing"), "{error}");
    let text = with_moves(&text, |letters| letters[3] = 'X');
    assert_eq!(read(&text).unwrap_err().to_string(), "move 4 is 'X', not one of U, D, L, R");
}

#[test]
fn a_changed_sum_is_refused_with_both_numbers() {
    let (record, game) = played(1, Start::Seeded, 50);
    let text = export(&record, &game);
    let score = record.numbers.score;
    let text = text.replace(&format!("\"score\":{score}"), &format!("\"score\":{}", score + 4));
    let error = read(&text).unwrap_err().to_string();
    assert_eq!(error, format!("after move 50 the score is {score}, not {}", score + 4));
}

#[test]
fn drivers_must_follow_on_each_other() {
    let (mut record, game) = played(1, Start::Seeded, 50);
    record.drivers[1].from = 6;
    let error = read(&export(&record, &game)).unwrap_err().to_string();
    assert_eq!(
        error,
        "the drivers do not cover the moves 1 to 50 one after the other, from move 4 on"
    );
}

#[test]
fn a_drivers_texts_are_short() {
    let (mut record, game) = played(1, Start::Seeded, 50);
    let from = record.drivers[1].from;
    record.drivers[1].name = "é".repeat(100);
    record.drivers[1].why = Some("é".repeat(100));
    assert!(read(&export(&record, &game)).is_ok());
    let refused =
        format!("the driver of move {from} has a name or a reason of more than 100 characters");
    record.drivers[1].name.push('e');
    assert_eq!(read(&export(&record, &game)).unwrap_err().to_string(), refused);
    record.drivers[1].name.pop();
    record.drivers[1].why = Some("é".repeat(101));
    assert_eq!(read(&export(&record, &game)).unwrap_err().to_string(), refused);
}

#[test]
fn what_is_no_game_is_refused_in_a_sentence() {
    let (record, game) = played(1, Start::Seeded, 5);
    let text = export(&record, &game);
    let cases = [
        (String::new(), "a game is two lines"),
        ("{}\n{}".to_owned(), "line 1 is not a header"),
        (text.replace("serve2048/1", "chess"), "the format is chess"),
        (text.replace("\"rules\":1", "\"rules\":2"), "the rules are version 2"),
        (text.replace("directions", "moves"), "line 2 has no directions"),
    ];
    for (text, start) in cases {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.starts_with(start), "{error}");
    }
}

#[test]
fn moves_come_with_their_decisions() {
    let (_, game) = played(1, Start::Seeded, 50);
    let decision = StoredDecision {
        direction: Some(game.directions[9].index() as u8),
        source: "mcts".to_owned(),
        reason: None,
        detail: None,
        probabilities: None,
        confidence: Some(0.5),
        risk: Some(0.1),
        latency_ms: Some(3),
    };
    let stored = [Move { direction: game.directions[9], decision }];
    let page = moves(&game, 10, 12, &stored).unwrap();
    assert_eq!((page.from, page.to, page.items.len()), (10, 12, 3));
    assert_eq!(page.items[0].transition.by, "mcts");
    assert_eq!(moves(&game, 51, 60, &[]).unwrap().items.len(), 0);
}
