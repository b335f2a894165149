// Looks back at the boards of a game: the newest wish wins, boards once seen are kept, a replay walks by itself.
import { LATER } from "./latertexts.js";
import { findBigMerge, findMilestones } from "./milestones.js";

/** @typedef {import("./types.js").PastState} PastState */
/** @typedef {import("./types.js").GameRecord} GameRecord */

const KEPT = 500;
/** Moves a second at speed 1. */
const PACE = 2;
/** A replay asks for a board at most so often. */
const LEAST_MS = 90;

/** The move a replay stands at. @param {number} from @param {number} last @param {number} speed @param {number} ms  Since it began. */
export const replayAt = (from, last, speed, ms) => Math.min(last, from + Math.floor((ms / 1000) * PACE * speed));

/** How long until a replay's next board. @param {number} speed */
export const replayEvery = (speed) => Math.max(LEAST_MS, 1000 / (PACE * speed));

/**
 * @param {object} deps
 * @param {import("./api.js").Api} deps.api
 * @param {() => import("./model.js").Model} deps.model
 * @param {(what: import("./model.js").Happening) => void} deps.tell
 * @param {() => void} deps.remember  The place that is looked at is another.
 */
export function createLookBack({ api, model, tell, remember }) {
  /** @type {Map<string, PastState>} */
  const kept = new Map();
  /** @type {{game: string, n: number}|null} */
  let wanted = null;
  let loading = false;
  let timer = 0;

  /** The game that is looked at, or the live one. */
  function here() {
    const { look, state } = model();
    return look ?? { game: state?.game ?? "", n: state?.moves ?? 0, last: state?.moves ?? 0, speed: 0 };
  }

  /** @param {number} to @param {Partial<import("./types.js").Look>} [more] */
  function seek(to, more = {}) {
    const { game, last } = { ...here(), ...more };
    const n = Math.min(Math.max(to, 0), last);
    if (n === last && game === model().state?.game) return live();
    if (!model().look || more.game) void describe(game, () => model().look?.game === game, (found) => tell({ type: "look", look: found }));
    tell({ type: "look", look: { game, n, last, ...more } });
    wanted = { game, n };
    if (!loading) void load();
  }

  async function load() {
    loading = true;
    while (wanted) {
      const { game, n } = wanted;
      wanted = null;
      const past = await board(game, n);
      if (past && model().look?.game === game) tell({ type: "look", look: { past } });
      remember();
    }
    loading = false;
  }

  /** @param {string} game @param {number} n @returns {Promise<PastState|null>} */
  async function board(game, n) {
    const key = `${game}/${n}`;
    const known = kept.get(key);
    if (known) return known;
    const { status, body } = await api.at(game, n);
    if (status !== 200) {
      tell({ type: "notice", text: body?.detail ?? LATER.noBoard, kind: "warn" });
      return null;
    }
    if (kept.size >= KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
    kept.set(key, body);
    return body;
  }

  /**
   * Who had the game when, and when its big tiles came, for the strip over the slider.
   * @param {string} game @param {() => boolean} there  Does anybody still want to know?
   * @param {(found: {drivers: import("./types.js").Stretch[], milestones: {tile: number, n: number}[]}) => void} use
   */
  async function describe(game, there, use) {
    const { status, body } = await api.game(game);
    if (status !== 200 || !there()) return;
    use({ drivers: body.drivers, milestones: [] });
    const milestones = await findMilestones(body.moves, async (n) => (there() ? ((await board(game, n))?.maxTile ?? null) : null));
    if (there()) use({ drivers: body.drivers, milestones });
  }

  /** On to the next big merge after the board on screen. */
  async function nextMerge() {
    pause();
    const { game, n, last } = here();
    const found = await findBigMerge(n + 1, last, (from, to) => api.moves(game, from, to));
    if ((model().look?.game ?? model().state?.game) !== game) return;
    if (found) seek(found);
    else tell({ type: "notice", text: LATER.noMerge, kind: "look" });
  }

  function live() {
    pause();
    wanted = null;
    tell({ type: "live" });
    remember();
  }

  function pause() {
    clearTimeout(timer);
    if (model().look?.speed) tell({ type: "look", look: { speed: 0 } });
  }

  /** @param {number} speed */
  function play(speed) {
    clearTimeout(timer);
    const at = here();
    const from = at.n >= at.last ? 0 : at.n;
    const began = Date.now();
    seek(from, { speed });
    const walk = () => {
      const { n, last, game } = here();
      if (n >= last && game === model().look?.game) return pause();
      seek(replayAt(from, last, speed, Date.now() - began));
      if (model().look) timer = setTimeout(walk, replayEvery(speed));
    };
    timer = setTimeout(walk, replayEvery(speed));
  }

  /** Another game, from its end or from move `n` of it. @param {GameRecord} record @param {string} title @param {number} [n] */
  const open = (record, title, n = record.moves) =>
    seek(n, { game: record.game, last: record.moves, title, past: null, drivers: record.drivers });

  return {
    /** @param {number} n */
    seek: (n) => {
      pause();
      seek(n);
    },
    /** @param {number} by */
    step: (by) => {
      pause();
      seek(here().n + by);
    },
    live,
    play,
    pause,
    open,
    describe,
    nextMerge,
    /** @param {string} game @param {string} title @param {number} [n] */
    openById: async (game, title, n) => {
      const { status, body } = await api.game(game);
      if (status === 200) open(body, title, n);
      else tell({ type: "notice", text: body?.detail ?? LATER.noBoard, kind: "warn" });
    },
  };
}

/** @typedef {ReturnType<typeof createLookBack>} LookBack */
