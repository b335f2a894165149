// The list of moves this page has seen: who played what, what it gained, what came.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").LogEntry} LogEntry */

/** Enough to read back over, small enough to keep. */
export const LOG_LENGTH = 300;

/**
 * Newest last. A new game starts an empty list; a move that this page did not see leaves a gap in the numbers.
 * @param {LogEntry[]} log
 * @param {State|null} held
 * @param {State} next
 * @returns {LogEntry[]}
 */
export function addToLog(log, held, next) {
  const kept = held && held.game !== next.game ? [] : log;
  const made = next.transition;
  if (!made || kept[kept.length - 1]?.move === next.moves) return kept;
  const entry = {
    game: next.game, move: next.moves, direction: made.direction, by: made.by, gained: made.gained, spawn: made.spawn,
    detail: summary(next),
  };
  return [...kept, entry].slice(-LOG_LENGTH);
}

/** @param {State} state */
function summary(state) {
  const decision = state.decision;
  if (!decision || decision.source === "human") return "";
  return decision.source === "fallback" ? (decision.reason ?? "") : (decision.detail ?? "");
}
