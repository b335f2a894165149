// The transcript's tab: what was sent to the hosted model, what came back, and what was done with it.
import { loadStyle, make, setData, setText } from "./dom.js";
import { LATER } from "./latertexts.js";
import { T } from "./texts.js";

/**
 * @typedef {object} Exchange
 * @property {string} at
 * @property {string} game
 * @property {number} move_number
 * @property {{questions: {move: {criteria: Record<string, string>}}}|null} sent
 * @property {{model: string|null, choice: string, confidence: number|null, estimated_cost_usd: number|null}|null} received
 * @property {string|null} request_id
 * @property {number} attempts
 * @property {number} latency_ms
 * @property {string} outcome
 * @property {string} [error]
 */
/** @typedef {{session: number, sessionBudget: number, day: number, dayBudget: number}} Spending */

/** How many are shown, and how often newer ones are looked for while the tab is open. */
const SHOWN = 40;
const LOOK_MS = 1000;

/** @param {import("./api.js").Api} api @returns {Promise<import("./views.js").View>} */
export async function createTranscript(api) {
  await Promise.all(["/log.css", "/transcript.css"].map(loadStyle));
  const node = make("div");
  const note = make("p", "detail spent");
  const list = make("ol", "log exchanges");
  list.tabIndex = 0;
  list.setAttribute("aria-label", T.transcript);
  node.append(note, list);
  /** Lines by what they show, so that one that was opened stays open. @type {Map<string, HTMLElement>} */
  let lines = new Map();
  let seen = "";
  let askedAt = -Infinity;

  /** @param {import("./model.js").Model} model */
  async function look({ state }) {
    const now = `${state?.game} ${state?.seq}`;
    if (seen === now || performance.now() - askedAt < LOOK_MS) return;
    seen = now;
    askedAt = performance.now();
    const { status, body } = await api.transcript(SHOWN);
    if (status !== 200) {
      seen = "";
      return setText(note, status === 401 || status === 403 ? LATER.transcriptDenied : (body?.detail ?? T.unanswered));
    }
    const told = noteOf(body);
    setText(note, told.text);
    setData(note, "spent", String(told.spent));
    lines = new Map(body.items.map((/** @type {Exchange} */ item) => [keyOf(item), lines.get(keyOf(item)) ?? lineOf(item)]));
    list.replaceChildren(...lines.values());
  }
  return {
    node,
    draw: (model) => {
      void look(model);
      return seen !== `${model.state?.game} ${model.state?.seq}`;
    },
  };
}

/** @param {Exchange} item */
const keyOf = (item) => `${item.at} ${item.game} ${item.move_number}`;

/** What is said above the list. @param {{on: boolean, spending: Spending|null, items: unknown[]}} reply */
export function noteOf({ on, spending, items }) {
  const spent = spending !== null && (spending.session >= spending.sessionBudget || spending.day >= spending.dayBudget);
  const used = spending ? LATER.spent(spending) : "";
  const lack = on ? (items.length === 0 ? LATER.transcriptEmpty : "") : LATER.transcriptOff;
  return { text: [lack, spent ? LATER.spentUp(used) : used].filter(Boolean).join(" "), spent };
}

/** The numbers of one exchange, as far as there are any. @param {Exchange} item */
export function factsOf({ sent, received, attempts, latency_ms: latency }) {
  const facts = [];
  const options = Object.keys(sent?.questions.move.criteria ?? {}).length;
  if (typeof received?.confidence === "number") facts.push(LATER.sure(received.confidence, options));
  if (attempts > 1) facts.push(LATER.attempts(attempts));
  if (sent) facts.push(`${latency} ms`);
  if (received?.model) facts.push(received.model);
  if (received?.estimated_cost_usd) facts.push(`$${received.estimated_cost_usd.toFixed(6)}`);
  return facts.join(" \u00b7 ");
}

/** @param {Exchange} item */
function lineOf(item) {
  const line = make("li");
  const whole = /** @type {HTMLDetailsElement} */ (make("details", "exchange"));
  const head = make("summary");
  const outcome = make("span", "exchange-outcome", item.outcome);
  outcome.dataset["fell"] = String(/fell back|^not asked/.test(item.outcome));
  head.append(make("span", "log-number", String(item.move_number)), outcome, make("span", "exchange-facts", factsOf(item)));
  whole.append(head);
  if (item.error) whole.append(make("p", "exchange-error", item.error));
  whole.addEventListener("toggle", () => whole.querySelector("pre") ?? whole.append(...detailsOf(item)), { once: true });
  line.append(whole);
  return line;
}

/** @param {Exchange} item */
function detailsOf(item) {
  const id = item.request_id ? [make("p", "detail", LATER.requestId(item.request_id))] : [];
  const part = (/** @type {string} */ title, /** @type {unknown} */ value) => [make("h3", "", title), make("pre", "", text(value))];
  return [...id, ...part(LATER.received, item.received), ...part(LATER.sent, item.sent)];
}

/** JSON for people: a list of plain values on one line, so that a board reads as its rows. @param {unknown} value */
export const text = (value) =>
  JSON.stringify(value, null, 2).replace(/\[([^[\]{}"]*)\]/g, (_, inner) => `[${inner.trim().replace(/\s+/g, " ")}]`);
