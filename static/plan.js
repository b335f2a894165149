// How a new state is brought on screen: drawn, or animated from the server's own account of the move.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Transition} Transition */
/** @typedef {{slideMs: number, popMs: number, spawnMs: number, float: boolean, marks: boolean}} Speed */
/** @typedef {{kind: "draw"} | {kind: "animate", transition: Transition, speed: Speed}} Plan */

/** @type {Speed} */
export const FULL = { slideMs: 100, popMs: 200, spawnMs: 200, float: true, marks: false };

/**
 * How fast, given how long ago the last state came.
 * @param {number} intervalMs
 * @returns {Speed|null}  Null: too fast to animate.
 */
export function speedFor(intervalMs) {
  if (intervalMs >= 300) return FULL;
  if (intervalMs >= 120) {
    const slideMs = Math.min(100, 0.4 * intervalMs);
    const rest = Math.max(intervalMs - slideMs, 0);
    return { slideMs, popMs: rest, spawnMs: rest, float: true, marks: false };
  }
  if (intervalMs >= 50) return { slideMs: 0.8 * intervalMs, popMs: 0, spawnMs: 0, float: false, marks: false };
  return null;
}

/**
 * Animates only from the state that is on screen to the very next one.
 * @param {State|null} held  The state that is on screen.
 * @param {State} next
 * @param {{intervalMs: number, hidden: boolean, motion: boolean}} how
 * @returns {Plan}
 */
export function planFor(held, next, how) {
  if (!held || how.hidden || !next.transition) return { kind: "draw" };
  const follows = held.epoch === next.epoch && held.game === next.game && next.seq === held.seq + 1;
  if (!follows) return { kind: "draw" };
  const speed = speedFor(how.intervalMs);
  if (!speed) return { kind: "draw" };
  if (how.motion) return { kind: "animate", transition: next.transition, speed };
  const still = { slideMs: 0, popMs: 0, spawnMs: 0, float: false, marks: how.intervalMs >= 300 };
  return { kind: "animate", transition: next.transition, speed: still };
}

/**
 * What the states that came since the last frame amount to: the one to draw at once, if any, and the one to show after it.
 * @param {State[]} waiting  Oldest first, at least one.
 * @returns {{first: State|null, last: State}}
 */
export function condense(waiting) {
  const last = /** @type {State} */ (waiting[waiting.length - 1]);
  if (waiting.length > 2) return { first: null, last };
  return { first: waiting.length === 2 ? (waiting[0] ?? null) : null, last };
}

/** A cell's name on the board. @param {number} row @param {number} column */
export const at = (row, column) => `${row},${column}`;
