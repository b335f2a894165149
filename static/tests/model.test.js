import assert from "node:assert/strict";
import test from "node:test";
import { newLink, stepLink } from "../link.js";
import { isNews, newModel, update } from "../model.js";
import { T } from "../texts.js";
import { AGENT, byHand, golden, MCTS, state } from "./samples.js";

const got = (...states) => states.reduce((model, next, i) => update(model, { type: "state", state: next }, 1_000 + i), newModel(0));
const lost = (model) => update(model, { type: "link", link: stepLink(newLink(0, true), { type: "lost", jitter: 0 }, 5) }, 5);
const says = (...states) => got(...states).notice?.text ?? null;

test("a state that is older than the one held is not news", () => {
  const model = got(state({ seq: 20 }));
  assert.ok(isNews(model, state({ seq: 21 })));
  assert.ok(!isNews(model, state({ seq: 20 })));
  assert.ok(!isNews(model, state({ seq: 19 })));
});

test("another epoch is news, and an answer from the former one is not", () => {
  const model = got(state({ epoch: "e1", seq: 900 }), state({ epoch: "e2", seq: 3 }));
  assert.equal(model.state.epoch, "e2");
  assert.ok(!isNews(model, state({ epoch: "e1", seq: 901 })));
});

test("taking over is said with the player's title and the move", () => {
  const before = state({ driver: MCTS, moves: 214 }, { running: true });
  const after = state({ seq: 21, moves: 215, transition: byHand });
  assert.equal(says(before, after), "You took over from Tree Search at move 215.");
  const watcher = update(got(before), { type: "may-play", value: false }, 1);
  assert.equal(update(watcher, { type: "state", state: after }, 2).notice.text, "A person took over from Tree Search at move 215.");
});

test("stopping and starting are said as what they are", () => {
  const human = state();
  const ai = state({ driver: MCTS }, { running: true });
  assert.equal(says({ ...ai, seq: 19 }, human), "Tree Search stopped at move 20.");
  assert.equal(says({ ...human, seq: 19 }, ai), "Tree Search plays from move 20.");
});

test("coming back counts the moves that were missed", () => {
  assert.equal(update(lost(got(state())), { type: "state", state: state({ seq: 34, moves: 34 }) }, 9).notice.text, "Back. 14 moves were played meanwhile.");
  assert.equal(update(lost(got(state())), { type: "state", state: state({ seq: 21, moves: 21 }) }, 9).notice.text, "Back. 1 move was played meanwhile.");
  assert.equal(update(lost(got(state())), { type: "state", state: state() }, 9).notice.text, T.back);
});

test("a restart is told apart from a restart that lost its history", () => {
  assert.equal(says(state(), state({ boot: "b2", moves: 214, seq: 214 })), "The server restarted; the game continues at move 214.");
  assert.equal(says(state(), state({ boot: "b2" })), "The server restarted; the game continues at move 20.");
  assert.equal(says(state(), state({ boot: "b2", epoch: "e2", seq: 0, game: "g9" })), T.restartedLost);
});

test("2048 is said once, and not to who comes later", () => {
  const won = state({ seq: 21, won: true });
  assert.equal(says(state(), won), T.won);
  assert.equal(says(won), null);
  assert.equal(says(state(), won, state({ seq: 22, won: true, moves: 22 })), T.won);
  const later = update(got(state(), won), { type: "tick" }, 20_000);
  assert.equal(update(later, { type: "state", state: state({ seq: 22, won: true }) }, 20_001).notice, null);
});

test("a notice ends by itself", () => {
  const model = got(state(), state({ seq: 21, won: true }));
  assert.ok(update(model, { type: "tick" }, 6_000).notice);
  assert.equal(update(model, { type: "tick" }, 8_000).notice, null);
});

test("a new game is said for ten seconds, with the way back", () => {
  const model = got(state({ score: 1880 }), state({ seq: 21, game: "g2", moves: 0, score: 0 }));
  assert.equal(model.notice.text, "New game.");
  assert.equal(model.former, "g1");
  assert.equal(model.notice.untilMs, 11_001);
});

test("an AI that crashed is said with a way to try again", () => {
  const crashed = { move: null, source: "fallback", reason: "agent stopped: PlayerError: no answer" };
  const model = got(state({}, { running: true }), state({ seq: 21, decision: crashed }));
  assert.equal(model.notice.text, "The AI stopped: PlayerError: no answer");
  assert.equal(model.notice.action.name, "start-agent");
});

test("equal reasons of a fallback are counted, one for each move", () => {
  const fell = (seq, reason) => state({ seq, moves: seq, decision: { move: "UP", source: "fallback", reason } });
  assert.equal(got(fell(1, "a"), fell(2, "a"), fell(3, "a")).fallback.times, 3);
  assert.equal(got(fell(1, "a"), fell(2, "b")).fallback.times, 1);
  assert.equal(got(fell(1, "a"), { ...fell(2, "a"), moves: 1 }).fallback.times, 1);
  assert.equal(got(fell(1, "a"), state({ seq: 2 })).fallback.times, 0);
});

test("a hint is gone with the next move, and one that comes late is not shown", () => {
  const hint = golden("reply-hint");
  const shown = update(got(state()), { type: "hint", hint, game: "g1", moves: 20 }, 1);
  assert.ok(shown.hint);
  assert.equal(update(shown, { type: "state", state: state({ seq: 21, moves: 21 }) }, 2).hint, null);
  assert.ok(update(shown, { type: "state", state: state({ seq: 21 }, { player: "rules" }) }, 2).hint);
  assert.equal(update(got(state()), { type: "hint", hint, game: "g1", moves: 19 }, 1).hint, null);
});

test("the game before is known once it has moves, and after a loss of history it is not", () => {
  assert.equal(got(state({ seq: 1 }), state({ seq: 2, game: "g2" })).former, "g1");
  assert.equal(got(state({ seq: 1, moves: 0 }), state({ seq: 2, game: "g2" })).former, "");
  assert.equal(got(state({ seq: 1 }), state({ seq: 2, game: "g2", epoch: "another" })).former, "");
});

test("what the page chose is kept until it chooses again", () => {
  const model = update(update(newModel(0), { type: "choose", choice: { player: "rules" } }, 1), { type: "choose", choice: { pace: "max" } }, 2);
  assert.deepEqual(model.choice, { player: "rules", pace: "max" });
  assert.equal(AGENT.player, "mcts");
});

test("what was chosen no longer stands once the AI is set otherwise", () => {
  const chosen = update(got(state()), { type: "choose", choice: { player: "rules" } }, 1);
  const moved = update(chosen, { type: "state", state: state({ seq: 21, moves: 21 }) }, 2);
  assert.deepEqual(moved.choice, { player: "rules" });
  assert.deepEqual(update(moved, { type: "state", state: state({ seq: 22 }, { intervalSeconds: 2 }) }, 3).choice, {});
});
