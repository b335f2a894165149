//! The steps: each one line that calls the [`World`].

#![expect(
    clippy::needless_pass_by_ref_mut,
    clippy::needless_pass_by_value,
    reason = "cucumber passes a step the world as `&mut` and the words as owned values"
)]

use cucumber::{gherkin::Step, given, then, when};
use engine::Direction;

use crate::{screens::Kind, world::World};

#[given("the board")]
async fn the_board(world: &mut World, step: &Step) {
    world.lay(step).await;
}

#[given(regex = r"^the line (.+) in every lane toward (\w+)$")]
async fn the_line(world: &mut World, line: String, edge: Direction) {
    world.lay_lanes(&line, edge).await;
}

#[given(expr = "a game from seed {int}")]
async fn a_seed(world: &mut World, seed: u64) {
    world.begin_seed(seed).await;
}

#[given(regex = r"^a server( that keeps its games)?$")]
async fn a_server(world: &mut World, keeps: String) {
    world.go_to_server(!keeps.is_empty()).await;
}

#[given(regex = r"^a server with a model that (.+)$")]
async fn a_model(world: &mut World, does: String) {
    world.go_to_model(&does).await;
}

#[given(regex = r"^(\d+) (people|person|browser tabs?) (?:are|is) watching$")]
async fn watchers(world: &mut World, count: usize, who: String) {
    world.seat(count, who.starts_with("browser")).await;
}

#[when(expr = "the tiles slide {word}")]
fn slide(world: &mut World, direction: Direction) {
    world.slide(direction);
}

#[when(expr = "I move {word}")]
async fn play(world: &mut World, direction: String) {
    world.play(&direction).await;
}

#[when(expr = "I play {int} move(s)")]
async fn play_many(world: &mut World, count: usize) {
    world.play_many(count).await;
}

#[when("I send my last move once more")]
async fn play_again(world: &mut World) {
    world.play_again().await;
}

#[when("I start a new game")]
async fn new_game(world: &mut World) {
    world.new_game().await;
}

#[when(regex = r"^I (?:hand the game to (\w+)(, slowly)?|take the game back)$")]
async fn hand(world: &mut World, player: String, slowly: String) {
    world.hand(&player, !slowly.is_empty()).await;
}

#[when(expr = "I watch {int} moves")]
async fn watch(world: &mut World, count: u32) {
    world.watch(count).await;
}

#[when(expr = "I press {word} in one of the tabs")]
async fn press(world: &mut World, key: String) {
    world.press(&key).await;
}

#[when(regex = r"^one of them (leaves|comes back)$")]
async fn come_or_go(world: &mut World, what: String) {
    world.come_or_go(what == "comes back").await;
}

#[when(regex = r"^the server is killed and started again(?:, (\d+) times)?$")]
async fn kill_and_start(world: &mut World, times: String) {
    match times.parse() {
        Ok(times) => world.kill_and_start_times(times).await,
        Err(_) => world.kill_and_start().await,
    }
}

#[when(regex = r"^(.+) chooses a move(?: in (\d+) ms)?$")]
fn ask(world: &mut World, player: String, millis: String) {
    world.ask(&player, millis.parse().ok());
}

#[when(expr = "{word} plays to the end")]
async fn play_out(world: &mut World, player: String) {
    world.play_out(&player).await;
}

#[when(expr = "{word} plays {int} games")]
async fn play_games(world: &mut World, player: String, count: u32) {
    world.play_games(&player, count).await;
}

#[when(regex = r"^I copy the game(?:, change its move (\d+))? and bring it back$")]
async fn copy(world: &mut World, change: String) {
    world.copy(change.parse().ok()).await;
}

#[when(regex = r"^I look back at move (\d+)( of the game before)?$")]
async fn look_back(world: &mut World, number: u32, before: String) {
    world.look_back(number, !before.is_empty()).await;
}

#[then("the board is")]
fn board_is(world: &mut World, step: &Step) {
    world.check_board(step);
}

#[then(regex = r"^every lane toward (\w+) is (.+)$")]
fn lanes_are(world: &mut World, edge: Direction, line: String) {
    world.check_lanes(edge, &line);
}

#[then(regex = r"^the score is (more than )?(\d+)$")]
fn scored(world: &mut World, more: String, score: u64) {
    world.check_score(score, !more.is_empty());
}

#[then("nothing has changed")]
fn nothing_changed(world: &mut World) {
    world.check_unchanged();
}

#[then(regex = r"^the open moves are (.+)$")]
fn open_moves(world: &mut World, list: String) {
    world.check_open(&list);
}

#[then(expr = "the board has {int} tile(s)")]
fn tiles(world: &mut World, count: usize) {
    world.check_tiles(count);
}

#[then(expr = "{int} new tile(s) has/have come")]
fn new_tiles(world: &mut World, count: usize) {
    world.check_new_tiles(count);
}

