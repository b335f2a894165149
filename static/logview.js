// The log: the newest moves of the game on top, those before this page came too, if the server can be asked for them.
import { loadStyle, make, setText, show } from "./dom.js";
import { LATER } from "./latertexts.js";
import { colourOf, markOf } from "./players.js";
import { ARROWS, number, T, word } from "./texts.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").LogEntry} LogEntry */
/** @typedef {import("./types.js").Agent} Agent */

/** So many lines are shown. */
const LINES = 60;
/** A log that was overtaken asks the server at most so often. */
const LEAST_MS = 1_000;

/** @param {import("./api.js").Api} api @returns {Promise<import("./views.js").View>} */
export async function createLogView(api) {
  await loadStyle("/log.css");
  const empty = make("p", "detail", LATER.noMoves);
  const list = make("ol", "log");
  list.tabIndex = 0;
  list.setAttribute("aria-label", LATER.log);
  const node = make("div");
  node.append(empty, list);
  let game = "";
  /** The newest move that is listed. */
  let newest = 0;
  let askedAt = -Infinity;

  /** @param {LogEntry[]} fresh  Oldest first. @param {Agent} agent */
  function add(fresh, agent) {
    list.prepend(...fresh.map((entry) => lineOf(entry, agent)).reverse());
    while (list.childElementCount > LINES) list.lastElementChild?.remove();
    newest = fresh[fresh.length - 1]?.n ?? newest;
  }

  /** Fills the list from the server's history. @param {State} state */
  async function ask(state) {
    askedAt = performance.now();
    const from = Math.max(newest + 1, state.moves - LINES + 1);
    const { status, body } = await api.moves(state.game, from, from + LINES - 1);
    if (status !== 200 || state.game !== game || newest >= from) return;
    if (from > newest + 1) list.replaceChildren();
    add(body.items, state.agent);
  }

  return {
    node,
    draw: ({ state, history }) => {
      if (!state) return false;
      if (state.game !== game || state.moves < newest) {
        list.replaceChildren();
        game = state.game;
        newest = 0;
        askedAt = -Infinity;
      }
      show(empty, state.moves === 0);
      if (state.moves === newest) return false;
      const { transition, decision, moves } = state;
      if (transition && (moves === newest + 1 || !history)) add([{ ...transition, n: moves, decision }], state.agent);
      else if (history && performance.now() - askedAt >= LEAST_MS) void ask(state);
      return history && moves !== newest;
    },
  };
}

/** @param {LogEntry} entry @param {Agent} agent */
function lineOf({ n, by, direction, gained, spawn, decision }, agent) {
  const line = make("li", "log-line");
  const fell = by === "fallback";
  const mark = make("span", "mark", fell ? "!" : markOf(agent, by.replace(/^bot:/, "")));
  mark.dataset["colour"] = fell ? "fallback" : colourOf(agent, by);
  mark.title = by;
  const move = make("span", "log-move");
  setText(move, `${ARROWS[direction]} ${word(direction)}`);
  const born = make("span", "log-spawn", LATER.spawned(spawn.value, spawn.at));
  born.title = `${LATER.newTile} ${spawn.value}, ${T.position(...spawn.at)}`;
  const why = by === "human" ? "" : fell ? decision?.reason : decision?.detail;
  line.append(make("span", "log-number", number(n)), mark, move);
  line.append(make("span", "log-gain", gained > 0 ? `+${number(gained)}` : ""), born, make("span", "log-detail", why ?? ""));
  return line;
}
