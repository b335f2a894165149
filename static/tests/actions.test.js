import assert from "node:assert/strict";
import test from "node:test";
import { createActions } from "../actions.js";
import { newModel, update } from "../model.js";
import { T } from "../texts.js";
import { byHand, MCTS, state } from "./samples.js";

/** The actions over a server of the test's own: `answers` are given in turn, the last one for ever. */
function table(first, answers = [], sends = true) {
  let model = update(newModel(0), { type: "state", state: first }, 0);
  const calls = [];
  const nothing = [];
  const open = [];
  /** Every call waits until the test lets it through. */
  const reply = (path) => (body) =>
    new Promise((done) => {
      calls.push({ path, body });
      open.push(() => done(answers.length > 1 ? answers.shift() : answers[0]));
    });
  const names = ["move", "newGame", "start", "stop", "step", "hint"];
  const actions = createActions({
    api: Object.fromEntries(names.map((name) => [name, reply(name)])),
    model: () => model,
    tell: (what) => {
      model = update(model, what, 1);
      if (what.type === "state") actions.stateChanged();
    },
    canSend: () => sends,
    onNothing: (direction, from) => nothing.push([direction, from]),
  });
  const answer = async () => {
    open.shift()();
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
  };
  return { actions, calls, nothing, answer, model: () => model, tell: (what) => (model = update(model, what, 1)) };
}

const moved = (over) => ({ status: 200, body: { moved: true, state: state({ transition: byHand, ...over }) } });

test("a move names the game, the move number and itself, and takes over", async () => {
  const { actions, calls, answer, model } = table(state(), [moved({ seq: 21, moves: 21 })]);
  actions.move("LEFT");
  const { direction, game, ifMoves, takeover, commandId } = calls[0].body;
  assert.deepEqual({ direction, game, ifMoves, takeover }, { direction: "LEFT", game: "g1", ifMoves: 20, takeover: true });
  assert.match(commandId, /^[0-9a-f]{24}$/);
  await answer();
  assert.equal(model().state.moves, 21);
});

test("a series is chosen for the next start, or given to the AI that plays", async () => {
  const ten = JSON.stringify({ games: 10 });
  const idle = table(state(), [{ status: 200, body: { started: true, state: state({ seq: 21 }, { running: true }) } }]);
  idle.actions.chooseSeries(ten);
  assert.equal(idle.calls.length, 0);
  idle.actions.start();
  assert.deepEqual(idle.calls[0].body.series, { games: 10 });

  const playing = table(state({ driver: MCTS }, { running: true }), [{ status: 200, body: { started: false, state: state() } }]);
  playing.actions.chooseSeries("");
  assert.deepEqual(playing.calls, [{ path: "start", body: { series: { games: 1 } } }]);
});

test("the move that waited is for the board that came back", async () => {
  const { actions, calls, answer } = table(state(), [moved({ seq: 21, moves: 21 })]);
  for (const direction of ["LEFT", "UP", "DOWN", "RIGHT"]) actions.move(direction);
  assert.equal(calls.length, 1);
  await answer();
  assert.deepEqual(calls.map(({ body }) => [body.direction, body.ifMoves]), [["LEFT", 20], ["UP", 21]]);
  assert.notEqual(calls[0].body.commandId, calls[1].body.commandId);
  await answer();
  assert.equal(calls.length, 2);
});

test("taking over drops what was typed after it", async () => {
  const ai = state({ driver: MCTS }, { running: true });
  const { actions, calls, answer } = table(ai, [moved({ seq: 21, moves: 21 })]);
  actions.move("LEFT");
  actions.move("UP");
  await answer();
  assert.equal(calls.length, 1);
});

