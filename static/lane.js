// One of several games side by side: its board, its numbers, its player, its last decision.
import { createBoard } from "./board.js";
import { make, setData, setText } from "./dom.js";
import { createFeed } from "./feed.js";
import { LATER } from "./latertexts.js";
import { newLink, phaseOf } from "./link.js";
import { isNews, newModel, update } from "./model.js";
import { colourOf, markOf, titleOf } from "./players.js";
import { moves } from "./settings.js";
import { createTable } from "./table.js";
import { ARROWS, number, T, word } from "./texts.js";

/** @typedef {import("./types.js").State} State */

/**
 * @param {import("./api.js").Api} api
 * @param {import("./settings.js").Settings} settings
 * @param {(state: State) => void} onState
 */
export function createLane(api, settings, onState) {
  const node = make("article", "lane panel");
  const mark = make("b", "mark");
  mark.setAttribute("aria-hidden", "true");
  const title = make("h2");
  const phase = make("span", "lane-phase");
  const head = make("header", "lane-head");
  head.append(mark, title, phase);
  const score = make("b", "lane-score");
  const rest = make("span", "lane-rest");
  const numbers = make("p", "lane-numbers");
  numbers.append(score, rest);
  const frame = make("div", "frame");
  const boardBox = make("div", "board");
  const cells = make("div", "cells");
  cells.setAttribute("role", "table");
  cells.setAttribute("aria-label", "Board");
  const tiles = make("div", "tiles");
  tiles.setAttribute("aria-hidden", "true");
  boardBox.append(cells, tiles);
  frame.append(boardBox);
  const line = make("p", "lane-line");
  node.append(head, numbers, frame, line);

  const board = createBoard(tiles, { short: () => settings.labels === "short", onGain: () => {} });
  const table = createTable(cells);
  let model = { ...newModel(Date.now()), link: newLink(Date.now(), true) };
  let shownAt = 0;

  createFeed({
    api,
    seq: () => model.state?.seq ?? -1,
    onLink: (link) => {
      model = update(model, { type: "link", link }, Date.now());
      const now = phaseOf(link, Date.now());
      setText(phase, now === "live" ? "" : T.phase[now]);
    },
    onState: (text) => {
      const state = JSON.parse(text);
      const news = isNews(model, state);
      model = update(model, { type: "state", state }, Date.now());
      if (news) onState(state);
    },
    onWatchers: () => {},
    onNote: () => {},
  }).start();

  return {
    node,
    /** @param {State} state */
    draw: (state) => {
      const now = Date.now();
      board.show(state, { intervalMs: now - shownAt, hidden: document.hidden, motion: moves(settings) });
      shownAt = now;
      table.draw(state.grid);
      const name = state.driver.kind === "human" ? state.agent.player : state.driver.name;
      setText(mark, markOf(state.agent, name));
      setData(node, "colour", colourOf(state.agent, name));
      setData(frame, "playing", String(state.agent.running));
      setText(title, titleOf(state.agent, name));
      setText(score, number(state.score));
      setText(rest, LATER.laneNumbers(state.moves, state.maxTile));
      setText(line, state.gameOver ? T.gameOver : lineOf(state));
    },
  };
}

/** @param {State} state */
function lineOf({ decision }) {
  if (!decision?.move) return "";
  const why = decision.source === "fallback" ? T.fellBack(decision.reason ?? "") : (decision.detail ?? "");
  return `${ARROWS[decision.move]} ${word(decision.move)}. ${why}`;
}
