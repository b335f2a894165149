// Wires the page of one session: the feed and the hands on one side, the model in the middle, the screen on the other.
import { createActions } from "./actions.js";
import { takeAddress } from "./address.js";
import { createApi } from "./api.js";
import { askForHistory, askWhetherToPlay } from "./asks.js";
import { byId, show } from "./dom.js";
import { createFeed } from "./feed.js";
import { followWidth } from "./folds.js";
import { createGate } from "./gate.js";
import { listen } from "./input.js";
import { directionOf } from "./keys.js";
import { createLater } from "./later.js";
import { canSend, phaseOf } from "./link.js";
import { isNews, newModel, update } from "./model.js";
import { createScreen } from "./screen.js";
import { applySettings, keepSettings, loadSettings } from "./settings.js";
import { boardSentence } from "./speech.js";
import { T } from "./texts.js";
import { tabsOf } from "./tablist.js";

const address = takeAddress(window);
const api = createApi(address);
let settings = loadSettings();
applySettings(document.documentElement, settings);

let model = newModel(Date.now());
const actions = createActions({
  api, tell, onNothing, model: () => model, canSend: () => canSend(phaseOf(model.link, Date.now())),
});
const screen = createScreen({
  model: () => model,
  settings: () => settings,
  actions,
  onTick: () => (model = update(model, { type: "tick" }, Date.now())),
  onNewGame: askNewGame,
  card: {
    new: askNewGame,
    replay: () => look((past) => past.play(1)),
    share: () => later.share(),
    close: () => tell({ type: "close-card" }),
  },
  tabs: tabsOf(api),
  onAction: act,
  look: (use) => look(use),
});
const gate = createGate(
  () => (settings.view === "all" ? 0 : 1_000 / Number(settings.view)),
  (state) => tell({ type: "state", state }),
);
const feed = createFeed({
  api,
  seq: () => Math.max(gate.seq(), model.state?.seq ?? -1),
  onLink: (link) => tell({ type: "link", link }),
  onState: (text) => gate.pass(JSON.parse(text)),
  onWatchers: (count) => tell({ type: "watchers", count }),
  onNote: (text) => screen.say(text),
});
/** The walk over the cells, once it was wanted. @type {import("./explore.js").Explorer|null} */
let explorer = null;
const later = createLater({ api, address, tell, model: () => model, settings: () => settings, useSettings, resyncs: screen.resyncs });
const { look, goLive } = later;

/** The one way in: everything that happens passes here. @param {import("./model.js").Happening} what */
function tell(what) {
  const now = Date.now();
  if (what.type === "state") {
    if (what.state.protocol !== 1) return feed.outdated();
    if (isNews(model, what.state)) screen.add(what.state, now);
  }
  model = update(model, what, now);
  if (settings.awake) later.keepAwake(model.state?.agent.running ?? false);
  if (what.type === "state" || what.type === "look") actions.stateChanged();
  screen.wake();
}

/** @param {import("./types.js").Direction} direction @param {string|null} from */
function onNothing(direction, from) {
  screen.nudge(direction);
  const { state } = model;
  const text = state?.gameOver ? T.overNow : T.nothing(direction);
  tell({ type: "notice", text: from && state ? `${T.tookOver(T.you, from, state.moves)} ${text}` : text });
}

function askNewGame() {
  const { state } = model;
  if (state && state.moves > 0 && !state.gameOver) later.askNewGame(actions.newGame);
  else actions.newGame();
}

/** @param {(walker: import("./explore.js").Explorer) => void} use */
async function explore(use) {
  const { createExplorer } = await import("./explore.js");
  explorer ??= createExplorer({ grid: screen.grid, say: screen.say, mark: screen.markCell });
  use(explorer);
}

/** @param {string} action @param {string} [key] */
function act(action, key = "") {
  const direction = directionOf(action);
  if (direction) return explorer?.on() ? explorer.walk(direction) : actions.move(direction);
  /** @type {Record<string, () => unknown>} */
  const table = {
    "toggle-agent": actions.toggleAgent,
    "start-agent": actions.start,
    step: actions.step,
    hint: actions.hint,
    "new-game": askNewGame,
    faster: () => actions.changePace(1),
    slower: () => actions.changePace(-1),
    player: () => actions.choosePlayer(Number(key) - 1),
    "read-board": () => model.state && screen.say(boardSentence(model.state.grid)),
    help: later.help,
    explore: () => explore((walker) => walker.toggle()),
    back: () => look((past) => past.step(-1)),
    on: () => look((past) => past.step(1)),
    "back-ten": () => look((past) => past.step(-10)),
    "on-ten": () => look((past) => past.step(10)),
    first: () => look((past) => past.seek(0)),
    live: goLive,
    former: later.former,
    escape: () => (explorer?.on() ? explorer.leave() : model.hint ? tell({ type: "hide-hint" }) : goLive()),
    retry: feed.retry,
    reload: () => location.reload(),
  };
  return table[action]?.();
}

/** @param {import("./settings.js").Settings} changed @returns {boolean} Could it be kept? */
function useSettings(changed) {
  settings = changed;
  applySettings(document.documentElement, settings);
  screen.redraw();
  return keepSettings(settings);
}

byId("share", HTMLButtonElement).addEventListener("click", later.share);
byId("games-open", HTMLButtonElement).addEventListener("click", later.games);
byId("settings-open", HTMLButtonElement).addEventListener("click", later.settings);
byId("pad", HTMLElement).addEventListener("click", (event) => {
  if (event.target instanceof HTMLElement) act(event.target.dataset["move"] ?? "");
});
byId("help-open", HTMLButtonElement).addEventListener("click", later.help);
show(byId("touch-hint", HTMLElement), matchMedia("(pointer: coarse)").matches);
listen({
  area: byId("frame", HTMLElement),
  board: byId("board", HTMLElement),
  rules: () => ({ letters: settings.letters, hold: settings.hold, mayPlay: model.mayPlay, exploring: explorer?.on() ?? false, history: model.history }),
  act,
  onTap: (x, y) => void explore((walker) => walker.tap(x, y)),
});
addEventListener("storage", () => useSettings(loadSettings()));
followWidth();
void askWhetherToPlay(api, address, tell);
void askForHistory(api, tell);
feed.start();
later.followAddress(location.search);
