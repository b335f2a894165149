// The question before a game with moves is left.
import { make } from "./dom.js";
import { button, openDialog } from "./form.js";
import { LATER } from "./latertexts.js";

/** @param {() => void} onYes */
export function askNewGame(onYes) {
  const yes = button(LATER.newGame, "primary", () => {
    dialog.close();
    onYes();
  });
  const dialog = openDialog(LATER.askNew, [make("p", "", LATER.askNewMore)], LATER.keepPlaying, yes);
}