#[then(expr = "{int} move(s) has/have been played")]
async fn moves(world: &mut World, count: u32) {
    world.check_moves(count).await;
}

#[then(regex = r"^the game (is over|goes on)$")]
fn over(world: &mut World, state: String) {
    world.check_over(state == "is over");
}

#[then(regex = r"^playing it again from seed (\d+) gives (the same|another) board$")]
fn replay(world: &mut World, seed: u64, outcome: String) {
    world.check_replay(seed, outcome == "the same");
}

#[then("every turn and mirror of the board moves alike")]
fn symmetries(world: &mut World) {
    world.check_symmetries();
}

#[then(expr = "of {int} new tiles about one in ten is a 4")]
fn fours(_world: &mut World, count: u64) {
    World::check_fours(count);
}

#[then("every empty square gets a tile in some game, and no other does")]
fn squares(world: &mut World) {
    world.check_squares();
}

#[then(regex = r"^the choice is (an open move|UP|DOWN|LEFT|RIGHT|none)$")]
fn chosen(world: &mut World, choice: String) {
    world.check_choice(&choice);
}

#[then(expr = "it says {string}")]
fn says(world: &mut World, words: String) {
    world.check_words(&words);
}

#[then(regex = r"^it gives (no shares|even shares|shares that add up to one)$")]
fn shares(world: &mut World, kind: String) {
    world.check_shares(&kind);
}

#[then("asked again with the same luck it chooses the same")]
fn same_again(world: &mut World) {
    world.check_same_again();
}

#[then("it has used its time and no more")]
fn time(world: &mut World) {
    world.check_time();
}

#[then(expr = "in {int} choices {word} picks every open move equally often")]
fn picks(world: &mut World, count: u64, player: String) {
    world.check_picks(&player, count);
}

#[then(regex = r"^(\w+) (is driving|made the last move)$")]
fn driver(world: &mut World, name: String, what: String) {
    world.check_driver(&name, what == "made the last move");
}

#[then(regex = r"^the players on offer begin with (.+)$")]
fn players(world: &mut World, list: String) {
    world.check_players(&list);
}

#[then("the model was shown the board")]
fn shown(world: &mut World) {
    world.check_shown();
}

#[then(expr = "the transcript says {string}")]
async fn transcript(world: &mut World, words: String) {
    world.check_transcript(&words).await;
}

#[then("the key is in nothing that anybody sees")]
fn key_hidden(world: &mut World) {
    world.check_key_hidden();
}

#[then("everybody watching sees the game as it is")]
async fn seen(world: &mut World) {
    world.check_seen().await;
}

#[then(expr = "everybody watching knows that {int} people are")]
async fn watching(world: &mut World, count: u32) {
    world.check_watchers(count).await;
}

#[then(
    regex = r"^the archive has (\d+) games?(?: of (\w+)| that (?:is|are) (over|abandoned|running|imported))$"
)]
async fn archive(world: &mut World, count: usize, player: String, status: String) {
    world.check_archive(count, &player, &status).await;
}

#[then("I see the board as it was then")]
fn past_board(world: &mut World) {
    world.check_past_board();
}

#[then(expr = "I see that {word} made it")]
fn past_mover(world: &mut World, name: String) {
    world.check_past_mover(&name);
}

#[given(regex = r"^(?:the (page|window|terminal)|every kind of screen) is open$")]
async fn screens(world: &mut World, kind: String) {
    world.open_screens(kind.parse().ok()).await;
}

#[when(regex = r"^I (play a move|take over) in the (page|window|terminal|stream)$")]
async fn play_in(world: &mut World, what: String, kind: Kind) {
    world.play_in(kind, what == "take over").await;
}

#[when(regex = r"^I (?:press|click) (.+) in the (page|window|terminal)$")]
async fn press_in(world: &mut World, what: String, kind: Kind) {
    world.press_in(kind, &what).await;
}

#[when(expr = "the terminal gets {int} columns and {int} lines")]
fn resize(world: &mut World, columns: u16, lines: u16) {
    world.resize(columns, lines);
}

#[then(regex = r"^(?:the (page|window|terminal)|every screen) shows the game$")]
async fn shown_on(world: &mut World, kind: String) {
    world.check_shown_on(kind.parse().ok()).await;
}

#[then(regex = r#"^the (page|window|terminal) says "(.+)"$"#)]
async fn screen_says(world: &mut World, kind: Kind, words: String) {
    world.check_says(kind, &words).await;
}

#[then(expr = "every screen names who took over from {word}")]
async fn takeover_named(world: &mut World, player: String) {
    world.check_takeover_named(&player).await;
}

#[then(regex = r"^the (window|terminal) is closed$")]
async fn closed(world: &mut World, kind: Kind) {
    world.check_closed(kind).await;
}

#[then("a picture of the window is kept")]
fn picture(world: &mut World) {
    world.keep_picture();
}
