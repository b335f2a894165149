import assert from "node:assert/strict";
import test from "node:test";
import { at, condense, FULL, planFor, speedFor } from "../plan.js";
import { byHand, golden, state } from "./samples.js";

const how = { intervalMs: 1_000, hidden: false, motion: true };
const next = state({ seq: 21, transition: byHand });

test("only the very next state is animated", () => {
  assert.equal(planFor(state(), next, how).kind, "animate");
  assert.equal(planFor(state({ seq: 19 }), next, how).kind, "draw");
  assert.equal(planFor(state({ epoch: "e0" }), next, how).kind, "draw");
  assert.equal(planFor(state({ game: "g0" }), next, how).kind, "draw");
  assert.equal(planFor(null, next, how).kind, "draw");
  assert.equal(planFor(state(), state({ seq: 21 }), how).kind, "draw");
});

test("a hidden page only draws", () => {
  assert.equal(planFor(state(), next, { ...how, hidden: true }).kind, "draw");
});

test("the faster the moves, the less is animated", () => {
  assert.deepEqual(speedFor(300), FULL);
  assert.equal(speedFor(200).slideMs, 80);
  assert.ok(speedFor(200).slideMs + speedFor(200).popMs <= 200);
  assert.equal(speedFor(120).slideMs, 48);
  assert.deepEqual([speedFor(60).popMs, speedFor(60).float], [0, false]);
  assert.equal(speedFor(49), null);
});

test("with motion off nothing slides or pops, and what changed is marked", () => {
  const { speed } = planFor(state(), next, { ...how, motion: false });
  assert.deepEqual(speed, { slideMs: 0, popMs: 0, spawnMs: 0, float: false, marks: true });
});

test("two states in one frame are shown in turn, more than two jump to the newest", () => {
  const [a, b, c] = [1, 2, 3].map((seq) => state({ seq }));
  assert.deepEqual(condense([a]), { first: null, last: a });
  assert.deepEqual(condense([a, b]), { first: a, last: b });
  assert.deepEqual(condense([a, b, c]), { first: null, last: c });
});

test("the server's account of a move leads from one golden grid to the next", () => {
  const { grid, transition } = golden("state-after-a-move");
  const before = golden("grid-before-the-move");
  const tiles = new Map();
  for (const { from, to, value, merges } of transition.slides) {
    assert.equal(before[from[0]][from[1]], value);
    if (merges) tiles.set(at(...to), grid[to[0]][to[1]]);
    else tiles.set(at(...to), value);
  }
  tiles.set(at(...transition.spawn.at), transition.spawn.value);
  grid.forEach((line, row) => line.forEach((value, column) => assert.equal(tiles.get(at(row, column)) ?? null, value)));
});
