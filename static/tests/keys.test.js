import assert from "node:assert/strict";
import test from "node:test";
import { createChord, isEditable, KEYS, match } from "../keys.js";

const here = { editable: false, onBoard: true, dialog: false, letters: true, mayPlay: true, exploring: false, history: true };
const press = (key, code = "", more = {}) => ({ key, code, ctrlKey: false, altKey: false, metaKey: false, ...more });
const action = (key, code, where = here) => match(press(key, code), where)?.action ?? null;

test("arrows, the WASD places and the vim letters move", () => {
  const moves = [
    ["ArrowUp", "ArrowUp", "UP"], ["ArrowLeft", "ArrowLeft", "LEFT"], ["ArrowDown", "ArrowDown", "DOWN"],
    ["ArrowRight", "ArrowRight", "RIGHT"], ["w", "KeyW", "UP"], ["a", "KeyA", "LEFT"], ["s", "KeyS", "DOWN"],
    ["d", "KeyD", "RIGHT"], ["h", "KeyH", "LEFT"], ["j", "KeyJ", "DOWN"], ["k", "KeyK", "UP"], ["l", "KeyL", "RIGHT"],
  ];
  for (const [key, code, wanted] of moves) assert.equal(action(key, code), wanted, key);
});

test("on a French keyboard the places of WASD are Z, Q, S and D", () => {
  assert.equal(action("z", "KeyW"), "UP");
  assert.equal(action("q", "KeyA"), "LEFT");
  assert.equal(action("w", "KeyZ"), null);
  assert.equal(action("a", "KeyQ"), null);
});

test("capital letters move as well", () => {
  assert.equal(action("H", "KeyH"), "LEFT");
  assert.equal(action("W", "KeyW"), "UP");
});

test("a key with a modifier stays the browser's", () => {
  for (const modifier of ["ctrlKey", "altKey", "metaKey"]) {
    for (const [key, code] of [["s", "KeyS"], ["ArrowLeft", "ArrowLeft"], ["n", "KeyN"], [" ", "Space"]]) {
      assert.equal(match(press(key, code, { [modifier]: true }), here), null, `${modifier} ${key}`);
    }
  }
});

test("a key goes to the field or the dialog that has it", () => {
  for (const where of [{ ...here, editable: true }, { ...here, dialog: true }]) {
    for (const key of KEYS) assert.equal(action(key.keys?.[0] ?? "", key.codes?.[0], where), null);
  }
});

test("space and enter act only on the page itself", () => {
  assert.equal(action(" ", "Space"), "toggle-agent");
  assert.equal(action("Enter", "Enter"), "step");
  assert.equal(action(" ", "Space", { ...here, onBoard: false }), null);
  assert.equal(action("Enter", "Enter", { ...here, onBoard: false }), null);
});

test("single characters can be switched off; arrows stay", () => {
  const where = { ...here, letters: false };
  for (const [key, code] of [["n", "KeyN"], ["w", "KeyW"], ["?", "Slash"], ["1", "Digit1"]]) assert.equal(action(key, code, where), null);
  assert.equal(action("ArrowUp", "ArrowUp", where), "UP");
  assert.equal(action(" ", "Space", where), "toggle-agent");
});

test("who may only watch has help, but no move", () => {
  const where = { ...here, mayPlay: false };
  assert.equal(action("ArrowUp", "ArrowUp", where), null);
  assert.equal(action("n", "KeyN", where), null);
  assert.equal(action("?", "Slash", where), "help");
});

test("who may only watch can walk over the cells", () => {
  assert.equal(action("ArrowUp", "ArrowUp", { ...here, mayPlay: false, exploring: true }), "UP");
  assert.equal(action("n", "KeyN", { ...here, mayPlay: false, exploring: true }), null);
});

test("past boards are walked by keys where the server has them", () => {
  assert.deepEqual([",", ".", "[", "]", "Home", "End"].map((key) => action(key)), ["back", "on", "back", "on", "first", "live"]);
  assert.equal(match(press("<", "Comma", { shiftKey: true }), here).action, "back-ten");
  assert.equal(match(press(":", "Period", { shiftKey: true }), here).action, "on-ten");
  assert.equal(match(press(".", "Period"), here).action, "on");
  assert.equal(action("End", "End", { ...here, history: false }), null);
});

test("text being composed is not a key", () => {
  assert.equal(match(press("n", "KeyN", { isComposing: true }), here), null);
});

test("no two rows of the table take the same key or place", () => {
  const keys = KEYS.flatMap((key) => key.keys ?? []);
  const codes = KEYS.flatMap((key) => key.codes ?? []);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(codes).size, codes.length);
});

test("every row can be written into the help", () => {
  for (const key of KEYS) assert.ok(key.text && key.shown && key.group, key.action);
});

test("fields, selects, sliders and tabs take keys themselves; buttons do not", () => {
  for (const tagName of ["INPUT", "SELECT", "TEXTAREA"]) assert.ok(isEditable({ tagName }));
  assert.ok(isEditable({ tagName: "DIV", isContentEditable: true }));
  assert.ok(isEditable({ tagName: "BUTTON", role: "tab" }));
  assert.ok(!isEditable({ tagName: "BUTTON", role: null }));
  assert.ok(!isEditable({ tagName: "BODY" }));
});

test("a second direction does nothing while the first is held", () => {
  const chord = createChord();
  assert.equal(chord.press("ArrowLeft"), true);
  assert.equal(chord.press("ArrowUp"), false);
  chord.release("ArrowLeft");
  chord.release("ArrowUp");
  assert.equal(chord.press("ArrowUp"), true);
});
