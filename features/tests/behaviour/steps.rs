//! The steps: each one line that calls the [`World`].

#![expect(
    clippy::needless_pass_by_ref_mut,
    clippy::needless_pass_by_value,
    reason = "cucumber passes a step the world as `&mut` and the words as owned values"
)]

use cucumber::{gherkin::Step, given, then, when};
use engine::Direction;

use crate::world::World;

#[given("the board")]
fn the_board(world: &mut World, step: &Step) {
    world.lay(step);
}

#[given(regex = r"^the line (.+) in every lane toward (\w+)$")]
fn the_line(world: &mut World, line: String, edge: Direction) {
    world.lay_lanes(&line, edge);
}

#[given(expr = "a game from seed {int}")]
fn a_seed(world: &mut World, seed: u64) {
    world.begin_seed(seed);
}

#[when(expr = "the tiles slide {word}")]
fn slide(world: &mut World, direction: Direction) {
    world.slide(direction);
}

#[when(expr = "I move {word}")]
fn play(world: &mut World, direction: Direction) {
    world.play(direction);
}

#[when(expr = "I play {int} moves")]
fn play_many(world: &mut World, count: u32) {
    world.play_many(count);
}

#[when("I start a new game")]
fn new_game(world: &mut World) {
    world.new_game();
}

#[when(regex = r"^(.+) chooses a move(?: in (\d+) ms)?$")]
fn ask(world: &mut World, player: String, millis: String) {
    world.ask(&player, millis.parse().ok());
}

#[when(expr = "{word} plays to the end")]
fn play_out(world: &mut World, player: String) {
    world.play_out(&player);
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
fn moves(world: &mut World, count: u32) {
    world.check_moves(count);
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
