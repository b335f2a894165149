// Several games side by side: which state each may show so that all stand at the same move, and where they parted.

/** @typedef {import("./types.js").State} State */

/** States that wait for a slower game; beyond this the oldest go. */
const MOST = 2_000;

/** @param {State[]} waiting @param {State} next @returns {State[]} */
export function addWaiting(waiting, next) {
  const last = waiting[waiting.length - 1];
  const kept = last && last.game !== next.game ? [] : waiting;
  return [...kept, next].slice(-MOST);
}

/**
 * In step, nobody is shown further than the slowest game that still goes on.
 * @param {State[]} newest  Of each game.
 */
export function stepLimit(newest) {
  return Math.min(Infinity, ...newest.filter((state) => !state.gameOver).map((state) => state.moves));
}

/**
 * @param {State[]} waiting  Oldest first.
 * @param {number} limit
 * @returns {{show: State|null, rest: State[]}}
 */
export function takeUpTo(waiting, limit) {
  const beyond = waiting.findIndex((state) => state.moves > limit);
  const count = beyond < 0 ? waiting.length : beyond;
  return { show: waiting[count - 1] ?? null, rest: waiting.slice(count) };
}

/** Games on one seed are equal until somebody chooses otherwise: the first move after which boards differ. */
export function createParting() {
  /** @type {Map<number, string>} */
  const boards = new Map();
  /** Moves after which two boards were seen to be equal. @type {Set<number>} */
  const equal = new Set();
  let parted = Infinity;
  return {
    /** @param {State} state */
    add: (state) => {
      if (state.moves >= parted) return;
      const board = JSON.stringify(state.grid);
      const other = boards.get(state.moves);
      if (other === undefined) boards.set(state.moves, board);
      else if (other === board) equal.add(state.moves);
      else parted = state.moves;
    },
    /** `exact`: the boards were seen to be equal one move before. @returns {{move: number, exact: boolean}|null} */
    at: () => (parted === Infinity ? null : { move: parted, exact: equal.has(parted - 1) }),
  };
}
