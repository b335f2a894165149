// The viewer's own pace, and a board as a short text.
import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { createGate } from "../gate.js";
import { codeOf, gridOf } from "../position.js";
import { readAddress } from "../address.js";

const state = (seq, running = true) => ({ seq, agent: { running } });

test("of a fast AI only the newest board is let through, as often as the viewer wishes", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 10_000 });
  const seen = [];
  const gate = createGate(() => 250, ({ seq }) => seen.push(seq));
  for (let seq = 1; seq <= 20; seq += 1) {
    gate.pass(state(seq));
    mock.timers.tick(50);
  }
  assert.deepEqual(seen, [1, 5, 10, 15, 20]);
  gate.pass(state(21));
  assert.equal(gate.seq(), 21);
  assert.equal(seen.length, 5);
  mock.timers.reset();
});

test("a person's board, and every board if the viewer wishes, comes at once", () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 10_000 });
  const seen = [];
  const gate = createGate(() => 1_000, ({ seq }) => seen.push(seq));
  [state(1), state(2), state(3, false), state(4, false)].forEach(gate.pass);
  assert.deepEqual(seen, [1, 3, 4]);
  const all = createGate(() => 0, ({ seq }) => seen.push(seq));
  [state(5), state(6)].forEach(all.pass);
  assert.deepEqual(seen, [1, 3, 4, 5, 6]);
  mock.timers.reset();
});

test("a position is the same after a way through its code", () => {
  const grid = [[2, null, null, 131072], [null, 4, null, null], [null, null, null, null], [8, 16, 32, 64]];
  assert.equal(codeOf(grid), "2.0.0.131072-0.4.0.0-0.0.0.0-8.16.32.64");
  assert.deepEqual(gridOf(codeOf(grid)), grid.map((line) => line.map((value) => value ?? 0)));
  for (const wrong of ["", "2", "2.0.0.0-2.0.0.0-2.0.0.0", "2.0.0-2.0.0.0-2.0.0.0-2.0.0.0", "2.0.0.x-2.0.0.0-2.0.0.0-2.0.0.0"]) {
    assert.equal(gridOf(wrong), null, wrong);
  }
});

test("a link to watch has calls of its own and no token", () => {
  const address = readAddress({ pathname: "/w/abc", hash: "#token=t" }, "kept");
  assert.deepEqual(address, { session: "", base: "/api/watch/abc", token: null });
});