test("an AI that was quicker does not keep its game", async () => {
  const ai = state({ driver: MCTS }, { running: true });
  const stale = { status: 409, body: { detail: "the game is at move 21, not 20", state: state({ seq: 21, moves: 21, driver: MCTS }, { running: true }) } };
  const { actions, calls, answer, model } = table(ai, [stale, moved({ seq: 22, moves: 22 })]);
  actions.move("LEFT");
  await answer();
  assert.equal(calls.length, 2);
  assert.equal(calls[1].body.ifMoves, undefined);
  assert.equal(calls[1].body.takeover, true);
  await answer();
  assert.equal(model().state.driver.kind, "human");
});

test("a person who was quicker keeps the move: the key is dropped and the board brought up to date", async () => {
  const stale = { status: 409, body: { detail: "the game is at move 21, not 20", state: state({ seq: 21, moves: 21 }) } };
  const { actions, calls, answer, model } = table(state(), [stale]);
  actions.move("LEFT");
  await answer();
  assert.equal(calls.length, 1);
  assert.equal(model().state.moves, 21);
  assert.equal(model().notice.text, T.stale);
});

test("a move that got no answer is sent once more under the same name", async () => {
  const { actions, calls, answer } = table(state(), [{ status: 0, body: null }, moved({ seq: 21, moves: 21 })]);
  actions.move("LEFT");
  await answer();
  assert.equal(calls.length, 2);
  assert.deepEqual(calls[1].body, calls[0].body);
  await answer();
  assert.equal(calls.length, 2);
});

test("a move that changes nothing is said to have changed nothing", async () => {
  const { actions, nothing, answer } = table(state(), [{ status: 200, body: { moved: false, state: state() } }]);
  actions.move("LEFT");
  await answer();
  assert.deepEqual(nothing, [["LEFT", null]]);
  const ai = table(state({ driver: MCTS }, { running: true }), [{ status: 200, body: { moved: false, state: state({ seq: 21 }) } }]);
  ai.actions.move("UP");
  await ai.answer();
  assert.deepEqual(ai.nothing, [["UP", "Tree Search"]]);
});

test("nothing is sent while the connection is down, and that is said", () => {
  const { actions, calls, model } = table(state(), [moved({})], false);
  actions.move("LEFT");
  actions.toggleAgent();
  actions.newGame();
  assert.equal(calls.length, 0);
  assert.equal(model().notice.text, T.notSent);
});

test("a refused token makes the page a watching one", async () => {
  const { actions, calls, answer, model } = table(state(), [{ status: 403, body: { detail: "no" } }]);
  actions.move("LEFT");
  await answer();
  assert.equal(model().mayPlay, false);
  actions.move("UP");
  assert.equal(calls.length, 1);
});

test("any other refusal is shown in the server's words", async () => {
  const { actions, answer, model } = table(state(), [{ status: 503, body: { detail: "the disk is full" } }]);
  actions.newGame();
  await answer();
  assert.equal(model().notice.text, "the disk is full");
});

test("a choice steers an AI that plays and waits for the start otherwise", async () => {
  const quiet = table(state(), [moved({})]);
  quiet.actions.choose({ player: "rules" });
  assert.equal(quiet.calls.length, 0);
  quiet.actions.toggleAgent();
  assert.equal(quiet.calls[0].body.player, "rules");
  const playing = table(state({ driver: MCTS }, { running: true }), [moved({})]);
  playing.actions.changePace(1);
  assert.deepEqual(playing.calls[0], { path: "start", body: { player: "mcts", pace: "fixed", intervalSeconds: 0.25 } });
});

test("one hint at a time, for the board it was asked on", async () => {
  const hint = { decision: { move: "LEFT", source: "mcts" }, moves: {} };
  const { actions, calls, answer, model, tell } = table(state(), [{ status: 200, body: hint }]);
  void actions.hint();
  void actions.hint();
  assert.equal(calls.length, 1);
  tell({ type: "state", state: state({ seq: 21, moves: 21 }) });
  await answer();
  assert.equal(model().hint, null);
  assert.equal(model().busy, "");
});
