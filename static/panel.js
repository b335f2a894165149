// The decision panel: what chose the last move, how sure it was, and why; its height never changes.
import { byId, make, setData, setText, show } from "./dom.js";
import { DIRECTIONS } from "./keys.js";
import { colourOf, markOf, titleOf } from "./players.js";
import { ARROWS, T, word } from "./texts.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Decision} Decision */

export function createPanel() {
  const root = byId("decision", HTMLElement);
  const move = byId("decision-move", HTMLElement);
  const badge = byId("decision-source", HTMLElement);
  const facts = byId("decision-facts", HTMLElement);
  const detail = byId("decision-detail", HTMLElement);
  const fallback = byId("decision-fallback", HTMLElement);
  const thinking = byId("thinking", HTMLElement);
  const bars = new Map(DIRECTIONS.map((direction) => [direction, makeBar(direction)]));
  byId("decision-bars", HTMLElement).append(...[...bars.values()].map((bar) => bar.line));

  /**
   * @param {State} state
   * @param {Decision|null} decision
   * @param {{times: number, isHint: boolean, mayPlay: boolean}} how
   */
  function render(state, decision, { times, isHint, mayPlay }) {
    const source = decision?.source ?? "";
    setData(root, "empty", String(!decision));
    setText(move, decision ? moveText(decision, isHint) : T.noDecision);
    show(badge, decision !== null);
    setText(badge, decision ? badgeText(state, source) : "");
    setData(badge, "colour", source === "fallback" ? "fallback" : colourOf(state.agent, source));
    setText(facts, decision ? factsOf(decision) : "");
    setText(detail, decision ? (decision.detail ?? (source === "human" ? T.byHand : "")) : mayPlay ? T.noDecisionHint : "");
    const reason = source === "fallback" ? (decision?.reason ?? "") : "";
    setText(fallback, reason ? T.fellBack(reason) + (times > 1 && !isHint ? T.times(times) : "") : "");
    for (const [direction, bar] of bars) {
      const share = decision?.probabilities?.[direction];
      const picked = decision?.move === direction;
      const full = picked && source !== "human" ? 1 : 0;
      bar.line.style.setProperty("--share", String(Math.min(Math.max(share ?? full, 0), 1)));
      setData(bar.line, "picked", String(picked));
      setData(bar.line, "known", String(share !== undefined && share !== null));
      setText(bar.value, share === undefined || share === null ? (picked ? "\u2713" : "") : percent(share) + (picked ? " \u2713" : ""));
    }
  }

  /** @param {number|null} ms */
  function think(ms) {
    setData(thinking, "on", String(ms !== null));
    setText(thinking, ms === null ? "" : T.thinking(ms));
  }
  return { render, think };
}

/** @param {import("./types.js").Direction} direction */
function makeBar(direction) {
  const line = make("div", "bar");
  const value = make("span", "bar-value");
  line.append(make("span", "bar-name", `${ARROWS[direction]} ${word(direction)}`), make("span", "bar-track"), value);
  return { line, value };
}

/** @param {Decision} decision @param {boolean} isHint */
function moveText(decision, isHint) {
  const where = decision.move ? `${ARROWS[decision.move]} ${word(decision.move)}` : "\u2013";
  return isHint ? `Hint: ${where}` : where;
}

/** @param {State} state @param {string} source */
function badgeText(state, source) {
  if (source === "fallback") return "! fallback";
  if (source === "human") return "H by hand";
  const name = source.replace(/^bot:/, "");
  return `${markOf(state.agent, name)} ${titleOf(state.agent, name)}`;
}

/** @param {Decision} decision */
function factsOf(decision) {
  const parts = [];
  if (typeof decision.confidence === "number") parts.push(`${percent(decision.confidence)} sure`);
  if (typeof decision.risk === "number") {
    parts.push(`risk ${decision.risk.toFixed(2)} (${T.risk[Math.min(Math.round(decision.risk), 2)] ?? ""})`);
  }
  if (typeof decision.latencyMs === "number") parts.push(`${Math.round(decision.latencyMs)} ms`);
  return parts.join(" \u00b7 ");
}

/** @param {number} share */
const percent = (share) => `${Math.round(share * 100)} %`;
