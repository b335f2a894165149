// The slider under the board: where one looks, who had the game when, and the replay.
import { byId, fillSelect, make, setData, setText, show } from "./dom.js";
import { colourOf, markOf, titleOf } from "./players.js";
import { T } from "./texts.js";

/** Milestones closer than this part of the game share one label. */
const LEAST_GAP = 0.11;
const SPEEDS = ["0.25", "0.5", "1", "2", "4", "8", "16", "32"];

/** @typedef {(use: (back: import("./lookback.js").LookBack) => void) => void} Look  Looking back, loaded when it is first wanted. */

/** @param {Look} look */
export function createSlider(look) {
  const root = byId("slider", HTMLElement);
  const range = byId("look-range", HTMLInputElement);
  const play = byId("look-play", HTMLButtonElement);
  const speed = byId("look-speed", HTMLSelectElement);
  const bands = byId("look-bands", HTMLElement);
  let playing = false;
  let drawn = "";
  fillSelect(speed, SPEEDS.map((value) => ({ value, text: `${value}\u00d7` })), "1");
  range.addEventListener("input", () => look((back) => back.seek(Number(range.value))));
  byId("look-back", HTMLButtonElement).addEventListener("click", () => look((back) => back.step(-1)));
  byId("look-on", HTMLButtonElement).addEventListener("click", () => look((back) => back.step(1)));
  const start = () => look((back) => back.play(Number(speed.value)));
  play.addEventListener("click", () => (playing ? look((back) => back.pause()) : start()));
  speed.addEventListener("change", () => playing && start());

  /** @param {import("./view.js").View["slider"]} seen @param {import("./types.js").Agent} agent */
  return (seen, agent) => {
    show(root, seen !== null);
    if (!seen) return;
    if (range.max !== String(seen.last)) range.max = String(seen.last);
    if (range.value !== String(seen.n)) range.value = String(seen.n);
    range.setAttribute("aria-valuetext", seen.text);
    setData(root, "looking", String(seen.looking));
    playing = seen.speed > 0;
    setText(play, playing ? T.pause : T.replay);
    const wanted = JSON.stringify([seen.drivers, seen.milestones, seen.last]);
    if (wanted === drawn) return;
    drawn = wanted;
    const marks = seen.milestones.map(({ tile, n }, i) => {
      const next = seen.milestones[i + 1]?.n ?? seen.last * 2;
      const label = next - n > seen.last * LEAST_GAP ? String(tile) : "";
      return place(make("span", "milestone", label), n / Math.max(seen.last, 1));
    });
    bands.replaceChildren(...seen.drivers.map((stretch) => band(stretch, seen.last, agent)), ...marks);
  };
}

/** @param {import("./types.js").Stretch} stretch @param {number} last @param {import("./types.js").Agent} agent */
function band({ kind, name, from, to }, last, agent) {
  const who = kind === "human" ? "human" : name;
  const made = make("span", "band", markOf(agent, who));
  made.dataset["colour"] = colourOf(agent, who);
  made.title = `${kind === "human" ? T.person : titleOf(agent, name)}, ${from} \u2013 ${to ?? last}`;
  return place(made, from / Math.max(last, 1), (to ?? last) / Math.max(last, 1));
}

/** @param {HTMLElement} node @param {number} from  A part of the game. @param {number} [to] */
function place(node, from, to = from) {
  node.style.setProperty("--from", String(from));
  node.style.setProperty("--to", String(to));
  return node;
}
