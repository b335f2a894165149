// The log tab: the newest moves on top, redrawn only while it can be seen.
import { byId, make, setText, show } from "./dom.js";
import { markOf, colourOf } from "./players.js";
import { ARROWS, number, word } from "./texts.js";

/** @typedef {import("./types.js").LogEntry} LogEntry */
/** @typedef {import("./types.js").Agent} Agent */

/** So many lines are drawn. */
const LINES = 60;

export function createLogView() {
  const list = byId("log", HTMLElement);
  const empty = byId("log-empty", HTMLElement);
  /** @type {LogEntry|undefined} */
  let newest;

  /** @param {LogEntry[]} log @param {Agent} agent */
  return (log, agent) => {
    const last = log[log.length - 1];
    if (last === newest) return;
    show(empty, log.length === 0);
    const place = newest ? log.lastIndexOf(newest) : -1;
    const fresh = log.slice(Math.max(place + 1, log.length - LINES)).reverse();
    if (place < 0) list.replaceChildren();
    list.prepend(...fresh.map((entry) => lineOf(entry, agent)));
    while (list.childElementCount > LINES) list.lastElementChild?.remove();
    newest = last;
  };
}

/** @param {LogEntry} entry @param {Agent} agent */
function lineOf(entry, agent) {
  const line = make("li", "log-line");
  const name = entry.by === "fallback" ? "!" : markOf(agent, entry.by.replace(/^bot:/, ""));
  const mark = make("span", "mark", name);
  mark.dataset["colour"] = entry.by === "fallback" ? "fallback" : colourOf(agent, entry.by);
  mark.title = entry.by;
  const move = make("span", "log-move");
  setText(move, `${ARROWS[entry.direction]} ${word(entry.direction)}`);
  line.append(make("span", "log-number", number(entry.move)), mark, move);
  line.append(make("span", "log-gain", entry.gained > 0 ? `+${number(entry.gained)}` : ""));
  line.append(make("span", "log-detail", entry.detail));
  return line;
}
