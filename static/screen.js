// Puts what is to be seen on screen, once a frame at most; a hidden tab draws nothing.
import { createBoard } from "./board.js";
import { createControls, createRateNote } from "./controls.js";
import { byId, setData } from "./dom.js";
import { createHeadline } from "./headline.js";
import { createSpeaker } from "./live.js";
import { createPanel } from "./panel.js";
import { condense } from "./plan.js";
import { createRate } from "./rate.js";
import { moves } from "./settings.js";
import { createTable } from "./table.js";
import { view } from "./view.js";
import { createViews } from "./views.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./model.js").Model} Model */

/**
 * @param {object} deps
 * @param {() => Model} deps.model
 * @param {() => import("./settings.js").Settings} deps.settings
 * @param {ReturnType<typeof import("./actions.js").createActions>} deps.actions
 * @param {() => void} deps.onTick  Before each frame: what time alone has changed.
 * @param {() => void} deps.onNewGame
 * @param {Record<"new"|"replay"|"share"|"close", () => void>} deps.card  The buttons of the card at the end.
 * @param {import("./views.js").Tab[]} deps.tabs
 * @param {(action: string) => void} deps.onAction
 * @param {import("./slider.js").Look} deps.look
 */
export function createScreen({ model, settings, actions, onTick, onNewGame, card, tabs, onAction, look }) {
  let [request, timer] = [0, 0];
  const frame = byId("frame", HTMLElement);
  const boardBox = byId("board", HTMLElement);
  const headline = createHeadline(onAction);
  const board = createBoard(byId("tiles", HTMLElement), { short: () => settings().labels === "short", onGain: headline.gain, onSettle: wake });
  const table = createTable(byId("table", HTMLElement));
  const speaker = createSpeaker(byId("polite", HTMLElement), byId("urgent", HTMLElement));
  const panel = createPanel();
  const drawViews = createViews(tabs, wake);
  const drawControls = createControls(actions, onNewGame);
  /** @type {Awaited<ReturnType<typeof import("./slider.js").createSlider>>|"loading"|null} */
  let drawSlider = null;
  const drawRate = createRateNote();
  /** @type {Awaited<ReturnType<typeof import("./card.js").createCard>>|null} */
  let drawCard = null;
  let cardAsked = false;
  /** States that came since the last frame, with the time of each. @type {{state: State, at: number}[]} */
  let waiting = [];
  /** The past board on screen; null: the live one. @type {import("./types.js").PastState|null} */
  let past = null, shownAt = 0;
  const rate = createRate();

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
    void showCard(seen.card);
    drawViews(model());
    speaker.announce(model(), seen.phase);
    drawRate(rate.read(now));
    const { playing = false, colour = "human", mark = "" } = seen.driver ?? {};
    const facts = { looking: model().look !== null, stale: seen.stale, playing, colour, mark };
    for (const [name, value] of Object.entries(facts)) setData(frame, name, String(value));
    clearTimeout(timer);
    if (seen.wakeAt < Infinity) timer = setTimeout(wake, seen.wakeAt - now);
  }

  async function loadSlider() {
    drawSlider = "loading";
    drawSlider = await import("./slider.js").then(({ createSlider }) => createSlider(byId("slider", HTMLElement), look), () => null);
    wake();
  }

  /** The card comes after the last animation. @param {import("./view.js").View["card"]} content */
  async function showCard(content) {
    if (!content) return drawCard?.(null, false);
    if (!board.settled() || cardAsked) return;
    if (drawCard) return drawCard(content, model().history);
    cardAsked = true;
    drawCard = await import("./card.js").then((part) => part.createCard(card), () => null);
    cardAsked = false;
    wake();
  }

  /** @param {import("./view.js").View["slider"]} slider */
  function drawGame(slider) {
    const { state, hint, fallback, look: looked, mayPlay } = model();
    if (!state) return;
    if (typeof drawSlider === "function") drawSlider(slider, state);
    else if (slider && !drawSlider) void loadSlider();
    if (looked) return drawPast(state, looked.past);
    if (past) waiting = [{ state, at: Date.now() }];
    past = null;
    const decision = hint ? { ...hint.hint.decision, detail: hint.why } : state.decision;
    panel.render(state, decision, { times: fallback.times, isHint: hint !== null, mayPlay });
    setData(boardBox, "hint", hint?.hint.decision.move ?? "");
    if (waiting.length === 0) return;
    showStates();
    table.draw(state.grid);
    speaker.follow(state);
    document.title = state.gameOver ? `2048: over at ${state.score}` : `2048: ${state.score}`;
  }

  /** @param {State} state @param {import("./types.js").PastState|null} next */
  function drawPast(state, next) {
    if (!next || next === past) return;
    past = next;
    waiting = [];
    setData(boardBox, "hint", "");
    // A past board follows another by its move number, and never a live one.
    const asState = { ...state, ...next, epoch: "past", seq: next.moves };
    board.show(asState, { intervalMs: 200, hidden: false, motion: moves(settings()) });
    panel.render(state, next.decision, { times: 1, isHint: false, mayPlay: true });
    table.draw(next.grid);
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
    resyncs: board.resyncs,
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
