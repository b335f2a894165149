// A plain 2048 for the tests: what a server would send. The page itself knows none of this.

/** Random numbers that are the same in every run. */
export function random(seed) {
  let x = seed >>> 0;
  return () => {
    x = (x + 0x6d2b79f5) >>> 0;
    let t = Math.imul(x ^ (x >>> 15), 1 | x);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const DIRECTIONS = ["UP", "DOWN", "LEFT", "RIGHT"];
const emptyGrid = () => Array.from({ length: 4 }, () => [null, null, null, null]);

/** The cells of one line, from the edge that the tiles go to. */
const line = (direction, i) =>
  [0, 1, 2, 3].map((k) => ({ LEFT: [i, k], RIGHT: [i, 3 - k], UP: [k, i], DOWN: [3 - k, i] })[direction]);

function slide(grid, direction) {
  const after = emptyGrid();
  const slides = [];
  for (let i = 0; i < 4; i += 1) {
    const cells = line(direction, i);
    let place = 0;
    let last = null;
    for (const from of cells) {
      const value = grid[from[0]][from[1]];
      if (value === null) continue;
      const joins = last !== null && last.value === value && !last.merges;
      const to = joins ? last.to : cells[place++];
      const made = { from, to, value, merges: joins };
      if (joins) last.merges = true;
      after[to[0]][to[1]] = joins ? value * 2 : value;
      slides.push(made);
      last = made;
    }
  }
  return { after, slides, changed: JSON.stringify(after) !== JSON.stringify(grid) };
}

function spawn(grid, next) {
  const free = grid.flatMap((cells, row) => cells.flatMap((value, column) => (value === null ? [[row, column]] : [])));
  const at = free[Math.floor(next() * free.length)];
  const value = next() < 0.9 ? 2 : 4;
  grid[at[0]][at[1]] = value;
  return { at, value };
}

/** States of one game after another, for ever; `seq` goes up by one with each. */
export function* games(seed) {
  const next = random(seed);
  let seq = 0;
  for (let game = 0; ; game += 1) {
    let grid = emptyGrid();
    spawn(grid, next);
    spawn(grid, next);
    yield { epoch: "e", game: `g${game}`, seq: seq++, grid, transition: null };
    for (;;) {
      const open = DIRECTIONS.map((direction) => ({ direction, ...slide(grid, direction) })).filter((move) => move.changed);
      if (open.length === 0) break;
      const { direction, after, slides } = open[Math.floor(next() * open.length)];
      const born = spawn(after, next);
      grid = after;
      yield { epoch: "e", game: `g${game}`, seq: seq++, grid, transition: { direction, by: "random", gained: 0, slides, spawn: born } };
    }
  }
}
