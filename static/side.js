// The page that shows two to four sessions side by side, each with its own stream.
import { attempt, raceKey, tokenKey } from "./address.js";
import { createApi } from "./api.js";
import { byId, fillSelect, make, setText, show } from "./dom.js";
import { LATER } from "./latertexts.js";
import { createLane } from "./lane.js";
import { addWaiting, createParting, stepLimit, takeUpTo } from "./lanes.js";
import { PACES } from "./pace.js";
import { applySettings, loadSettings } from "./settings.js";

/** @typedef {import("./types.js").State} State */

/** @param {string[]} ids */
export function startSide(ids) {
  const settings = loadSettings();
  applySettings(document.documentElement, settings);
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/side.css" }));
  show(byId("columns", HTMLElement), false);
  show(byId("page-actions", HTMLElement), false);
  show(byId("link", HTMLElement), false);
  const root = byId("side", HTMLElement);
  show(root, true);
  document.title = LATER.sideBySide;
  const parting = createParting();
  let inStep = true;
  /** A race starts when every board has been seen, so that the view misses no move of it. */
  let racers = attempt(() => sessionStorage.getItem(raceKey(ids)))?.split(",") ?? [];
  attempt(() => sessionStorage.removeItem(raceKey(ids)));
  let request = 0;

  const main = createApi({ session: "main", base: "/api", token: null });
  const lanes = ids.map((id) => {
    const token = attempt(() => sessionStorage.getItem(tokenKey(`/s/${id}`)));
    const api = main.inSession(id, token);
    const lane = {
      api,
      token,
      /** @type {State[]} */
      waiting: [],
      /** @type {State|null} */
      newest: null,
      drawn: false,
      view: createLane(api, settings, (state) => {
        parting.add(state);
        lane.newest = state;
        lane.waiting = addWaiting(lane.waiting, state);
        wake();
      }),
    };
    return lane;
  });
  const bar = createBar({
    mayPlay: lanes.every((lane) => lane.token),
    onStart: (pace) => lanes.forEach((lane) => void lane.api.start(wishFor(lane.newest, pace))),
    onStop: () => lanes.forEach((lane) => void lane.api.stop()),
    onStep: (on) => {
      inStep = on;
      wake();
    },
  });
  const grid = make("div", "lanes");
  grid.append(...lanes.map((lane) => lane.view.node));
  root.append(bar.node, grid);

  function wake() {
    if (request === 0 && !document.hidden) request = requestAnimationFrame(render);
  }

  function render() {
    request = 0;
    const newest = lanes.flatMap((lane) => lane.newest ?? []);
    const limit = inStep ? stepLimit(newest) : Infinity;
    for (const lane of lanes) {
      // Who comes in the middle sees every board at once; those ahead then wait for the others.
      const { show: next, rest } = takeUpTo(lane.waiting, lane.drawn ? limit : Infinity);
      lane.waiting = rest;
      if (!next) continue;
      lane.drawn = true;
      lane.view.draw(next);
    }
    bar.draw(newest, parting.at());
    if (newest.length === lanes.length) startRace();
  }

  function startRace() {
    racers.forEach((player, place) => void lanes[place]?.api.start({ player, pace: "fixed", intervalSeconds: 0.5 }));
    racers = [];
  }
  document.addEventListener("visibilitychange", wake);
  addEventListener("storage", () => applySettings(document.documentElement, loadSettings()));
}

/** @param {State|null} state @param {string} pace */
function wishFor(state, pace) {
  const fixed = pace !== "adaptive" && pace !== "max";
  return { player: state?.agent.player ?? null, ...(fixed ? { pace: "fixed", intervalSeconds: Number(pace) } : { pace }) };
}

/** @param {{mayPlay: boolean, onStart: (pace: string) => void, onStop: () => void, onStep: (on: boolean) => void}} on */
function createBar({ mayPlay, onStart, onStop, onStep }) {
  const node = make("div", "side-bar");
  const pace = document.createElement("select");
  fillSelect(pace, [...PACES], "0.5");
  const label = make("label", "", LATER.pace);
  label.append(pace);
  const go = /** @type {HTMLButtonElement} */ (make("button", "primary", LATER.startAll));
  const step = /** @type {HTMLInputElement} */ (document.createElement("input"));
  step.type = "checkbox";
  step.checked = true;
  const stepLabel = make("label", "check", "");
  stepLabel.append(step, make("span", "", LATER.inStep));
  const parted = make("p", "parted");
  const back = /** @type {HTMLAnchorElement} */ (make("a", "", LATER.backToMain));
  back.href = "/";
  let running = false;
  go.addEventListener("click", () => (running ? onStop() : onStart(pace.value)));
  pace.addEventListener("change", () => running && onStart(pace.value));
  step.addEventListener("change", () => onStep(step.checked));
  node.append(...(mayPlay ? [label, go] : []), stepLabel, parted, back);
  return {
    node,
    /** @param {State[]} newest @param {{move: number, exact: boolean}|null} at */
    draw: (newest, at) => {
      running = newest.some((state) => state.agent.running);
      setText(go, running ? LATER.stopAll : LATER.startAll);
      setText(parted, at === null ? LATER.notParted : at.exact ? LATER.parted(at.move) : LATER.partedBefore(at.move));
    },
  };
}
