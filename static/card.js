// The card over the lower third of the board when the game is over; shown or not by the state alone.
import { byId, setText, show } from "./dom.js";

/**
 * @param {{onNew: () => void, onClose: () => void}} on
 */
export function createCard({ onNew, onClose }) {
  const card = byId("card", HTMLElement);
  const title = byId("card-title", HTMLElement);
  const text = byId("card-text", HTMLElement);
  const best = byId("card-best", HTMLElement);
  const fresh = byId("card-new", HTMLButtonElement);
  fresh.addEventListener("click", onNew);
  byId("card-close", HTMLButtonElement).addEventListener("click", onClose);

  /** @param {import("./view.js").View["card"]} content */
  return (content) => {
    show(card, content !== null);
    if (!content) return;
    setText(title, content.title);
    setText(text, content.text);
    setText(best, content.best);
    show(fresh, content.mayPlay);
  };
}
