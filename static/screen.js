// Puts what is to be seen on screen, once a frame at most; a hidden tab draws nothing.
import { createBoard } from "./board.js";
import { createCard } from "./card.js";
import { createControls, createRateNote } from "./controls.js";
import { byId, setData } from "./dom.js";
import { createHeadline } from "./headline.js";
import { createSpeaker } from "./live.js";
import { createLogView } from "./logview.js";
import { createPanel } from "./panel.js";
import { condense } from "./plan.js";
import { createRate } from "./rate.js";
import { moves } from "./settings.js";
import { createSlider } from "./slider.js";
import { createTable } from "./table.js";
import { T } from "./texts.js";
import { view } from "./view.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./model.js").Model} Model */

/**
 * @param {object} deps
 * @param {() => Model} deps.model
 * @param {() => import("./settings.js").Settings} deps.settings
 * @param {ReturnType<typeof import("./actions.js").createActions>} deps.actions
 * @param {() => void} deps.onTick  Before each frame: what time alone has changed.
 * @param {() => void} deps.onNewGame
 * @param {() => void} deps.onCloseCard
 * @param {(action: string) => void} deps.onAction
 * @param {import("./slider.js").Look} deps.look
 */
export function createScreen({ model, settings, actions, onTick, onNewGame, onCloseCard, onAction, look }) {
  const frame = byId("frame", HTMLElement);
  const boardBox = byId("board", HTMLElement);
  const headline = createHeadline(onAction);
  const board = createBoard(byId("tiles", HTMLElement), { short: () => settings().labels === "short", onGain: headline.gain });
  const table = createTable(byId("table", HTMLElement));
  const speaker = createSpeaker(byId("polite", HTMLElement), byId("urgent", HTMLElement));
  const panel = createPanel();
  const drawLog = createLogView();
  const drawControls = createControls(actions, onNewGame);
  const drawSlider = createSlider(look);
  const drawRate = createRateNote();
  const drawCard = createCard({ onNew: onNewGame, onClose: onCloseCard });
  /** States that came since the last frame, with the time of each. @type {{state: State, at: number}[]} */
  let waiting = [];
  /** The past board on screen; null: the live one. @type {import("./types.js").PastState|null} */
  let past = null;
  let shownAt = 0;
  /** What was last said of the page, as against the game. @type {import("./types.js").Notice|null} */
  let said = null;
  let saidReason = "";
  let wasOffline = false;
  const rate = createRate();
  let request = 0;
  let timer = 0;

  function wake() {
    if (request === 0 && !document.hidden) request = requestAnimationFrame(render);
  }

  function render() {
    request = 0;
    onTick();
    const now = Date.now();
    const seen = view(model(), now);
    drawGame(seen.slider);
    headline.render(model().state, seen, model().look?.past ?? null);
    drawControls(model(), seen);
    panel.think(seen.thinkingMs);
    drawCard(seen.card);
    announce(seen.phase);
    drawRate(rate.read(now));
    setData(frame, "looking", String(model().look !== null));
    setData(frame, "stale", String(seen.stale));
    setData(frame, "playing", String(seen.driver?.playing ?? false));
    setData(frame, "colour", seen.driver?.colour ?? "human");
    clearTimeout(timer);
    if (seen.wakeAt < Infinity) timer = setTimeout(wake, seen.wakeAt - now);
  }

  /** @param {import("./view.js").View["slider"]} slider */
  function drawGame(slider) {
    const { state, hint, fallback, log, look: looked } = model();
    if (!state) return;
    drawSlider(slider, state.agent);
    if (looked) return drawPast(state, looked.past);
    if (past) waiting = [{ state, at: Date.now() }];
    past = null;
    const decision = hint ? { ...hint.hint.decision, detail: hint.why } : state.decision;
    panel.render(state, decision, { times: fallback.times, isHint: hint !== null });
    setData(boardBox, "hint", hint?.hint.decision.move ?? "");
    if (waiting.length === 0) return;
    showStates();
    table.draw(state.grid);
    drawLog(log, state.agent);
    speaker.follow(state);
    document.title = state.gameOver ? `2048: over at ${state.score}` : `2048: ${state.score}`;
  }

  /** @param {State} state @param {import("./types.js").PastState|null} next */
  function drawPast(state, next) {
    drawLog(model().log, state.agent);
    if (!next || next === past) return;
    past = next;
    waiting = [];
    setData(boardBox, "hint", "");
    // A past board follows another by its move number, and never a live one.
    const asState = { ...state, ...next, epoch: "past", seq: next.moves };
    board.show(asState, { intervalMs: 200, hidden: false, motion: moves(settings()) });
    panel.render(state, next.decision, { times: 1, isHint: false });
    table.draw(next.grid);
  }

  /** Notices and the first of equal fallbacks are spoken once; an unreachable server interrupts. @param {import("./link.js").Phase} phase */
  function announce(phase) {
    const { notice, fallback } = model();
    if (notice && notice !== said) speaker.say(notice.text);
    said = notice;
    if (fallback.reason && fallback.reason !== saidReason) speaker.say(T.fellBack(fallback.reason));
    saidReason = fallback.reason;
    if (phase === "offline" && !wasOffline) speaker.say(T.notReachable(null), true);
    wasOffline = phase === "offline";
  }

  function showStates() {
    const { first, last } = condense(waiting.map((entry) => entry.state));
    const at = waiting[waiting.length - 1]?.at ?? 0;
    if (first) board.show(first, { intervalMs: 0, hidden: true, motion: false });
    board.show(last, { intervalMs: at - shownAt, hidden: document.hidden, motion: moves(settings()) });
    shownAt = at;
    rate.add(last, at);
    waiting = [];
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) board.commit();
    wake();
  });
  return {
    wake,
    say: speaker.say,
    redraw: board.redraw,
    /** What is on screen, live or past. */
    grid: () => (past ?? model().state)?.grid ?? null,
    markCell: table.mark,
    /** @param {State} state @param {number} at  When it came. */
    add: (state, at) => {
      waiting.push({ state, at });
      if (waiting.length > 3) waiting.shift();
    },
    /** The move changed nothing: the board says so. @param {import("./types.js").Direction} direction */
    nudge: (direction) => {
      frame.dataset["nudge"] = direction;
      setTimeout(() => delete frame.dataset["nudge"], 120);
    },
  };
}
