// Whether the page shows fewer boards than the game has moves, over the last second.

const WINDOW_MS = 1_000;
/** Below this many moves a second nobody misses a board. */
const FAST = 12;

export function createRate() {
  /** One entry for each board that was shown. @type {{at: number, game: string, moves: number}[]} */
  let shown = [];

  return {
    /** @param {{game: string, moves: number}} state @param {number} at */
    add: ({ game, moves }, at) => {
      shown = [...shown.filter((entry) => at - entry.at <= WINDOW_MS && entry.game === game), { at, game, moves }];
    },
    /** @param {number} now @returns {{shown: number, played: number}|null}  Null: every move is shown. */
    read: (now) => {
      const recent = shown.filter((entry) => now - entry.at <= WINDOW_MS);
      const first = recent[0];
      const last = recent[recent.length - 1];
      if (!first || !last || last.at - first.at < WINDOW_MS / 2) return null;
      const perSecond = 1_000 / (last.at - first.at);
      const played = Math.round((last.moves - first.moves) * perSecond);
      const seen = Math.round((recent.length - 1) * perSecond);
      return played > FAST && played > 1.2 * seen ? { shown: seen, played } : null;
    },
  };
}
