import assert from "node:assert/strict";
import test from "node:test";
import { createSwipe, decide } from "../swipe.js";

test("a swipe is 28 px or a tenth of the board, the larger", () => {
  assert.equal(decide(27, 0, 200), null);
  assert.equal(decide(28, 0, 200), "RIGHT");
  assert.equal(decide(45, 0, 500), null);
  assert.equal(decide(-50, 0, 500), "LEFT");
});

test("the longer axis must be clearly longer", () => {
  assert.equal(decide(60, 40, 300), "RIGHT");
  assert.equal(decide(60, 41, 300), "unclear");
  assert.equal(decide(10, -60, 300), "UP");
  assert.equal(decide(-10, 60, 300), "DOWN");
});

test("one swipe is one move, until all fingers are up", () => {
  const swipe = createSwipe();
  swipe.down(1, 0, 0);
  assert.equal(swipe.move(1, 10, 0, 300), null);
  assert.equal(swipe.move(1, 40, 0, 300), "RIGHT");
  assert.equal(swipe.move(1, 40, 90, 300), null);
  assert.equal(swipe.up(1), false);
  swipe.down(2, 0, 0);
  assert.equal(swipe.move(2, 0, 40, 300), "DOWN");
});

test("an unclear path is not corrected into a move later", () => {
  const swipe = createSwipe();
  swipe.down(1, 0, 0);
  assert.equal(swipe.move(1, 40, 40, 300), null);
  assert.equal(swipe.move(1, 200, 40, 300), null);
});

test("a second finger cancels", () => {
  const swipe = createSwipe();
  swipe.down(1, 0, 0);
  swipe.down(2, 50, 50);
  assert.equal(swipe.move(1, 90, 0, 300), null);
  swipe.up(2);
  assert.equal(swipe.move(1, 190, 0, 300), null);
  swipe.up(1);
  swipe.down(3, 0, 0);
  assert.equal(swipe.move(3, 90, 0, 300), "RIGHT");
});

test("down and up in one place is a tap", () => {
  const swipe = createSwipe();
  swipe.down(1, 5, 5);
  assert.equal(swipe.up(1), true);
  assert.equal(swipe.up(1), false);
});
