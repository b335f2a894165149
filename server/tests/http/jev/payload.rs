//! What is sent describes the position: every figure against the rules, and three whole requests as files.

use engine::{Board, Direction, Game, Tile};
use players::Position;
use proptest::{array::uniform4, prelude::*};
use serde_json::{Value, json};
use server::jev::{question::Sent, record::pretty};

type Grid = [[u32; 4]; 4];

/// Positions on boards from empty to full, with many equal neighbours.
fn positions() -> impl Strategy<Value = Position> {
    let exponent = prop_oneof![2 => Just(0_u8), 6 => 1..=4_u8, 1 => 5..=17_u8];
    let full = uniform4(uniform4(1..=3_u8));
    let boards = prop_oneof![2 => uniform4(uniform4(exponent)), 1 => full];
    let recent = prop::collection::vec((0..4_usize).prop_map(direction), 0..=6);
    (boards, any::<u32>(), any::<u16>(), recent, any::<Option<prop::sample::Index>>()).prop_map(
        |(rows, score, moves, recent, hole)| {
            let value = |exponent| if exponent == 0 { 0 } else { 1_u64 << exponent };
            let mut rows = rows.map(|row| row.map(value));
            if let Some(hole) = hole {
                rows.as_flattened_mut()[hole.index(16)] = 0;
            }
            Position {
                board: Board::from_values(rows).unwrap(),
                score: score.into(),
                merges: 0,
                moves: moves.into(),
                recent,
            }
        },
    )
}

fn direction(index: usize) -> Direction {
    Direction::from_index(index).unwrap()
}

fn request(position: &Position) -> Value {
    serde_json::to_value(Sent::about(position).to("jev-latest")).unwrap()
}

fn grid(values: &Grid) -> Value {
    json!(values.map(|row| row.map(|value| (value > 0).then_some(value))))
}

fn empty(values: &Grid) -> usize {
    values.iter().flatten().filter(|&&value| value == 0).count()
}

/// Neighbouring equal tiles that can become one.
fn pairs(values: &Grid) -> usize {
    let mut pairs = 0;
    for row in 0..4 {
        for column in 0..4 {
            let value = values[row][column];
            if value > 0 && value < Tile::MAX.value() {
                pairs += usize::from(column < 3 && values[row][column + 1] == value);
                pairs += usize::from(row < 3 && values[row + 1][column] == value);
            }
        }
    }
    pairs
}

/// The best share, over the largest tiles, of pairs that do not rise on the way from the corner of the tile's quarter.
fn order(values: &Grid) -> f64 {
    let largest = *values.iter().flatten().max().unwrap();
    let mut best = 0;
    for (place, _) in
        values.as_flattened().iter().enumerate().filter(|&(_, &value)| value == largest)
    {
        let (down, right) = (place / 4 > 1, place % 4 > 1);
        let seen = |row: usize, column: usize| {
            values[if down { 3 - row } else { row }][if right { 3 - column } else { column }]
        };
        let mut ordered = 0;
        for line in 0..4 {
            for step in 0..3 {
                ordered += u32::from(seen(line, step) >= seen(line, step + 1));
                ordered += u32::from(seen(step, line) >= seen(step + 1, line));
            }
        }
        best = best.max(ordered);
    }
    if largest == 0 { 0.0 } else { (f64::from(best) / 24.0 * 100.0).round() / 100.0 }
}

fn in_corner(values: &Grid) -> bool {
    let largest = *values.iter().flatten().max().unwrap();
    largest > 0 && [values[0][0], values[0][3], values[3][0], values[3][3]].contains(&largest)
}

/// Whether some tile on some empty square leaves no move: all of them are tried.
fn could_end(board: &Board) -> bool {
    let tiles = [Tile::TWO, Tile::FOUR];
    board.empty_cells().any(|cell| tiles.iter().any(|&tile| board.with(cell, tile).is_over()))
}

