// The controls: their labels and states from the view, their clicks to the actions.
import { byId, fillSelect, setText, show } from "./dom.js";
import { BUDGETS, budgetOf, PACES, paceOf, seriesOf, withCurrent } from "./pace.js";
import { titleOf } from "./players.js";
import { T } from "./texts.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./view.js").View} View */

/**
 * @param {ReturnType<typeof import("./actions.js").createActions>} actions
 * @param {() => void} askNewGame
 */
export function createControls(actions, askNewGame) {
  const root = byId("controls", HTMLElement);
  const agent = byId("agent", HTMLButtonElement);
  const long = byId("agent-long", HTMLElement);
  const short = byId("agent-short", HTMLElement);
  const player = byId("player", HTMLSelectElement);
  const budget = byId("budget", HTMLSelectElement);
  const pace = byId("pace", HTMLSelectElement);
  const series = byId("series", HTMLSelectElement);
  const missing = byId("missing", HTMLElement);
  const hint = byId("hint", HTMLButtonElement);
  const step = byId("step", HTMLButtonElement);
  const fresh = byId("new", HTMLButtonElement);

  agent.addEventListener("click", actions.toggleAgent);
  hint.addEventListener("click", () => void actions.hint());
  step.addEventListener("click", () => void actions.step());
  fresh.addEventListener("click", askNewGame);
  for (const select of [player, budget, pace, series]) letGoAfterPointer(select);
  player.addEventListener("change", () => actions.choose({ player: player.value }));
  pace.addEventListener("change", () => actions.choose({ pace: pace.value }));
  series.addEventListener("change", () => actions.chooseSeries(series.value));
  budget.addEventListener("change", () => actions.choose({ budgetMs: budget.value === "" ? null : Number(budget.value) }));

  /** @param {Model} model @param {View} view */
  return ({ state, choice, busy }, view) => {
    show(root, view.mayPlay);
    if (!state) return;
    const { agent: ai, gameOver } = state;
    const chosen = ai.running ? ai.player : (choice.player ?? ai.player);
    fillSelect(player, ai.roster.map(({ name, title, available }) => ({ value: name, text: title || name, disabled: !available })), chosen);
    const speed = paceOf(ai, choice);
    fillSelect(pace, withCurrent(PACES, speed, "s"), speed);
    const thought = budgetOf(ai, choice);
    fillSelect(budget, withCurrent(BUDGETS, thought, "ms"), thought);
    const games = seriesOf(ai, choice);
    fillSelect(series, [...games.options], games.chosen);
    const title = titleOf(ai, chosen);
    setText(long, ai.running ? T.stop(title) : T.letPlay(title));
    setText(short, ai.running ? T.stopIt : T.letItPlay);
    agent.setAttribute("aria-pressed", String(ai.running));
    turnOff(agent, !view.sends);
    turnOff(hint, !view.sends || gameOver || busy !== "");
    turnOff(step, !view.sends || gameOver || busy !== "" || ai.running);
    turnOff(fresh, !view.sends);
    const missed = ai.roster.filter((entry) => !entry.available && entry.reason).map(T.missing).join(" ");
    setText(missing, missed);
    show(missing, missed !== "");
  };
}

/** A button that is off keeps the focus; its click says why nothing happens. @param {HTMLButtonElement} button @param {boolean} off */
function turnOff(button, off) {
  button.disabled = false;
  button.setAttribute("aria-disabled", String(off));
}

/** Who chose with the mouse or a finger wants the arrow keys for the board again; who chose by key wants them here. @param {HTMLSelectElement} select */
function letGoAfterPointer(select) {
  let pointed = false;
  select.addEventListener("pointerdown", () => (pointed = true));
  select.addEventListener("keydown", () => (pointed = false));
  select.addEventListener("change", () => pointed && select.blur());
}

/** "Showing 20 of 400 moves a second", beside the pace. */
export function createRateNote() {
  const note = byId("rate", HTMLElement);
  return (/** @type {{shown: number, played: number}|null} */ rate) => setText(note, rate ? T.rate(rate.shown, rate.played) : "");
}
