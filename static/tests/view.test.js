import assert from "node:assert/strict";
import test from "node:test";
import { newLink, stepLink } from "../link.js";
import { newModel, update } from "../model.js";
import { T } from "../texts.js";
import { view } from "../view.js";
import { byHand, golden, MCTS, state } from "./samples.js";

const live = stepLink(newLink(0, true), { type: "heard" }, 0);
const seen = (over, agent, link = live, now = 100) =>
  view(update({ ...newModel(0), link }, { type: "state", state: state(over, agent) }, 0), now);

test("nothing is said of connecting before 300 ms", () => {
  const model = { ...newModel(0), link: newLink(0, true) };
  assert.equal(view(model, 299).phaseText, "");
  assert.equal(view(model, 300).phaseText, T.phase.connecting);
});

test("whose move it is", () => {
  assert.equal(seen().line.text, T.yourMove);
  assert.equal(seen({ driver: MCTS }, { running: true }).line.text, "Tree Search is playing");
  assert.equal(seen({ gameOver: true }).line.text, T.over);
});

test("the driver has a title, a letter and a colour", () => {
  const { driver } = seen({ driver: MCTS }, { running: true });
  assert.deepEqual(driver, { playing: true, kind: "player", text: "Tree Search since move 10", mark: "M", colour: "1" });
  assert.equal(seen().driver.text, "");
});

test("offline counts down to the next try", () => {
  const link = { ...live, liveSince: null, lostAt: 0, retryAt: 40_000 };
  const line = seen({}, {}, link, 32_500).line;
  assert.equal(line.text, "Server not reachable. Next try in 8 s.");
  assert.equal(line.action.name, "retry");
});

test("the board is greyed after two seconds without a stream, not before", () => {
  const link = { ...live, liveSince: null, lostAt: 1_000, retryAt: 9_000 };
  assert.equal(seen({}, {}, link, 2_999).stale, false);
  assert.equal(seen({}, {}, link, 3_000).stale, true);
});

test("the card at the end follows from the state and can be closed", () => {
  assert.equal(seen().card, null);
  const over = { gameOver: true, score: 1000, moves: 412 };
  assert.deepEqual(seen(over).card, { wonNow: false, won: false, score: 1000, moves: 412, best: state().best, custom: false, mayPlay: true });
  const model = update({ ...newModel(0), link: live }, { type: "state", state: state(over) }, 0);
  const closed = update(model, { type: "close-card" }, 1);
  assert.equal(view(closed, 2).card, null);
  assert.ok(view(update(closed, { type: "state", state: state({ ...over, seq: 30, game: "g2" }) }, 3), 4).card);
});

test("between two games of a series there is no card, and the line says which game it is", () => {
  const agent = { running: true, series: { games: 10, untilTile: null, played: 2 } };
  const { card, line } = seen({ gameOver: true, driver: MCTS }, agent);
  assert.equal(card, null);
  assert.equal(line.text, "Tree Search is playing game 3 of 10");
  const until = { running: true, series: { untilTile: 16384, played: 0 } };
  assert.equal(seen({ driver: MCTS }, until).line.text, "Tree Search is playing game 1, until 16384");
  assert.equal(seen({ driver: MCTS }, { running: true }).line.text, "Tree Search is playing");
});

test("2048 on the very last move says both", () => {
  const before = update({ ...newModel(0), link: live }, { type: "state", state: state() }, 0);
  const last = state({ seq: 21, moves: 21, won: true, gameOver: true, transition: byHand });
  assert.equal(view(update(before, { type: "state", state: last }, 1), 2).card.wonNow, true);
  assert.equal(seen({ won: true, gameOver: true }).card.wonNow, false);
});

test("a thought is shown 300 ms after the move was due, with its length", () => {
  assert.equal(seen({}, { running: true, pace: "max" }, live, 299).thinkingMs, null);
  assert.equal(seen({}, { running: true, pace: "max" }, live, 1_200).thinkingMs, 1_200);
  assert.equal(seen({}, { running: true, intervalSeconds: 0.5 }, live, 799).thinkingMs, null);
  assert.equal(seen({}, { running: true, intervalSeconds: 0.5 }, live, 900).thinkingMs, 400);
  assert.equal(seen({}, {}, live, 1_200).thinkingMs, null);
});

test("a hint that is being thought about counts from when it was asked for", () => {
  const model = update({ ...newModel(0), link: live }, { type: "state", state: state() }, 0);
  const asked = update(model, { type: "busy", call: "hint" }, 60_000);
  assert.equal(view(asked, 60_299).thinkingMs, null);
  assert.equal(view(asked, 60_400).thinkingMs, 400);
});

test("who may only watch sees who else does, and no line that asks for a move", () => {
  const model = update({ ...newModel(0), link: live, mayPlay: false }, { type: "state", state: state({ watchers: 4 }) }, 0);
  assert.equal(view(model, 1).line.text, "Watching. 3 others.");
  assert.equal(view(model, 1).mayPlay, false);
});

test("time alone changes nothing on a quiet page", () => {
  assert.equal(seen().wakeAt, Infinity);
  assert.ok(seen({}, { running: true }).wakeAt < 1_000);
});

test("every golden state can be shown", () => {
  for (const name of ["state-new-game", "state-after-a-move", "state-fallback", "state-game-over"]) {
    const model = update({ ...newModel(0), link: live }, { type: "state", state: golden(name) }, 0);
    assert.equal(typeof view(model, 1).line.text, "string", name);
  }
});

test("while looking back the line says where, and whether the live game goes on", () => {
  const model = { ...update({ ...newModel(0), link: live }, { type: "state", state: state({ moves: 812, score: 9000 }) }, 0), history: true };
  assert.deepEqual(view(model, 1).slider, { n: 812, last: 812, drivers: [], milestones: [], speed: 0, looking: false, text: "move 812 of 812, score 9,000" });
  const back = update(model, { type: "look", look: { game: "g1", n: 120, last: 812 } }, 1);
  assert.equal(view(back, 2).line.text, "Move 120 of 812. The live game goes on (9,000).");
  assert.equal(view(back, 2).line.action.name, "live");
  const grown = update(back, { type: "state", state: state({ seq: 21, moves: 813 }) }, 3);
  assert.deepEqual([view(grown, 4).slider.n, view(grown, 4).slider.last], [120, 813]);
  const old = update(model, { type: "look", look: { game: "g0", n: 5, last: 9, title: "Game of Monday." } }, 1);
  assert.equal(view(old, 2).line.text, "Game of Monday. Move 5 of 9.");
  assert.equal(view(update(old, { type: "live" }, 3), 4).line.text, T.yourMove);
});

test("no slider where the server has no past boards", () => {
  assert.equal(seen().slider, null);
});
