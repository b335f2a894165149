// What is said to those who do not see the board, and how often.
import { number, T, word } from "./texts.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Grid} Grid */

/** While an AI plays, at most one line in this time. */
export const QUIET_MS = 5_000;

/**
 * "Left. 4 and 4 made 8. New 2, row 3 column 1. Score 128."
 * @param {State} state
 */
export function moveSentence(state) {
  const made = state.transition;
  if (!made) return "";
  /** @type {Map<string, {value: number, after: number}>} */
  const pairs = new Map();
  for (const { to, value, merges } of made.slides) {
    if (merges) pairs.set(to.join(), { value, after: state.grid[to[0]]?.[to[1]] ?? 0 });
  }
  const merges = [...pairs.values()].map(({ value, after }) => ` ${value} and ${value} made ${after}.`).join("");
  const [row, column] = made.spawn.at;
  const score = number(state.score);
  return `${word(made.direction)}.${merges} New ${made.spawn.value}, ${T.position(row, column)}. Score ${score}.`;
}

/** Row by row, for the B key. @param {Grid} grid */
export const boardSentence = (grid) =>
  grid.map((line, row) => `Row ${row + 1}: ${line.map((value) => value ?? T.empty).join(", ")}.`).join(" ");

/**
 * What a new state is worth saying: every move of a person; of an AI a line now and then, and a new top tile.
 * @param {State|null} before
 * @param {State} after
 * @param {number} quietForMs  How long ago the last line was.
 * @returns {{text: string, urgent: boolean}|null}
 */
export function sayFor(before, after, quietForMs) {
  if (!before) return null;
  if (after.gameOver && !before.gameOver) {
    return { text: `${T.gameOver}. ${T.scoreLine(after.score, after.moves)}`, urgent: true };
  }
  if (after.game !== before.game || after.seq <= before.seq || !after.transition) return null;
  if (after.transition.by === "human") return { text: moveSentence(after), urgent: false };
  const milestone = after.maxTile > before.maxTile && after.maxTile >= 256;
  if (!milestone && quietForMs < QUIET_MS) return null;
  const top = milestone ? ` New top tile ${after.maxTile}.` : ` Top tile ${after.maxTile}.`;
  return { text: `Move ${number(after.moves)}.${top} Score ${number(after.score)}.`, urgent: false };
}
