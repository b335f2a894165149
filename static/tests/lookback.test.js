import assert from "node:assert/strict";
import test from "node:test";
import { createLookBack, replayAt, replayEvery } from "../lookback.js";
import { findMilestones } from "../milestones.js";
import { newModel, update } from "../model.js";
import { state } from "./samples.js";

/** Looking back over a server of the test's own, whose answers the test lets through one by one. */
function table(record = { status: 404, body: null }) {
  let model = update(newModel(0), { type: "state", state: state({ moves: 100 }) }, 0);
  const asked = [];
  const open = [];
  const api = {
    at: (game, n) => new Promise((done) => {
      asked.push(n);
      open.push(() => done(n > 100 ? { status: 404, body: { detail: "the game has 100 moves" } } : { status: 200, body: { game, moves: n } }));
    }),
    game: async () => record,
  };
  const back = createLookBack({ api, model: () => model, tell: (what) => (model = update(model, what, 1)), remember: () => {} });
  const answer = async () => {
    open.shift()();
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
  };
  return { back, asked, answer, look: () => model.look, grow: (moves) => (model = update(model, { type: "state", state: state({ seq: moves, moves }) }, 1)) };
}

test("a drag asks for one board at a time, and for the newest wish", async () => {
  const { back, asked, answer, look } = table();
  for (const n of [90, 80, 70, 60]) back.seek(n);
  assert.deepEqual(asked, [90]);
  assert.equal(look().n, 60);
  await answer();
  assert.deepEqual(asked, [90, 60]);
  await answer();
  assert.equal(look().past.moves, 60);
});

test("who had the game when is asked for with the first look", async () => {
  const drivers = [{ kind: "human", name: "human", from: 0, to: 100, why: null }];
  const { back, answer, look } = table({ status: 200, body: { drivers, moves: 100 } });
  back.seek(90);
  await answer();
  assert.deepEqual(look().drivers, drivers);
  assert.deepEqual(look().milestones, []);
});

test("a board that was seen is not asked for again", async () => {
  const { back, asked, answer, look } = table();
  back.seek(50);
  await answer();
  back.step(1);
  await answer();
  back.step(-1);
  await Promise.resolve();
  assert.deepEqual(asked, [50, 51]);
  assert.equal(look().n, 50);
});

test("the end of the live game is live, also when it has grown", async () => {
  const { back, answer, look, grow } = table();
  back.seek(99);
  await answer();
  grow(101);
  back.step(1);
  assert.equal(look().n, 100);
  back.step(1);
  assert.equal(look(), null);
});

test("nobody looks before the start", () => {
  const { back, asked } = table();
  back.seek(-5);
  assert.deepEqual(asked, [0]);
});

test("another game opens at its end and stays open there", async () => {
  const { back, answer, look } = table();
  back.open({ game: "g0", moves: 30, drivers: [] }, "Game of Monday.");
  await answer();
  assert.deepEqual([look().game, look().n, look().title, look().past.moves], ["g0", 30, "Game of Monday.", 30]);
  back.step(5);
  assert.equal(look().n, 30);
  back.live();
  assert.equal(look(), null);
});

test("a replay walks at its speed and ends at the last move", () => {
  assert.equal(replayAt(10, 100, 1, 2_000), 14);
  assert.equal(replayAt(10, 100, 32, 1_000), 74);
  assert.equal(replayAt(10, 100, 32, 9_000), 100);
  assert.equal(replayEvery(0.25), 2_000);
  assert.ok(replayEvery(32) >= 90);
});

test("the moves at which big tiles came are found with few questions", async () => {
  const first = { 256: 130, 512: 262, 1024: 530 };
  const asked = [];
  const maxTileAt = async (n) => {
    asked.push(n);
    return Object.entries(first).reduce((top, [tile, move]) => (n >= move ? Number(tile) : top), 128);
  };
  const wanted = [{ tile: 256, n: 130 }, { tile: 512, n: 262 }, { tile: 1024, n: 530 }];
  assert.deepEqual(await findMilestones(800, maxTileAt), wanted);
  assert.ok(asked.length <= 32, `${asked.length} questions`);
  assert.deepEqual(await findMilestones(100, async () => 128), []);
  assert.deepEqual(await findMilestones(800, async () => null), []);
});
