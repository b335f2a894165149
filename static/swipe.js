// When a finger's path is a move: decided once, at the moment it crosses the threshold.

/** @typedef {import("./types.js").Direction} Direction */

const LEAST_PX = 28;
const OF_BOARD = 0.1;
/** The longer axis must be this many times the other. */
const CLEAR = 1.5;

/**
 * @param {number} dx
 * @param {number} dy
 * @param {number} boardPx  The board's width.
 * @returns {Direction|"unclear"|null}  Null: not far enough yet. `unclear`: far enough, but between two directions.
 */
export function decide(dx, dy, boardPx) {
  const [across, down] = [Math.abs(dx), Math.abs(dy)];
  if (Math.max(across, down) < Math.max(LEAST_PX, boardPx * OF_BOARD)) return null;
  if (across >= CLEAR * down) return dx > 0 ? "RIGHT" : "LEFT";
  if (down >= CLEAR * across) return dy > 0 ? "DOWN" : "UP";
  return "unclear";
}

/**
 * Follows the fingers: gives a direction at most once until all of them are up.
 */
export function createSwipe() {
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  let locked = false;
  let moved = false;
  return {
    /** @param {number} id @param {number} x @param {number} y */
    down: (id, x, y) => {
      if (fingers.size > 0) locked = true;
      else moved = false;
      fingers.set(id, { x, y });
    },
    /** @param {number} id @param {number} x @param {number} y @param {number} boardPx @returns {Direction|null} */
    move: (id, x, y, boardPx) => {
      const start = fingers.get(id);
      if (!start || locked) return null;
      const decided = decide(x - start.x, y - start.y, boardPx);
      if (decided === null) return null;
      locked = true;
      moved = true;
      return decided === "unclear" ? null : decided;
    },
    /** @param {number} id @returns {boolean} Was this a tap: one finger, down and up in place? */
    up: (id) => {
      const tap = fingers.delete(id) && fingers.size === 0 && !locked && !moved;
      if (fingers.size === 0) locked = false;
      return tap;
    },
  };
}
