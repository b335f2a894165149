// Sharing and sessions: links to this one, a new one, those there are, and a race of several players on one seed.
import { attempt, raceKey, tokenKey, watchLink } from "./address.js";
import { byId, make, setText, show } from "./dom.js";
import { titleOf } from "./players.js";
import { number, T } from "./texts.js";

/** @typedef {import("./types.js").State} State */

/** Where this tab keeps the operator's token, if its reader is the operator. */
const OPERATOR = "operator";

/**
 * @param {import("./api.js").Api} api
 * @param {import("./address.js").Address} address
 */
export function createShareDialog(api, address) {
  const dialog = byId("sharing", HTMLDialogElement);
  const status = byId("sharing-status", HTMLElement);
  const list = byId("sharing-list", HTMLElement);
  const racers = byId("sharing-racers", HTMLElement);

  /** @param {string} link @param {string} done */
  async function copy(link, done) {
    const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    setText(status, copied ? done : T.copyFailed(link));
  }

  const operator = () => attempt(() => sessionStorage.getItem(OPERATOR));
  /** @type {State} */
  let current;

  const watch = () => copy(watchLink(location.origin, address.session), T.copied);
  const play = () => copy(`${watchLink(location.origin, address.session)}#token=${address.token}`, T.copiedPlay);
  byId("sharing-watch", HTMLButtonElement).onclick = watch;
  byId("sharing-play", HTMLButtonElement).onclick = play;
  show(byId("sharing-play", HTMLButtonElement), address.token !== null);

  /** @param {{name?: string, seed?: string}} wish @returns {Promise<string|null>} The session's id; this tab keeps its token. */
  async function create(wish) {
    const { status: code, body } = await api.createSession(wish, operator());
    if (code < 200 || code >= 300) {
      setText(status, refusal(code, body));
      return null;
    }
    attempt(() => sessionStorage.setItem(tokenKey(`/s/${body.id}`), body.control));
    return body.id;
  }

  byId("sharing-new", HTMLFormElement).onsubmit = async (event) => {
    event.preventDefault();
    const id = await create(wishIn(byId("sharing-name", HTMLInputElement), byId("sharing-seed", HTMLInputElement)));
    if (id) location.assign(`/s/${id}`);
  };

  byId("sharing-race", HTMLFormElement).onsubmit = async (event) => {
    event.preventDefault();
    const names = [...racers.querySelectorAll("input")].filter((box) => box.checked).map((box) => box.value).slice(0, 4);
    if (names.length < 2) return setText(status, T.raceNeedsTwo);
    const seed = byId("sharing-race-seed", HTMLInputElement).value.trim() || String(Math.floor(Math.random() * 2 ** 32));
    /** @type {string[]} */
    const ids = [];
    for (const name of names) {
      const id = await create({ name: T.raceName(seed, name), seed });
      if (!id) return undefined;
      ids.push(id);
    }
    attempt(() => sessionStorage.setItem(raceKey(ids), names.join(",")));
    return location.assign(`/?side=${ids.join(",")}`);
  };

  byId("sharing-operator", HTMLFormElement).onsubmit = (event) => {
    event.preventDefault();
    const field = byId("sharing-operator-token", HTMLInputElement);
    attempt(() => sessionStorage.setItem(OPERATOR, field.value.trim()));
    field.value = "";
    void fill(current);
  };

  /** @param {State} state */
  async function fill(state) {
    racers.replaceChildren(...state.agent.players.map((name, place) => racer(name, titleOf(state.agent, name), place < 3)));
    const { status: code, body } = await api.sessions(operator());
    show(byId("sharing-operator", HTMLFormElement), code === 401 || code === 403);
    const items = code === 200 ? body.items : [];
    setText(byId("sharing-none", HTMLElement), code === 200 ? "" : refusal(code, body));
    list.replaceChildren(...items.map((/** @type {any} */ item) => sessionLine(item, state, address.session)));
  }

  return {
    /** @param {State} state @param {number} watchers */
    open: (state, watchers) => {
      setText(byId("sharing-watchers", HTMLElement), T.watchers(watchers));
      setText(status, "");
      current = state;
      void fill(state);
      dialog.showModal();
      void watch();
    },
  };
}

/** @param {number} code @param {any} body */
const refusal = (code, body) => (code === 401 || code === 403 ? T.operatorOnly : (body?.detail ?? T.unanswered));

/** @param {HTMLInputElement} name @param {HTMLInputElement} seed */
function wishIn(name, seed) {
  const wish = { name: name.value.trim(), seed: seed.value.trim() };
  return { ...(wish.name ? { name: wish.name } : {}), ...(wish.seed ? { seed: wish.seed } : {}) };
}

/** @param {string} name @param {string} title @param {boolean} checked */
function racer(name, title, checked) {
  const label = make("label", "check");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.value = name;
  box.checked = checked;
  label.append(box, make("span", "", title));
  return label;
}

/** @param {any} item @param {State} state @param {string} here */
function sessionLine(item, state, here) {
  const line = make("li", "session-line");
  const link = /** @type {HTMLAnchorElement} */ (make("a", "", item.name || (item.id === "main" ? "main" : item.id.slice(0, 8))));
  link.href = watchLink("", item.id);
  if (item.id === here) link.setAttribute("aria-current", "page");
  const who = item.gameOver ? T.over : item.running ? T.plays(titleOf(state.agent, item.driver.name)) : T.waiting;
  line.append(link, make("span", "session-who", who), make("span", "session-score", number(item.score)), make("span", "session-max", String(item.maxTile)));
  return line;
}
