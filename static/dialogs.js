// The dialogs: the question before a new game, and the help that is written from the key table.
import { byId, make } from "./dom.js";
import { KEYS } from "./keys.js";

/** @param {(() => void)} onYes */
export function createQuestion(onYes) {
  const dialog = byId("ask-new", HTMLDialogElement);
  closable(dialog);
  byId("ask-new-yes", HTMLButtonElement).addEventListener("click", () => {
    dialog.close();
    onYes();
  });
  return { ask: () => dialog.showModal() };
}

/** A dialog closes by its own close button and by a click beside it; focus goes back by itself. @param {HTMLDialogElement} dialog */
export function closable(dialog) {
  dialog.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target === dialog || target.closest("[data-close]")) dialog.close();
  });
}

export function createHelp() {
  const dialog = byId("help", HTMLDialogElement);
  closable(dialog);
  const list = byId("help-keys", HTMLElement);
  for (const group of new Set(KEYS.map((key) => key.group))) {
    const rows = KEYS.filter((key) => key.group === group).map((key) => {
      const line = make("div", "help-row");
      const keys = make("dt");
      keys.append(...splitKeys(key.shown).map((shown) => make("kbd", "", shown)));
      line.append(keys, make("dd", "", key.text));
      return line;
    });
    const table = make("dl");
    table.append(...rows);
    list.append(make("h3", "", group), table);
  }
  return { open: () => dialog.showModal() };
}

/** "\u2191 W K" is three keys, "1 \u2013 9" is one thing. @param {string} shown */
const splitKeys = (shown) => (shown.includes("\u2013") ? [shown] : shown.split(" "));