fn close(left: &Value, right: f64) -> bool {
    (left.as_f64().unwrap() - right).abs() < 1e-9
}

fn check_board(state: &Value, position: &Position) -> Result<(), TestCaseError> {
    let (told, values) = (&state["board"], position.board.values());
    prop_assert_eq!(&told["grid"], &grid(&values));
    prop_assert_eq!(&told["score"], &json!(position.score));
    prop_assert_eq!(&told["empty_cells"], &json!(empty(&values)));
    let largest = *values.iter().flatten().max().unwrap();
    prop_assert_eq!(&told["largest_tile"], &json!(largest));
    prop_assert_eq!(&told["largest_tile_in_corner"], &json!(in_corner(&values)));
    if largest > 0 {
        let at = |axis: &str| told["largest_tile_cell"][axis].as_u64().unwrap() as usize;
        prop_assert_eq!(values[at("row")][at("column")], largest);
        let corner = [at("row"), at("column")].iter().all(|&at| at == 0 || at == 3);
        prop_assert_eq!(corner, in_corner(&values), "the one in a corner is named, if one is");
    }
    prop_assert_eq!(&told["merges_available"], &json!(pairs(&values)));
    prop_assert!(close(&told["monotonicity"], order(&values)), "{} {}", told, order(&values));
    let recent: Vec<_> = position.recent.iter().map(|direction| direction.name()).collect();
    prop_assert_eq!(&state["history"]["recent_moves"], &json!(recent));
    prop_assert_eq!(&state["history"]["moves_played"], &json!(position.moves));
    Ok(())
}

fn check_move(
    told: &Value,
    line: &str,
    board: &Board,
    way: Direction,
) -> Result<(), TestCaseError> {
    let slide = board.slide(way).unwrap();
    let (before, after) = (board.values(), slide.board.values());
    prop_assert_eq!(&told["legal"], &json!(true));
    prop_assert_eq!(&told["board_after"], &grid(&after));
    prop_assert_eq!(&told["points_gained"], &json!(slide.gained));
    prop_assert_eq!(&told["tiles_merged"], &json!(slide.merges));
    prop_assert_eq!(&told["empty_cells_after"], &json!(empty(&after)));
    prop_assert_eq!(&told["empty_cells_gained"], &json!(empty(&after) - empty(&before)));
    prop_assert_eq!(&told["largest_tile_stays_in_corner"], &json!(in_corner(&after)));
    let open = Direction::ALL.into_iter().filter(|&next| slide.board.slide(next).is_some());
    let open: Vec<_> = open.map(Direction::name).collect();
    prop_assert_eq!(&told["moves_available_after"], &json!(open));
    prop_assert_eq!(&told["merges_available_after"], &json!(pairs(&after)));
    prop_assert!(close(&told["monotonicity_after"], order(&after)));
    prop_assert!(close(
        &told["monotonicity_change"],
        ((order(&after) - order(&before)) * 100.0).round() / 100.0
    ));
    prop_assert_eq!(&told["could_end_the_game"], &json!(could_end(&slide.board)));
    check_line(told, line, way)
}

