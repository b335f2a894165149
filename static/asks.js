// What a page asks the server once, when it begins: whether it may play, and whether there are past boards to look at.
import { isLoopback } from "./address.js";
import { byId, show } from "./dom.js";

/** @typedef {import("./api.js").Api} Api */
/** @typedef {(what: import("./model.js").Happening) => void} Tell */

/** Any session but `main` is played with its token only; `main` off loopback is asked, with a move that is none. @param {Api} api @param {import("./address.js").Address} address @param {Tell} tell */
export async function askWhetherToPlay(api, address, tell) {
  if (address.token || (address.session === "main" && isLoopback(location.hostname))) return;
  if (address.session !== "main") return tell({ type: "may-play", value: false });
  const { status } = await api.move({ direction: "?" });
  if (status === 401 || status === 403) tell({ type: "may-play", value: false });
}

/** Asked of the game on the table. @param {Api} api @param {Tell} tell */
export async function askForHistory(api, tell) {
  const first = await api.state();
  if (first.status !== 200) return;
  const { status } = await api.game(first.body.game);
  tell({ type: "history", offered: status === 200 });
  show(byId("games-open", HTMLButtonElement), status === 200);
}
