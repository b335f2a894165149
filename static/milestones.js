// When a game first had each big tile: found by halving, since the largest tile of a game never shrinks.

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
