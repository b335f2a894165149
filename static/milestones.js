// When a game first had each big tile, found by halving, since the largest tile of a game never shrinks; big merges.

const FIRST = 256;

/**
 * @param {number} last  How many moves the game has.
 * @param {(n: number) => Promise<number|null>} maxTileAt  Null: not to be had; the search ends.
 * @returns {Promise<{tile: number, n: number}[]>}
 */
export async function findMilestones(last, maxTileAt) {
  const top = await maxTileAt(last);
  const found = [];
  let low = 0;
  for (let tile = FIRST; top !== null && tile <= top; tile *= 2) {
    let high = last;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const there = await maxTileAt(middle);
      if (there === null) return found;
      if (there >= tile) high = middle;
      else low = middle + 1;
    }
    found.push({ tile, n: low });
  }
  return found;
}

/** The moves of a game that are looked through at a time. */
const SCAN = 500;
const BIG = 512;

/**
 * The first move from `from` on that makes a tile of 512 or more.
 * @param {number} from @param {number} last
 * @param {(from: number, to: number) => Promise<import("./api.js").Answer>} ask
 * @returns {Promise<number|null>}
 */
export async function findBigMerge(from, last, ask) {
  for (let first = from; first <= last; first += SCAN) {
    const { status, body } = await ask(first, first + SCAN - 1);
    if (status !== 200) return null;
    const found = /** @type {import("./types.js").LogEntry[]} */ (body.items).find(({ slides }) =>
      slides.some(({ value, merges }) => merges && 2 * value >= BIG),
    );
    if (found) return found.n;
  }
  return null;
}
