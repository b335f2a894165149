import assert from "node:assert/strict";
import test from "node:test";
import { fakeDom } from "./fakedom.js";
import { games, random } from "./oracle.js";

const { layer, pass } = fakeDom();
const { createBoard } = await import("../board.js");

/** What the layer shows, read from where its tiles stand. */
function shown(from = layer) {
  const grid = Array.from({ length: 4 }, () => [null, null, null, null]);
  for (const tile of from.children) {
    const [, column, row] = /calc\((\d) \* var\(--step\)\), calc\((\d) /.exec(tile.properties.get("transform"));
    assert.equal(grid[row][column], null, "two tiles on one cell");
    grid[row][column] = Number(tile.dataset.value);
  }
  return grid;
}

const board = () => {
  layer.replaceChildren();
  return createBoard(layer, { short: () => false, onGain: () => {} });
};

/** Plays so many moves at one pace and looks at every board, some in the middle of the animation. */
function play(moves, how, intervalOf) {
  const next = random(7);
  const under = board();
  const states = games(42);
  for (let i = 0; i < moves; i += 1) {
    const state = states.next().value;
    const intervalMs = intervalOf(next);
    under.show(state, { ...how, intervalMs });
    assert.ok(layer.childElementCount <= 32);
    if (next() < 0.5) pass(intervalMs);
    else under.commit();
    if (next() < 0.3) under.commit();
    if (intervalMs > 320 || !how.motion) assert.deepEqual(shown(), state.grid);
  }
  under.commit();
  assert.equal(under.resyncs(), 0);
}

for (const [name, intervalOf] of [
  ["slow", () => 500],
  ["quick", () => 200],
  ["fast", () => 80],
  ["as fast as it goes", () => 10],
  ["uneven", (next) => Math.floor(next() * 600)],
]) {
  test(`after every one of 2,000 moves the board is the server's (${name})`, () => play(2_000, { hidden: false, motion: true }, intervalOf));
}

test("with motion off nothing is animated", () => {
  play(300, { hidden: false, motion: false }, () => 500);
  const faces = layer.children.flatMap((tile) => [tile, tile.firstElementChild]);
  assert.equal(faces.reduce((sum, node) => sum + node.animated, 0), 0);
});

test("the new tile comes only when the others have arrived", () => {
  const under = board();
  const states = games(3);
  const [first, second] = [states.next().value, states.next().value];
  under.show(first, { intervalMs: 1_000, hidden: false, motion: true });
  under.show(second, { intervalMs: 1_000, hidden: false, motion: true });
  assert.equal(layer.childElementCount, second.transition.slides.length);
  pass(99);
  assert.equal(layer.childElementCount, second.transition.slides.length);
  pass(2);
  assert.deepEqual(shown(), second.grid);
});

test("a server that contradicts itself is drawn as its grid says, and counted", () => {
  const under = board();
  const states = games(3);
  const [first, second] = [states.next().value, states.next().value];
  under.show(first, { intervalMs: 1_000, hidden: false, motion: true });
  const odd = structuredClone(second);
  odd.transition.spawn.value = 128;
  under.show(odd, { intervalMs: 1_000, hidden: false, motion: true });
  under.commit();
  assert.deepEqual(shown(), second.grid);
  assert.equal(under.resyncs(), 1);
});

test("a move from a board that is not on screen is drawn, not animated", () => {
  const under = board();
  const states = games(5);
  under.show(states.next().value, { intervalMs: 1_000, hidden: false, motion: true });
  states.next();
  const third = states.next().value;
  under.show(third, { intervalMs: 1_000, hidden: false, motion: true });
  assert.deepEqual(shown(), third.grid);
  assert.equal(under.resyncs(), 0);
});
