import assert from "node:assert/strict";
import test from "node:test";
import { contextOf, dropStale, EMPTY_QUEUE, press, settle } from "../queue.js";
import { MCTS, state } from "./samples.js";

test("one move flies, one waits, the rest are dropped", () => {
  const first = press(EMPTY_QUEUE, "LEFT", "c");
  assert.equal(first.send, "LEFT");
  const second = press(first.queue, "UP", "c");
  assert.equal(second.send, null);
  const third = press(second.queue, "DOWN", "c");
  assert.equal(third.send, null);
  const landed = settle(third.queue, "c");
  assert.equal(landed.send, "UP");
  assert.deepEqual(settle(landed.queue, "c"), { queue: EMPTY_QUEUE, send: null });
});

test("holding a key never has more than one move in flight", () => {
  let queue = EMPTY_QUEUE;
  let flying = 0;
  for (let tick = 0; tick < 1000; tick += 1) {
    const pressed = press(queue, "LEFT", "c");
    queue = pressed.queue;
    if (pressed.send) flying += 1;
    assert.ok(flying <= 1);
    if (tick % 7 === 0 && flying > 0) {
      const landed = settle(queue, "c");
      queue = landed.queue;
      flying += landed.send ? 0 : -1;
    }
  }
});

test("a waiting move is dropped when the driver or the game changes", () => {
  const human = contextOf(state());
  const ai = contextOf(state({ driver: MCTS }));
  const other = contextOf(state({ game: "g2" }));
  assert.notEqual(human, ai);
  const waiting = press(press(EMPTY_QUEUE, "LEFT", human).queue, "UP", human).queue;
  for (const changed of [ai, other]) {
    assert.equal(dropStale(waiting, changed).waiting, null);
    assert.equal(settle(waiting, changed).send, null);
  }
  assert.equal(dropStale(waiting, human), waiting);
});
