import assert from "node:assert/strict";
import test from "node:test";
import { addWaiting, createParting, stepLimit, takeUpTo } from "../lanes.js";
import { state } from "./samples.js";

const other = [[4, 4, null, null], [null, null, null, null], [null, null, null, null], [null, null, null, null]];
const at = (moves, over = {}) => state({ moves, ...over });

test("in step, nobody is shown further than the slowest game that goes on", () => {
  assert.equal(stepLimit([at(10), at(7), at(3, { gameOver: true })]), 7);
  assert.equal(stepLimit([at(10, { gameOver: true })]), Infinity);
  assert.equal(stepLimit([]), Infinity);
});

test("the newest board within the limit is shown and the later ones wait", () => {
  const waiting = [1, 2, 3, 4].map((moves) => at(moves));
  const { show, rest } = takeUpTo(waiting, 2);
  assert.equal(show.moves, 2);
  assert.deepEqual(rest.map((s) => s.moves), [3, 4]);
  assert.equal(takeUpTo(rest, 2).show, null);
  assert.equal(takeUpTo(rest, Infinity).show.moves, 4);
});

test("a new game drops what waited of the one before", () => {
  assert.deepEqual(addWaiting([at(9)], at(0, { game: "g2" })).map((s) => s.moves), [0]);
});

test("games part at the first move after which their boards differ", () => {
  const parting = createParting();
  for (const moves of [0, 1]) {
    parting.add(at(moves));
    parting.add(at(moves));
  }
  assert.equal(parting.at(), null);
  parting.add(at(2));
  parting.add(at(2, { grid: other }));
  assert.deepEqual(parting.at(), { move: 2, exact: true });
});

test("who comes when the games have parted already does not say at which move", () => {
  const parting = createParting();
  parting.add(at(30));
  parting.add(at(30, { grid: other }));
  assert.deepEqual(parting.at(), { move: 30, exact: false });
});
