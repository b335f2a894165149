// The tabs under the decision: each is loaded when it is first looked at, and draws only while it is.
import { byId, make, show } from "./dom.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {{node: HTMLElement, draw: (model: Model) => boolean}} View  `draw`: is there more to come by time alone? */
/**
 * @typedef {object} Tab
 * @property {string} title
 * @property {(model: Model) => boolean} offered  Is it among the tabs?
 * @property {(model: Model) => boolean} useful  Is there anything to show? Until then it is not loaded.
 * @property {() => Promise<View>} load
 */

const AGAIN_MS = 500;

/** @param {Tab[]} tabs @param {() => void} wake  Something is ready to be drawn. */
export function createViews(tabs, wake) {
  const fold = byId("views", HTMLElement);
  const bar = byId("view-tabs", HTMLElement);
  const panel = byId("view", HTMLElement);
  /** @type {(View|"loading"|undefined)[]} */
  const views = [];
  let chosen = 0;
  let timer = 0;
  const buttons = tabs.map(({ title }, place) => {
    const button = make("button", "", title);
    button.id = `view-tab-${place}`;
    button.setAttribute("role", "tab");
    button.setAttribute("aria-controls", panel.id);
    button.addEventListener("click", () => choose(place));
    return button;
  });
  bar.append(...buttons);
  fold.addEventListener("toggle", wake);
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const shown = buttons.filter((button) => !button.hidden);
    const next = shown[(shown.findIndex((button) => button.tabIndex === 0) + step + shown.length) % shown.length];
    if (!next) return;
    choose(buttons.indexOf(next));
    next.focus();
  });

  /** @param {number} place */
  function choose(place) {
    chosen = place;
    buttons.forEach((button, other) => {
      button.setAttribute("aria-selected", String(other === place));
      button.tabIndex = other === place ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `view-tab-${place}`);
    panel.replaceChildren();
    wake();
  }

  /** @param {Tab} tab @param {number} place */
  async function load(tab, place) {
    views[place] = "loading";
    views[place] = await tab.load().catch(() => undefined);
    wake();
  }

  choose(0);
  return (/** @type {Model} */ model) => {
    tabs.forEach(({ offered }, place) => show(/** @type {HTMLElement} */ (buttons[place]), offered(model)));
    const tab = tabs[chosen];
    const view = views[chosen];
    if (!tab || view === "loading" || !(/** @type {HTMLDetailsElement} */ (fold).open)) return;
    if (!view) return void (tab.useful(model) && load(tab, chosen));
    if (panel.firstChild !== view.node) panel.replaceChildren(view.node);
    if (view.draw(model)) timer ||= setTimeout(() => ((timer = 0), wake()), AGAIN_MS);
  };
}
