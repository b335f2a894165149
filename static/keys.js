// The one table of keys: the handlers act by it and the help is written from it.

/** @typedef {import("./shapes.js").Key} Key */

/** @type {readonly Key[]} */
export const KEYS = [
  { action: "UP", group: "Play", text: "Move up", shown: "\u2191 W K", keys: ["ArrowUp", "k"], codes: ["KeyW"], control: true },
  { action: "LEFT", group: "Play", text: "Move left", shown: "\u2190 A H", keys: ["ArrowLeft", "h"], codes: ["KeyA"], control: true },
  { action: "DOWN", group: "Play", text: "Move down", shown: "\u2193 S J", keys: ["ArrowDown", "j"], codes: ["KeyS"], control: true },
  { action: "RIGHT", group: "Play", text: "Move right", shown: "\u2192 D L", keys: ["ArrowRight", "l"], codes: ["KeyD"], control: true },
  { action: "new-game", group: "Play", text: "New game (asks first)", shown: "N", keys: ["n"], control: true },
  { action: "toggle-agent", group: "AI", text: "AI on or off", shown: "Space", keys: [" "], board: true, control: true },
  { action: "step", group: "AI", text: "One move by the AI", shown: "Enter", keys: ["Enter"], board: true, control: true },
  { action: "hint", group: "AI", text: "Hint: show, do not play", shown: "I", keys: ["i"], control: true },
  { action: "faster", group: "AI", text: "Faster", shown: "+", keys: ["+", "="], control: true },
  { action: "slower", group: "AI", text: "Slower", shown: "\u2212", keys: ["-"], control: true },
  {
    action: "player", group: "AI", text: "Choose the first, second, \u2026 player", shown: "1 \u2013 9",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], control: true,
  },
  { action: "back", group: "Look back", text: "One move back", shown: ", [", keys: [",", "["], history: true },
  { action: "on", group: "Look back", text: "One move on", shown: ". ]", keys: [".", "]"], history: true },
  { action: "back-ten", group: "Look back", text: "Ten moves back", shown: "Shift+,", codes: ["Comma", "BracketLeft"], shift: true, history: true },
  { action: "on-ten", group: "Look back", text: "Ten moves on", shown: "Shift+.", codes: ["Period", "BracketRight"], shift: true, history: true },
  { action: "first", group: "Look back", text: "First board", shown: "Home", keys: ["Home"], history: true },
  { action: "live", group: "Look back", text: "Back to live", shown: "End", keys: ["End"], history: true },
  { action: "explore", group: "Page", text: "Walk over the cells with the arrows, on or off", shown: "X", keys: ["x"] },
  { action: "read-board", group: "Page", text: "Read the board aloud", shown: "B", keys: ["b"] },
  { action: "help", group: "Page", text: "This help", shown: "?", keys: ["?"] },
  { action: "escape", group: "Page", text: "Close what is open, leave the cells, back to live", shown: "Esc", keys: ["Escape"] },
];

export const DIRECTIONS = /** @type {const} */ (["UP", "DOWN", "LEFT", "RIGHT"]);

/** @param {string} action @returns {import("./types.js").Direction|null} */
export const directionOf = (action) => DIRECTIONS.find((direction) => direction === action) ?? null;

/** @typedef {import("./shapes.js").Press} Press */
/** @typedef {import("./shapes.js").Where} Where */

/**
 * @param {Press} press
 * @param {Where} where
 * @returns {Key|null}
 */
export function match(press, where) {
  if (press.ctrlKey || press.altKey || press.metaKey || press.isComposing) return null;
  if (where.editable || where.dialog) return null;
  const single = press.key.length === 1;
  if (single && press.key !== " " && !where.letters) return null;
  const typed = single ? press.key.toLowerCase() : press.key;
  const found =
    KEYS.find((key) => key.codes?.includes(press.code) && (!key.shift || press.shiftKey)) ?? KEYS.find((key) => key.keys?.includes(typed));
  const walks = where.exploring && found !== undefined && directionOf(found.action) !== null;
  if (found?.history && !where.history) return null;
  if (!found || (found.board && !where.onBoard) || (found.control && !where.mayPlay && !walks)) return null;
  return found;
}

/** Things that use arrows, letters or Space for themselves. */
const TAKES_KEYS = new Set(["INPUT", "TEXTAREA", "SELECT"]);
const TAKES_ARROWS = new Set(["tab", "slider", "listbox", "menu", "radio", "textbox", "combobox"]);

/** @param {{tagName: string, isContentEditable?: boolean, role?: string|null}} target */
export const isEditable = (target) =>
  TAKES_KEYS.has(target.tagName) || target.isContentEditable === true || TAKES_ARROWS.has(target.role ?? "");

/**
 * Which direction keys are down: while one is held, another does nothing.
 */
export function createChord() {
  /** @type {Set<string>} */
  const down = new Set();
  return {
    /** @param {string} code @returns {boolean} Is this the only direction key that is down? */
    press: (code) => {
      down.add(code);
      return down.size === 1;
    },
    /** @param {string} code */
    release: (code) => down.delete(code),
    clear: () => down.clear(),
  };
}
