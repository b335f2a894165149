// How a dialog closes, and the question before a new game.
import { byId } from "./dom.js";

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
