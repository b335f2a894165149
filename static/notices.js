// The one-line messages that follow from how one state differs from the last; computed, never set by hand.
import { T } from "./texts.js";
import { titleOf } from "./players.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Notice} Notice */

const SHORT_MS = 6_000;
const LONG_MS = 10_000;

/**
 * @param {string} text
 * @param {Notice["kind"]} [kind]
 * @param {number|null} [ms]  Null: until something else takes its place.
 * @param {import("./types.js").NoticeAction} [action]
 * @returns {(now: number) => Notice}
 */
export const notice = (text, kind = "info", ms = SHORT_MS, action) => (now) => ({
  text, kind, untilMs: ms === null ? null : now + ms, ...(action ? { action } : {}),
});

/**
 * @param {State|null} before  What this page held until now.
 * @param {State} after
 * @param {{away: boolean, mayPlay: boolean, history: boolean}} page  `away`: the connection was lost since `before`.
 * @returns {((now: number) => Notice)|null}
 */
export function noticeFor(before, after, page) {
  if (!before) return null;
  if (before.boot !== after.boot) return restarted(before, after);
  if (page.away) return cameBack(before, after);
  if (after.won && !before.won && after.game === before.game) return notice(T.won, "good");
  if (after.game !== before.game) {
    if (before.moves === 0) return notice(T.freshGame);
    return notice(T.freshGame, "info", LONG_MS, page.history ? { label: T.backToIt, name: "former" } : undefined);
  }
  return crashed(before, after) ?? handOver(before, after, page.mayPlay);
}

/** @param {State} before @param {State} after */
function restarted(before, after) {
  if (after.game === before.game) return notice(T.restarted(after.moves));
  if (after.epoch === before.epoch) return notice(T.restartedNewGame, "warn");
  return notice(T.restartedLost, "warn", null, { label: T.newOne, name: "new-game" });
}

/** @param {State} before @param {State} after */
function cameBack(before, after) {
  if (after.game !== before.game) return notice(T.backNewGame);
  const moves = after.moves - before.moves;
  return notice(moves > 0 ? T.backMoves(moves) : T.back);
}

/** @param {State} before @param {State} after */
function crashed(before, after) {
  const reason = after.decision?.reason ?? "";
  if (after.decision?.move !== null || !reason.startsWith("agent stopped")) return null;
  if (!before.agent.running || after.agent.running) return null;
  return notice(T.agentStopped(reason), "bad", null, { label: T.tryAgain, name: "start-agent" });
}

/** @param {State} before @param {State} after @param {boolean} mayPlay */
function handOver(before, after, mayPlay) {
  const was = before.driver;
  const is = after.driver;
  if (was.kind === is.kind && was.name === is.name) return null;
  if (is.kind !== "human") return notice(T.handedOver(titleOf(after.agent, is.name), after.moves));
  const name = titleOf(before.agent, was.name);
  if (after.transition?.by !== "human") return notice(T.stopped(name, after.moves));
  return notice(T.tookOver(mayPlay ? T.you : T.person, name, after.moves));
}
