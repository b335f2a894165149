// Sharing and sessions: links to this one, a new one, those there are.
import { attempt, tokenKey, watchLink } from "./address.js";
import { make, setText, show } from "./dom.js";
import { button, field, form, openDialog, row, submit } from "./form.js";
import { LATER } from "./latertexts.js";
import { titleOf } from "./players.js";
import { positionForm } from "./position.js";
import { raceForm } from "./race.js";
import { number, T } from "./texts.js";

/** @typedef {import("./types.js").State} State */

/** Where this tab keeps the operator's token, if its reader is the operator. */
const OPERATOR = "operator";
/** The link that this page has made, until it is taken back. @type {{link: string}|null} */
let given = null;
const operator = () => attempt(() => sessionStorage.getItem(OPERATOR));

/**
 * @param {import("./api.js").Api} api
 * @param {import("./address.js").Address} address
 * @param {{state: State, watchers: number, mayPlay: boolean}} page
 */
export function openShareDialog(api, address, { state, watchers, mayPlay }) {
  const status = make("span");
  status.setAttribute("role", "status");
  const intro = make("p");
  intro.append(status, make("span", "", ` ${LATER.watchers(Math.max(watchers, 1))}`));
  const say = (/** @type {string} */ text) => setText(status, text);

  /** @param {string} link @param {string} done */
  async function copy(link, done) {
    const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    say(copied ? done : LATER.copyFailed(link));
  }

  /** A link that lets watch and can be taken back; who may only watch hands on the address they have. */
  async function copyWatch() {
    if (!mayPlay) return copy(location.origin + location.pathname, LATER.copied);
    // It may have been taken back elsewhere.
    const known = given && (await api.byLink(given.link).state()).status === 200;
    const { status: code, body } = known ? { status: 200, body: given } : await api.giveLink();
    if (code !== 200) return say(refusal(code, body));
    given = body;
    await copy(`${location.origin}/w/${body.link}`, LATER.copied);
  }

  async function revoke() {
    const { status: code, body } = await api.revokeLinks();
    given = null;
    say(code === 200 ? LATER.revoked(body.revoked) : refusal(code, body));
  }
  const copyPlay = () => void copy(`${watchLink(location.origin, address.session)}#token=${address.token}`, LATER.copiedPlay);
  const links = row("dialog-row", button(LATER.copyWatch, "", () => void copyWatch()));
  if (mayPlay) links.append(button(LATER.revoke, "", () => void revoke()));
  if (address.token) links.append(button(LATER.copyPlay, "", copyPlay));

  /** @param {{name?: string, seed?: string}} wish @returns {Promise<string|null>} The session's id; this tab keeps its token. */
  async function create(wish) {
    const { status: code, body } = await api.createSession(wish, operator());
    if (code < 200 || code >= 300) {
      say(refusal(code, body));
      return null;
    }
    attempt(() => sessionStorage.setItem(tokenKey(`/s/${body.id}`), body.control));
    return body.id;
  }

  const content = [
    intro, links, ...(state.seed ? [make("p", "", LATER.seedIs(state.seed))] : []),
    make("h3", "", LATER.position), positionForm(state.grid, mayPlay ? (grid) => api.newGame({ grid }) : null, say),
  ];
  const controls = [
    make("h3", "", LATER.raceTitle), raceForm(state, create, say),
    make("h3", "", LATER.newTitle), newForm(create),
    make("h3", "", LATER.sessions), sessionList(api, state, address.session),
  ];
  openDialog(LATER.shareTitle, [...content, ...(mayPlay ? controls : [])], LATER.close);
  void copyWatch();
}

/** @param {(wish: {name?: string, seed?: string}) => Promise<string|null>} create */
function newForm(create) {
  const name = field(LATER.name, { maxLength: 60 });
  const seed = field(LATER.seed, { inputMode: "numeric", pattern: "[0-9]*", placeholder: LATER.secret });
  return form([name.label, seed.label, submit(LATER.create)], async () => {
    const wish = { name: name.input.value.trim(), seed: seed.input.value.trim() };
    const id = await create({ ...(wish.name ? { name: wish.name } : {}), ...(wish.seed ? { seed: wish.seed } : {}) });
    if (id) location.assign(watchLink("", id));
  });
}

/** The sessions there are, or a field for the operator's token where the server asks for it. @param {import("./api.js").Api} api @param {State} state @param {string} here */
function sessionList(api, state, here) {
  const note = make("p");
  const list = make("ul", "sessions");
  const token = field(LATER.operatorToken, { type: "password", autocomplete: "off", required: true });
  const ask = form([token.label, submit(LATER.use)], () => {
    attempt(() => sessionStorage.setItem(OPERATOR, token.input.value.trim()));
    token.input.value = "";
    void fill();
  });

  async function fill() {
    const { status: code, body } = await api.sessions(operator());
    show(ask, code === 401 || code === 403);
    setText(note, code === 200 ? "" : refusal(code, body));
    list.replaceChildren(...(code === 200 ? body.items : []).map((/** @type {any} */ item) => sessionLine(item, state, here)));
  }
  show(ask, false);
  void fill();
  return row("", note, ask, list);
}

/** @param {number} code @param {any} body */
const refusal = (code, body) => (code === 401 || code === 403 ? LATER.operatorOnly : (body?.detail ?? T.unanswered));

/** @param {any} item @param {State} state @param {string} here */
function sessionLine(item, state, here) {
  const line = make("li", "session-line");
  const link = /** @type {HTMLAnchorElement} */ (make("a", "", item.name || (item.id === "main" ? "main" : item.id.slice(0, 8))));
  link.href = watchLink("", item.id);
  if (item.id === here) link.setAttribute("aria-current", "page");
  const who = item.gameOver ? T.over : item.running ? T.plays(titleOf(state.agent, item.driver.name)) : LATER.waiting;
  line.append(link, make("span", "session-who", who), make("span", "session-score", number(item.score)), make("span", "session-max", String(item.maxTile)));
  return line;
}
