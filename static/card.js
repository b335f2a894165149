// The card over the lower third of the board when the game is over; made when the first game ends.
import { byId, loadStyle, make, setText, show } from "./dom.js";
import { button, row } from "./form.js";
import { LATER } from "./latertexts.js";
import { count, number } from "./texts.js";

/** @param {Record<"new"|"replay"|"share"|"close", () => void>} on */
export async function createCard(on) {
  await loadStyle("/card.css");
  const card = make("section", "card");
  card.id = "card";
  const title = make("h2");
  title.id = "card-title";
  card.setAttribute("aria-labelledby", title.id);
  const text = make("p");
  text.id = "card-text";
  const fresh = button(LATER.newGame, "primary", on.new);
  fresh.id = "card-new";
  const replay = button(LATER.replayIt, "", on.replay);
  const close = button(LATER.seeBoard, "quiet", on.close);
  close.id = "card-close";
  const words = make("div");
  words.append(title, text);
  card.append(words, row("card-actions", fresh, replay, button(LATER.share, "", on.share), close));
  byId("board", HTMLElement).append(card);

  /** @param {import("./view.js").View["card"]} content @param {boolean} history  The server has the moves. */
  return (content, history) => {
    show(card, content !== null);
    if (!content) return;
    const { wonNow, won, score, moves, best, custom, mayPlay } = content;
    setText(title, wonNow ? LATER.wonOnLast : won ? LATER.overWon : LATER.over);
    const rank = custom ? LATER.customGame : score >= best ? LATER.best : LATER.bestIs(best);
    setText(text, `${LATER.pointsIn(number(score), count(moves, "move"))} ${rank}`);
    show(fresh, mayPlay);
    show(replay, history && moves > 0);
  };
}
