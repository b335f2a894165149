// Who has had the live game when, and when its big tiles came: asked for once, then carried on from what is seen.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Stretch} Stretch */
/** @typedef {{game: string, drivers: Stretch[], milestones: {tile: number, n: number}[]}} Strip */

const FIRST = 256;

/** The strip after one more state of its game. @param {Strip} strip @param {State} state @returns {Strip} */
export function carryOn({ game, drivers, milestones }, state) {
  const { kind, name, sinceMove } = state.driver;
  const last = drivers[drivers.length - 1];
  const same = last && last.kind === kind && last.name === name;
  const before = drivers.map((stretch) => (stretch === last && !same ? { ...stretch, to: sinceMove } : stretch));
  const now = { kind, name, from: same ? last.from : sinceMove, to: null, why: null };
  const top = milestones[milestones.length - 1]?.tile ?? 0;
  const grown = state.maxTile >= FIRST && state.maxTile > top;
  return {
    game,
    drivers: [...(same ? before.slice(0, -1) : before), now],
    milestones: grown ? [...milestones, { tile: state.maxTile, n: state.moves }] : milestones,
  };
}

/** @param {import("./slider.js").Look} look */
export function createStrip(look) {
  /** @type {Strip} */
  let strip = { game: "", drivers: [], milestones: [] };
  return (/** @type {State} */ state) => {
    if (strip.game !== state.game) {
      strip = { game: state.game, drivers: [], milestones: [] };
      // Of a game that the page has seen from its start there is nothing to ask.
      if (state.moves > 1) look((back) => void back.describe(state.game, () => strip.game === state.game, (found) => (strip = { ...strip, ...found })));
    }
    return (strip = carryOn(strip, state));
  };
}
