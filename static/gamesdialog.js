// The games of this session: sorted, a page at a time; one click looks at a game in the same viewer.
import { make, setText, show } from "./dom.js";
import { button, openDialog, row } from "./form.js";
import { LATER } from "./latertexts.js";
import { number, T } from "./texts.js";

/** @typedef {import("./types.js").GameRecord} GameRecord */

const SORTS = ["-startedAt", "-score", "-maxTile", "-moves"];
const when = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hour12: false });

/**
 * @param {import("./api.js").Api} api
 * @param {string} session
 * @param {(record: GameRecord, title: string) => void} onOpen
 */
export function openGamesDialog(api, session, onOpen) {
  const sort = document.createElement("select");
  sort.append(...SORTS.map((value, place) => new Option(LATER.sorts[place], value)));
  const label = make("label", "", LATER.sortBy);
  label.append(sort);
  const list = make("ul", "sessions games");
  const note = make("p");
  let next = "";
  const more = button(LATER.more, "", () => void fill(next));
  const dialog = openDialog(LATER.games, [row("dialog-row", label), note, list, more], LATER.close);

  /** @param {string} cursor */
  async function fill(cursor) {
    const { status, body } = await api.games({ session, sort: sort.value, limit: "30", ...(cursor ? { cursor } : {}) });
    if (!cursor) list.replaceChildren();
    const items = /** @type {GameRecord[]} */ (status === 200 ? body.items : []);
    setText(note, status !== 200 ? (body?.detail ?? T.unanswered) : !cursor && items.length === 0 ? LATER.noGames : "");
    list.append(...items.map(line));
    next = (status === 200 && body.next) || "";
    show(more, next !== "");
  }

  /** @param {GameRecord} record */
  function line(record) {
    const title = LATER.gameOf(when.format(record.startedAt));
    const made = make("li", "session-line");
    const open = button(when.format(record.startedAt), "small", () => {
      dialog.close();
      onOpen(record, title);
    });
    open.setAttribute("aria-label", title);
    const how = [LATER.classes[record.class], LATER.statuses[record.status], ...(record.custom ? [LATER.custom] : [])].join(", ");
    made.append(open, make("span", "session-who", how), make("span", "session-score", number(record.score)), make("span", "session-max", String(record.maxTile)));
    if (record.status !== "running") made.append(exportLink(record.game));
    return made;
  }

  sort.addEventListener("change", () => void fill(""));
  show(more, false);
  void fill("");
}

/** @param {string} game */
function exportLink(game) {
  const link = /** @type {HTMLAnchorElement} */ (make("a", "", "\u2913"));
  link.href = `/api/games/${game}/export`;
  link.download = "";
  link.title = LATER.exportGame;
  link.setAttribute("aria-label", LATER.exportGame);
  return link;
}
