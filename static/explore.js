// Walking over the board cell by cell, for those who hear it; the game stands still for the keys meanwhile.
import { T } from "./texts.js";

/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Direction} Direction */

/** @type {Record<Direction, Cell>} */
const STEPS = { UP: [-1, 0], DOWN: [1, 0], LEFT: [0, -1], RIGHT: [0, 1] };

/** One step of the cursor, which stops at the edge. @param {Cell} cell @param {Direction} direction @returns {Cell} */
export function walk([row, column], direction) {
  const [down, across] = STEPS[direction];
  const within = (/** @type {number} */ n) => Math.min(Math.max(n, 0), 3);
  return [within(row + down), within(column + across)];
}

/** "row 2 column 3, 128" @param {import("./types.js").Grid} grid @param {Cell} cell */
export const cellSentence = (grid, [row, column]) =>
  `${T.position(row, column)}, ${grid[row]?.[column] ?? T.empty}`;

/**
 * @param {{grid: () => import("./types.js").Grid|null, say: (text: string) => void, mark: (cell: Cell|null) => void}} deps
 */
export function createExplorer({ grid, say, mark }) {
  /** @type {Cell|null} */
  let cursor = null;
  /** @type {Cell} */
  let last = [0, 0];

  /** @param {Cell} cell */
  function put(cell) {
    cursor = last = cell;
    mark(cell);
    const held = grid();
    if (held) say(cellSentence(held, cell));
  }

  function leave() {
    cursor = null;
    mark(null);
    say(T.exploringOff);
  }

  return {
    on: () => cursor !== null,
    toggle: () => (cursor ? leave() : put(last)),
    leave,
    /** @param {Direction} direction */
    walk: (direction) => cursor && put(walk(cursor, direction)),
    /** Reads the cell under a finger, given as parts of the board's width and height. @param {number} x @param {number} y */
    tap: (x, y) => {
      const held = grid();
      const place = (/** @type {number} */ part) => Math.min(Math.max(Math.floor(part * 4), 0), 3);
      if (held) say(cellSentence(held, [place(y), place(x)]));
    },
  };
}

/** @typedef {ReturnType<typeof createExplorer>} Explorer */
