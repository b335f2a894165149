// Everything the page knows, and how each thing that happens changes it; no DOM, no clock, no network.
import { newLink } from "./link.js";
import { notice, noticeFor } from "./notices.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Notice} Notice */
/** @typedef {import("./types.js").Hint} Hint */

/** @typedef {import("./shapes.js").Model} Model */
/** @typedef {import("./shapes.js").Choice} Choice */
/** @typedef {import("./shapes.js").Happening} Happening */

/** @type {import("./types.js").Look} */
const NOWHERE = { game: "", n: 0, last: 0, title: "", past: null, drivers: [], milestones: [], speed: 0 };

/** @param {number} now @returns {Model} */
export function newModel(now) {
  return {
    state: null, former: "", changedAt: now, pastEpochs: [], link: newLink(now, true), away: false, watchers: 0, mayPlay: true,
    hint: null, notice: null, closedCard: "",
    wonAt: { game: "", moves: 0 }, fallback: { reason: "", times: 0 }, choice: {}, history: false, look: null, busy: "", busySince: now,
  };
}

/** @param {Model} model @param {Happening} what @param {number} now @returns {Model} */
export function update(model, what, now) {
  switch (what.type) {
    case "state":
      return acceptState(model, what.state, now);
    case "link":
      return { ...model, link: what.link, away: model.away || (what.link.lostAt !== null && model.state !== null) };
    case "watchers":
      return { ...model, watchers: what.count };
    case "may-play":
      return { ...model, mayPlay: what.value };
    case "hint":
      return fits(model.state, what) ? { ...model, hint: { hint: what.hint, why: what.why, game: what.game, moves: what.moves } } : model;
    case "notice":
      return { ...model, notice: notice(what.text, what.kind, undefined, what.action)(now) };
    case "tick":
      return model.notice?.untilMs && model.notice.untilMs <= now ? { ...model, notice: null } : model;
    case "history":
      return { ...model, history: what.offered };
    case "look":
      return { ...model, look: { ...(model.look ?? NOWHERE), ...what.look } };
    case "live":
      return { ...model, look: null };
    case "hide-hint":
      return { ...model, hint: null };
    case "close-card":
      return { ...model, closedCard: model.state?.game ?? "" };
    case "choose":
      return { ...model, choice: { ...model.choice, ...what.choice } };
    case "busy":
      return { ...model, busy: what.call, busySince: now };
  }
}

/**
 * Is this state worth having? An answer to a call and an event of the stream may come in either order.
 * @param {Model} model
 * @param {State} next
 */
export function isNews(model, next) {
  const held = model.state;
  if (!held) return true;
  if (next.epoch !== held.epoch) return !model.pastEpochs.includes(next.epoch);
  return next.seq > held.seq || (next.seq === held.seq && (model.away || next.boot !== held.boot));
}

/** @param {Model} model @param {State} next @param {number} now @returns {Model} */
function acceptState(model, next, now) {
  if (!isNews(model, next)) return model;
  const held = model.state;
  const said = noticeFor(held, next, { away: model.away, mayPlay: model.mayPlay, history: model.history });
  return {
    ...model,
    state: next,
    former: held && held.game !== next.game && held.moves > 0 && held.epoch === next.epoch ? held.game : model.former,
    changedAt: now,
    pastEpochs: held && held.epoch !== next.epoch ? [...model.pastEpochs, held.epoch].slice(-8) : model.pastEpochs,
    away: false,
    watchers: next.watchers,
    hint: model.hint && fits(next, model.hint) ? model.hint : null,
    notice: said ? said(now) : model.notice,
    wonAt: held && held.game === next.game && next.won && !held.won ? { game: next.game, moves: next.moves } : model.wonAt,
    fallback: countFallback(model.fallback, held, next),
    look: model.look?.game === next.game ? { ...model.look, last: next.moves } : model.look,
    choice: sameAgent(held, next) ? model.choice : {},
  };
}

/** Once the AI is set otherwise, here or elsewhere, what was chosen before no longer stands. @param {State|null} held @param {State} next */
function sameAgent(held, next) {
  if (!held) return true;
  const [a, b] = [held.agent, next.agent];
  return a.player === b.player && a.pace === b.pace && a.intervalSeconds === b.intervalSeconds && a.budgetMs === b.budgetMs;
}

/** @param {State|null} state @param {{game: string, moves: number}} at */
const fits = (state, at) => state !== null && state.game === at.game && state.moves === at.moves;

/** @param {Model["fallback"]} sofar @param {State|null} held @param {State} next */
function countFallback(sofar, held, next) {
  const decision = next.decision;
  if (decision?.source !== "fallback") return { reason: "", times: 0 };
  const reason = decision.reason ?? "";
  const again = held !== null && held.game === next.game && held.moves === next.moves;
  if (reason !== sofar.reason) return { reason, times: 1 };
  return again ? sofar : { reason, times: sofar.times + 1 };
}
