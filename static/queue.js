// Moves on their way to the server: one in flight, one waiting, the rest dropped.

/** @typedef {import("./types.js").Direction} Direction */
/** @typedef {import("./types.js").State} State */

/**
 * What must be as it was for a waiting move to be sent: the game, and who drives it.
 * @typedef {{flying: boolean, waiting: {direction: Direction, context: string}|null}} Queue
 */

/** @type {Queue} */
export const EMPTY_QUEUE = { flying: false, waiting: null };

/** @param {State} state */
export const contextOf = (state) => `${state.game}/${state.driver.kind}/${state.driver.name}`;

/**
 * @param {Queue} queue
 * @param {Direction} direction
 * @param {string} context
 * @returns {{queue: Queue, send: Direction|null}}
 */
export function press(queue, direction, context) {
  if (!queue.flying) return { queue: { flying: true, waiting: null }, send: direction };
  if (queue.waiting) return { queue, send: null };
  return { queue: { flying: true, waiting: { direction, context } }, send: null };
}

/**
 * The move in flight has been answered, or given up.
 * @param {Queue} queue
 * @param {string} context  As it is now.
 * @returns {{queue: Queue, send: Direction|null}}
 */
export function settle(queue, context) {
  const next = queue.waiting;
  if (!next || next.context !== context) return { queue: EMPTY_QUEUE, send: null };
  return { queue: { flying: true, waiting: null }, send: next.direction };
}

/**
 * Drops the waiting move when it was meant for another game or another driver.
 * @param {Queue} queue
 * @param {string} context
 * @returns {Queue}
 */
export function dropStale(queue, context) {
  return queue.waiting && queue.waiting.context !== context ? { ...queue, waiting: null } : queue;
}
