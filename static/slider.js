// The slider under the board: where one looks, who had the game when, its big tiles, and the replay.
import { fillSelect, loadStyle, make, setData, setText, show } from "./dom.js";
import { button, row } from "./form.js";
import { LATER } from "./latertexts.js";
import { colourOf, markOf, titleOf } from "./players.js";
import { createStrip } from "./strip.js";
import { T } from "./texts.js";

/** Milestones closer than this part of the game share one label. */
const LEAST_GAP = 0.11;
const SPEEDS = ["0.25", "0.5", "1", "2", "4", "8", "16", "32"];

/** @typedef {(use: (back: import("./lookback.js").LookBack) => void) => void} Look  Looking back, loaded when it is first wanted. */

/** @param {HTMLElement} root @param {Look} look */
export async function createSlider(root, look) {
  await loadStyle("/slider.css");
  const range = Object.assign(document.createElement("input"), { type: "range", min: "0", value: "0", id: "look-range" });
  range.setAttribute("aria-label", LATER.moveLabel);
  const bands = make("div", "bands");
  bands.id = "look-bands";
  bands.setAttribute("aria-hidden", "true");
  const speed = Object.assign(document.createElement("select"), { id: "look-speed" });
  speed.setAttribute("aria-label", LATER.replaySpeed);
  let playing = false;
  let drawn = "";
  const start = () => look((back) => back.play(Number(speed.value)));
  const play = button(LATER.replayIt, "", () => (playing ? look((back) => back.pause()) : start()));
  play.id = "look-play";
  const next = button(LATER.nextMerge, "", () => look((back) => back.nextMerge()));
  next.id = "look-next";
  const step = (/** @type {1|-1} */ by, /** @type {string} */ sign, /** @type {string} */ name) => {
    const made = button(sign, "", () => look((back) => back.step(by)));
    made.setAttribute("aria-label", name);
    return made;
  };
  fillSelect(speed, SPEEDS.map((value) => ({ value, text: `${value}\u00d7` })), "1");
  range.addEventListener("input", () => look((back) => back.seek(Number(range.value))));
  speed.addEventListener("change", () => playing && start());
  root.append(bands, step(-1, "\u2039", LATER.oneBack), range, step(1, "\u203a", LATER.oneOn), row("replay", play, speed), next);
  const live = createStrip(look);

  /** @param {import("./view.js").View["slider"]} seen @param {import("./types.js").State} state */
  return (seen, state) => {
    show(root, seen !== null);
    if (!seen) return;
    if (range.max !== String(seen.last)) range.max = String(seen.last);
    if (range.value !== String(seen.n)) range.value = String(seen.n);
    range.setAttribute("aria-valuetext", seen.text);
    setData(root, "looking", String(seen.looking));
    playing = seen.speed > 0;
    setText(play, playing ? LATER.pause : LATER.replayIt);
    const { drivers, milestones } = seen.looking ? seen : live(state);
    const wanted = JSON.stringify([drivers, milestones, seen.last]);
    if (wanted === drawn) return;
    drawn = wanted;
    const marks = milestones.map(({ tile, n }, i) => {
      const after = milestones[i + 1]?.n ?? seen.last * 2;
      const label = after - n > seen.last * LEAST_GAP ? String(tile) : "";
      return place(make("span", "milestone", label), n / Math.max(seen.last, 1));
    });
    bands.replaceChildren(...drivers.map((stretch) => band(stretch, seen.last, state.agent)), ...marks);
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
