// Runs in the page: brings recorded games on the page's own board at a pace, with a clock that is turned by hand, and
// reads after each move from the places on the screen whether the animation has ended on the grid.
"use strict";
window.drive = async (games, intervals, motion) => {
  const { createBoard } = await import("/board.js");
  const stage = document.getElementById("frame").cloneNode(true);
  document.getElementById("frame").after(stage);
  const layer = stage.querySelector(".tiles");
  layer.replaceChildren();

  // A clock of its own for the board: what waits runs when it is told to.
  const real = { set: window.setTimeout, clear: window.clearTimeout };
  let timers = [];
  let ids = 0;
  window.setTimeout = (act) => (timers.push({ id: (ids += 1), act }), ids);
  window.clearTimeout = (id) => (timers = timers.filter((timer) => timer.id !== id));
  const tick = () => timers.shift()?.act();
  // The browser animates for five moves of every hundred; in between it is spared, which is what takes time.
  const animate = Element.prototype.animate;
  const looksClosely = () => report.moves % 100 < 5;
  Element.prototype.animate = function (...how) {
    report.animations += 1;
    return looksClosely() ? animate.apply(this, how) : { cancel: () => {}, finish: () => {} };
  };
  const settle = () => {
    while (timers.length > 0) tick();
    if (!looksClosely()) return;
    for (const animation of layer.getAnimations({ subtree: true })) animation.finish();
    for (const animation of layer.getAnimations({ subtree: true })) animation.finish();
  };

  const begin = performance.now();
  const report = { moves: 0, wrong: [], most: 0, animations: 0 };
  const board = createBoard(layer, { short: () => false, onGain: () => {} });
  try {
    for (const { game, grid: start, moves } of games) {
      let grid = start;
      board.show({ epoch: "e", game, seq: 0, grid, transition: null }, { intervalMs: 0, hidden: false, motion });
      moves.forEach((transition, place) => {
        report.moves += 1;
        grid = after(grid, transition);
        const intervalMs = intervals[report.moves % intervals.length];
        board.show({ epoch: "e", game, seq: place + 1, grid, transition }, { intervalMs, hidden: false, motion });
        report.most = Math.max(report.most, layer.childElementCount);
        // Every third move is followed before its animation has ended, some before it has begun to land.
        if (place % 3 === 1 && place + 1 < moves.length) {
          if (place % 2 === 1) tick();
          return;
        }
        settle();
        // From the page's own notes of each tile always, from its place on the screen now and then: that takes longer.
        const seen = JSON.stringify(looksClosely() ? hooks.drawn(layer) : noted(layer));
        if (seen !== JSON.stringify(grid.map((row) => row.map((value) => value ?? 0)))) {
          report.wrong.push({ game, move: place + 1, intervalMs, seen, grid });
        }
      });
    }
  } finally {
    Object.assign(window, { setTimeout: real.set, clearTimeout: real.clear });
    Element.prototype.animate = animate;
    stage.remove();
  }
  report.wrong.splice(3);
  return { ...report, resyncs: board.resyncs(), ms: performance.now() - begin };
};

/** What stands where, by the transform and the value of each tile. */
function noted(layer) {
  const grid = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
  for (const tile of layer.children) {
    const [, column, row] = /translate\(calc\((\d).*calc\((\d)/.exec(tile.style.transform);
    if (grid[row][column] !== 0) return `two tiles on row ${row}, column ${column}`;
    grid[row][column] = Number(tile.dataset.value);
  }
  return grid;
}

/** The board after a move, from the server's own account of it: slides, then merges, then the spawn. */
function after(grid, { slides, spawn }) {
  const next = Array.from({ length: 4 }, () => [null, null, null, null]);
  for (const { to: [row, column], value } of slides) next[row][column] = (next[row][column] ?? 0) + value;
  next[spawn.at[0]][spawn.at[1]] = spawn.value;
  return next;
}
