// Who has had the game when, and its big tiles: for the strip over the slider, and for the next big merge.
import assert from "node:assert/strict";
import test from "node:test";

import { findBigMerge } from "../milestones.js";
import { carryOn } from "../strip.js";

const human = { kind: "human", name: "human", sinceMove: 0 };
const mcts = { kind: "player", name: "mcts", sinceMove: 40 };
const seen = (moves, driver, maxTile = 128) => ({ game: "g", moves, driver, maxTile });
const EMPTY = { game: "g", drivers: [], milestones: [] };

test("a stretch ends where the next one begins", () => {
  const strip = [seen(10, human), seen(41, mcts), seen(50, mcts)].reduce(carryOn, EMPTY);
  assert.deepEqual(strip.drivers.map(({ name, from, to }) => [name, from, to]), [["human", 0, 40], ["mcts", 40, null]]);
});

test("the running stretch goes on where the server's record of it ends", () => {
  const record = { ...EMPTY, drivers: [{ ...human, from: 0, to: 40, why: null }, { ...mcts, from: 40, to: 45, why: null }] };
  const strip = carryOn(record, seen(60, mcts));
  assert.deepEqual(strip.drivers.map(({ name, from, to }) => [name, from, to]), [["human", 0, 40], ["mcts", 40, null]]);
});

test("a big tile is marked where it was first seen", () => {
  const strip = [seen(90, human, 128), seen(120, human, 256), seen(121, human, 256), seen(300, human, 512)].reduce(carryOn, EMPTY);
  assert.deepEqual(strip.milestones, [{ tile: 256, n: 120 }, { tile: 512, n: 300 }]);
});

test("the next big merge is found pages later, or not at all", async () => {
  const asked = [];
  const ask = async (from, to) => {
    asked.push([from, to]);
    const merge = (n, value) => ({ n, slides: [{ value, merges: true }] });
    return { status: 200, body: { items: from > 500 ? [merge(600, 128), merge(777, 256)] : [merge(3, 4)] } };
  };
  assert.equal(await findBigMerge(2, 900, ask), 777);
  assert.deepEqual(asked, [[2, 501], [502, 1001]]);
  assert.equal(await findBigMerge(1, 400, ask), null);
  assert.equal(await findBigMerge(1, 400, async () => ({ status: 0, body: null })), null);
});