/// The six clauses say what the figures say.
fn check_line(told: &Value, line: &str, way: Direction) -> Result<(), TestCaseError> {
    let (first, clauses) = line.split_once(": ").unwrap();
    prop_assert_eq!(first, format!("Move {way}", way = way.name()));
    let (clauses, danger) = clauses.split_once(')').unwrap();
    let clauses: Vec<_> = clauses.split(", ").collect();
    prop_assert_eq!(clauses.len(), 6, "{}", line);
    let count = |field: &str| told[field].as_u64().unwrap();
    let merged = match count("tiles_merged") {
        0 => "merges nothing".to_owned(),
        1 => format!("merges 1 pair for {} points", count("points_gained")),
        many => format!("merges {many} pairs for {} points", count("points_gained")),
    };
    prop_assert_eq!(clauses[0], merged);
    let number = |clause: &str| clause.split(' ').find_map(|word| word.parse::<u64>().ok());
    prop_assert_eq!(number(clauses[1]), Some(count("empty_cells_after")));
    let kept = told["largest_tile_stays_in_corner"] == true;
    prop_assert_eq!(clauses[2] == "keeps the largest tile in a corner", kept, "{}", line);
    let open = told["moves_available_after"].as_array().unwrap().len() as u64;
    prop_assert_eq!(number(clauses[3]), Some(open));
    prop_assert_eq!(number(clauses[4]), Some(count("merges_available_after")));
    let (after, change) = (
        told["monotonicity_after"].as_f64().unwrap(),
        told["monotonicity_change"].as_f64().unwrap(),
    );
    prop_assert_eq!(clauses[5], format!("tile ordering {after:.2} ({change:+.2}"));
    let warned = danger == ". An unlucky new tile would end the game.";
    prop_assert_eq!(warned, told["could_end_the_game"] == true, "{}", line);
    prop_assert!(warned || danger == ".");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_figure_agrees_with_the_rules(position in positions()) {
        let request = request(&position);
        let (state, questions) = (&request["state"], &request["questions"]);
        check_board(state, &position)?;
        let lines = questions["move"]["criteria"].as_object().unwrap();
        for way in Direction::ALL {
            let told = &state["available_moves"][way.name()];
            let line = lines.get(way.name());
            prop_assert_eq!(told.is_null(), position.board.slide(way).is_none(), "legal moves only");
            prop_assert_eq!(line.is_none(), told.is_null());
            if let Some(line) = line {
                check_move(told, line.as_str().unwrap(), &position.board, way)?;
            }
        }
        prop_assert_eq!(state["available_moves"].as_object().unwrap().len(), position.board.legal().len());
    }
}

/// The request about `position` is the file `name`, byte by byte.
fn check_golden(name: &str, position: &Position) {
    assert!(position.board.legal().len() > 1, "{name}: without a choice nothing is sent");
    let body = serde_json::to_string(&Sent::about(position).to("jev-latest")).unwrap();
    let text = pretty(&body) + "\n";
    let file = format!("{}/tests/http/jev/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(text == golden, "{file} should be:\n{text}");
}

#[test]
fn three_requests_are_as_they_were() {
    let game = Game::new(42);
    check_golden("start", &Position::of(&game));

    let mut game = Game::new(42);
    for index in (0..140).map(|n| [2, 0, 3, 0, 2, 0, 1][n % 7]) {
        // A direction that changes nothing is refused, and the next one is tried.
        let _refused = game.play(direction(index)).is_err();
    }
    check_golden("middle", &Position::of(&game));

    let board = "2 4 32 4 4 2 64 2 2 4 8 4 4 2 . 2".parse().unwrap();
    let recent = [Direction::Up, Direction::Left].repeat(3);
    check_golden("danger", &Position { board, score: 1234, merges: 80, moves: 214, recent });
}

#[test]
fn the_request_has_the_documented_keys_and_no_other() {
    let request = request(&Position::of(&Game::new(1)));
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&request), ["model", "questions", "state"]);
    assert_eq!(request["model"], "jev-latest");
    assert_eq!(keys(&request["questions"]), ["move", "risk"]);
    let (choice, score) = (&request["questions"]["move"], &request["questions"]["risk"]);
    assert_eq!((&choice["type"], &score["type"]), (&json!("choice"), &json!("score")));
    assert_eq!(score["criteria"].as_array().unwrap().len(), 3);
    for question in [choice, score] {
        assert_eq!(keys(question), ["criteria", "instructions", "type"]);
        assert!(question["instructions"].as_str().unwrap().ends_with(['?', '.']));
    }
    let state = ["available_moves", "available_moves_note", "board", "game", "goal", "history"];
    assert_eq!(keys(&request["state"]), state);
}
