// From what is known to what is shown: one pure function of the model, the clock and nothing else.
import { canSend, phaseOf } from "./link.js";
import { colourOf, markOf, titleOf } from "./players.js";
import { T } from "./texts.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Notice} Notice */
/** @typedef {{text: string, kind: Notice["kind"]|"plain", action: import("./types.js").NoticeAction|null}} Line */

/** A thought that takes longer than this is shown as one. */
const THINKING_AFTER_MS = 300;
/** A gap in the connection shorter than this changes nothing about the board. */
const GREY_AFTER_MS = 2_000;

/** @param {Model} model @param {number} now */
export function view(model, now) {
  const { state, link } = model;
  const phase = phaseOf(link, now);
  const sends = canSend(phase) && state !== null;
  return {
    phase,
    dot: phase === "live" ? "good" : phase === "connecting" || phase === "polling" ? "wait" : dotOf(phase),
    phaseText: phase === "connecting" && now - link.startedAt < 300 && link.failures === 0 ? "" : T.phase[phase],
    phaseTip: phase === "polling" ? T.pollingTip : "",
    stale: link.lostAt !== null && now - link.lostAt >= GREY_AFTER_MS,
    sends,
    mayPlay: model.mayPlay,
    driver: state ? driverOf(state) : null,
    line: lineOf(model, phase, now),
    thinkingMs: thinkingMs(model, now),
    card: state?.gameOver && !state.agent.running && !model.look && model.closedCard !== state.game ? cardOf(state, model) : null,
    slider: sliderOf(model),
    wakeAt: wakeAt(model, phase, now),
  };
}

/** @typedef {ReturnType<typeof view>} View */

/** @param {import("./link.js").Phase} phase */
const dotOf = (phase) => (phase === "reconnecting" || phase === "overload" ? "warn" : "bad");

/** @param {State} state */
function driverOf(state) {
  const { kind, name, sinceMove } = state.driver;
  const playing = kind !== "human" && state.agent.running;
  return {
    playing,
    kind,
    text: kind === "human" ? "" : T.driver(titleOf(state.agent, name), sinceMove),
    mark: markOf(state.agent, kind === "human" ? "human" : name),
    colour: colourOf(state.agent, kind === "human" ? "human" : name),
  };
}

/** The one line over the board: a trouble first, then news, then whose move it is. @param {Model} model @param {import("./link.js").Phase} phase @param {number} now @returns {Line} */
function lineOf(model, phase, now) {
  const { state, link } = model;
  if (phase === "outdated") return { text: T.outdated, kind: "bad", action: { label: T.reload, name: "reload" } };
  if (phase === "gone") return { text: T.gone, kind: "bad", action: null };
  if (phase === "offline") {
    const wait = link.retryAt === null ? null : Math.max(0, Math.ceil((link.retryAt - now) / 1000));
    return { text: T.notReachable(wait), kind: "bad", action: { label: T.tryNow, name: "retry" } };
  }
  if (model.look && model.notice?.kind !== "look") return lookLine(model.look, state);
  if (model.notice) return { text: model.notice.text, kind: model.notice.kind, action: model.notice.action ?? null };
  if (phase === "overload") return { text: T.overload, kind: "warn", action: null };
  if (!state) return { text: "", kind: "plain", action: null };
  if (!model.mayPlay) return { text: T.watching(Math.max(0, model.watchers - 1)), kind: "plain", action: null };
  if (state.agent.running) {
    const { series } = state.agent;
    const which = series ? T.inSeries(series.played + 1, series.games, series.untilTile) : "";
    return { text: T.plays(titleOf(state.agent, state.driver.name)) + which, kind: "plain", action: null };
  }
  if (state.gameOver) return { text: T.over, kind: "plain", action: null };
  return { text: T.yourMove, kind: "plain", action: null };
}

/** @param {import("./types.js").Look} look @param {State|null} state @returns {Line} */
function lookLine({ game, n, last, title }, state) {
  const where = T.moveOf(n, last);
  const text = game === state?.game ? `${where}. ${T.liveGoesOn(state.score)}` : `${title} ${where}.`;
  return { text, kind: "look", action: { label: T.backToLive, name: "live" } };
}

/** The slider is glued to the end while nobody looks back. @param {Model} model */
function sliderOf({ history, look, state }) {
  if (!history || !state || (!look && state.moves === 0)) return null;
  const { n, last, drivers, milestones, speed } =
    look ?? { n: state.moves, last: state.moves, drivers: [], milestones: [], speed: 0 };
  return { n, last, drivers, milestones, speed, looking: look !== null, text: T.place(n, last, (look?.past ?? state).score) };
}

/** A call of one's own counts from when it was sent; an AI's thought from when its next move was due at its pace. @param {Model} model @param {number} now */
function thinkingMs({ state, link, busy, busySince, changedAt }, now) {
  if (link.liveSince === null) return null;
  const pause = state?.agent.pace === "fixed" ? state.agent.intervalSeconds * 1_000 : 0;
  const since = busy ? busySince : state?.agent.running ? changedAt + pause : Infinity;
  return now - since >= THINKING_AFTER_MS ? now - since : null;
}

/** @param {State} state @param {Model} model */
function cardOf({ game, won, score, moves, best, custom }, { wonAt, mayPlay }) {
  return { wonNow: wonAt.game === game && wonAt.moves === moves, won, score, moves, best, custom: custom ?? false, mayPlay };
}

/** When something on screen changes by time alone; infinity: not before the next event. @param {Model} model @param {import("./link.js").Phase} phase @param {number} now */
function wakeAt(model, phase, now) {
  const soon = [Infinity];
  if (model.notice?.untilMs) soon.push(model.notice.untilMs);
  if (phase === "connecting" || phase === "reconnecting") soon.push(now + 300);
  if (phase === "offline") soon.push(now + 500);
  if (model.state?.agent.running || model.busy) soon.push(now + 100);
  return Math.max(now + 20, Math.min(...soon));
}
