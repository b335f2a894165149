// The games of this session: sorted, a page at a time; one click looks at a game in the same viewer.
import { make, setText, show } from "./dom.js";
import { button, field, openDialog, row } from "./form.js";
import { LATER } from "./latertexts.js";
import { number, T } from "./texts.js";

/** @typedef {import("./types.js").GameRecord} GameRecord */

const SORTS = ["-startedAt", "-score", "-maxTile", "-moves"];
const STATUSES = /** @type {const} */ (["over", "abandoned", "imported", "running"]);
const when = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hour12: false });

/** @param {string} text @param {[string, string][]} options */
function choice(text, options) {
  const select = document.createElement("select");
  select.append(...options.map(([value, name]) => new Option(name, value)));
  const label = make("label", "", text);
  label.append(select);
  return { label, select };
}

/**
 * @param {import("./api.js").Api} api
 * @param {{state: import("./types.js").State, mayPlay: boolean}} page
 * @param {(record: GameRecord, title: string) => void} onOpen
 */
export function openGamesDialog(api, { state: { agent, bestBy }, mayPlay }, onOpen) {
  const best = make("p", "", bestBy ? LATER.bestBy(bestBy) : "");
  const sort = choice(LATER.sortBy, SORTS.map((value, place) => [value, LATER.sorts[place] ?? ""]));
  const status = choice(LATER.show, [["", LATER.all], ...STATUSES.map((name) => /** @type {[string, string]} */ ([name, LATER.statuses[name]]))]);
  const players = agent.roster.map(({ name, title }) => /** @type {[string, string]} */ ([name, title || name]));
  const player = choice(LATER.playedBy, [["", LATER.anybody], ["human", LATER.byPerson], ...players]);
  const choices = [sort, status, player];
  const list = make("ul", "sessions games");
  const note = make("p");
  let next = "";
  const more = button(LATER.more, "", () => void fill(next));
  note.setAttribute("role", "status");
  const dialog = openDialog(LATER.games, [best, row("dialog-row", ...choices.map(({ label }) => label)), note, list, more, ...(mayPlay ? [importer()] : [])], LATER.close);

  /** @param {string} cursor */
  async function fill(cursor) {
    const wish = { sort: sort.select.value, status: status.select.value, player: player.select.value, limit: "30", cursor };
    if (!cursor) setText(note, LATER.loading);
    const { status: code, body } = await api.games(Object.fromEntries(Object.entries(wish).filter(([, value]) => value)));
    const filtered = wish.status !== "" || wish.player !== "";
    if (!cursor) list.replaceChildren();
    const items = /** @type {GameRecord[]} */ (code === 200 ? body.items : []);
    const none = filtered ? LATER.noSuchGames : LATER.noGames;
    setText(note, code !== 200 ? (body?.detail ?? T.unanswered) : !cursor && items.length === 0 ? none : "");
    list.append(...items.map(line));
    next = (code === 200 && body.next) || "";
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

  /** A file as another server, or this one, has exported it. */
  function importer() {
    const { label, input } = field(LATER.importGame, { type: "file", accept: ".ndjson,.json" });
    input.addEventListener("change", async () => {
      const text = await input.files?.[0]?.text();
      if (!text) return;
      const { status: code, body } = await api.importGame(text);
      input.value = "";
      if (code === 200) await fill("");
      setText(note, code === 200 ? LATER.imported : (body?.detail ?? T.unanswered));
    });
    return label;
  }

  for (const { select } of choices) select.addEventListener("change", () => void fill(""));
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
