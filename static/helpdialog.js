// The help, written from the key table.
import { make, setText } from "./dom.js";
import { openDialog, row } from "./form.js";
import { KEYS } from "./keys.js";
import { LATER } from "./latertexts.js";

/** @param {{mayPlay: boolean, history: boolean}} page  Only keys that do something here are listed. @param {import("./api.js").Api} api @param {number} resyncs */
export function openHelp({ mayPlay, history }, api, resyncs) {
  const useful = KEYS.filter((key) => (mayPlay || !key.control) && (history || !key.history));
  const parts = [...new Set(useful.map((key) => key.group))].flatMap((group) => {
    const list = make("dl");
    list.append(...useful.filter((key) => key.group === group).map(lineOf));
    return [make("h3", "", group), list];
  });
  const touch = make("p", "help-touch", LATER.helpTouch);
  const server = make("p");
  const about = [make("h3", "", LATER.about), server, make("p", "", LATER.aboutPage(resyncs))];
  // Who has no keys reads first what can be done without them.
  const first = matchMedia("(pointer: coarse)").matches ? [touch, row("help-keys", ...parts)] : [row("help-keys", ...parts), touch];
  openDialog(LATER.helpTitle, [...first, ...about], LATER.close);
  void api.version().then(({ status, body }) => status === 200 && setText(server, LATER.aboutServer(body)));
}

/** @param {import("./keys.js").Key} key */
function lineOf(key) {
  const line = make("div", "help-row");
  const keys = make("dt");
  keys.append(...splitKeys(key.shown).map((shown) => make("kbd", "", shown)));
  line.append(keys, make("dd", "", key.text));
  return line;
}

/** "\u2191 W K" is three keys, "1 \u2013 9" is one thing. @param {string} shown */
const splitKeys = (shown) => (shown.includes("\u2013") ? [shown] : shown.split(" "));
