// The animated layer: one node per tile, keyed by the cell where it stands; slides, merges and spawns as the server told.
import { at, planFor } from "./plan.js";
import { dress, makeTile, mark, place, spot } from "./tile.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./plan.js").Speed} Speed */
/** @typedef {import("./types.js").Transition} Transition */

/** @type {Keyframe[]} */
const POP = [{ scale: "1" }, { scale: "1.12", offset: 0.4 }, { scale: "1" }];
/** @type {Keyframe[]} */
const GROW = [{ scale: "0.3", opacity: 0 }, { scale: "1", opacity: 1 }];

/**
 * @param {HTMLElement} layer
 * @param {{short: () => boolean, onGain: (gained: number) => void, onSettle?: () => void}} deps
 */
export function createBoard(layer, { short, onGain, onSettle }) {
  /** @type {Map<string, HTMLElement>} */
  let tiles = new Map();
  /** @type {State|null} */
  let held = null;
  /** What is left to do of the running animation; doing it early jumps to its end. @type {(() => void)[]} */
  let rest = [];
  let timer = 0;
  let resyncs = 0;
  /** What moves now. Kept here, since asking the browser for it would lay the page out in the middle of a move. @type {Animation[]} */
  let moving = [];

  /** @param {Element|null} node @param {Keyframe[]} frames @param {number} duration @param {string} easing */
  function play(node, frames, duration, easing) {
    if (node && duration > 0) moving.push(node.animate(frames, { duration, easing }));
  }

  /** @param {Cell} cell @param {number} value */
  function add(cell, value) {
    const tile = makeTile(cell, value, short());
    layer.append(tile);
    tiles.set(at(...cell), tile);
    return tile;
  }

  /** Brings the layer to exactly this grid. @param {State} state */
  function draw(state) {
    state.grid.forEach((line, row) =>
      line.forEach((value, column) => {
        const tile = tiles.get(at(row, column));
        if (value === null) {
          tile?.remove();
          tiles.delete(at(row, column));
        } else if (tile) dress(tile, value, short());
        else add([row, column], value);
      }),
    );
  }

  /** @param {State} state @param {Transition} transition @param {Speed} speed */
  function animate(state, transition, speed) {
    const moved = slideAll(transition, speed);
    if (!moved) return resync(state);
    tiles = moved.staying;
    rest = [() => land(state, transition, speed, moved.leaving), () => settle(state)];
    if (speed.slideMs === 0) return finish();
    timer = setTimeout(() => {
      advance();
      timer = setTimeout(advance, Math.max(speed.popMs, speed.spawnMs));
    }, speed.slideMs);
  }

  const advance = () => rest.shift()?.();
  const finish = () => {
    while (rest.length > 0) advance();
  };

  /** @param {Transition} transition @param {Speed} speed */
  function slideAll(transition, speed) {
    /** @type {Map<string, HTMLElement>} */
    const staying = new Map();
    /** @type {HTMLElement[]} */
    const leaving = [];
    for (const { from, to, merges } of transition.slides) {
      const tile = tiles.get(at(...from));
      if (!tile) return null;
      const far = Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]);
      tile.style.setProperty("--far", String(far));
      if (far > 0) {
        place(tile, to);
        play(tile, [{ transform: spot(from) }, { transform: spot(to) }], speed.slideMs, "ease-in-out");
      }
      if (merges) leaving.push(tile);
      else staying.set(at(...to), tile);
    }
    return { staying, leaving };
  }

  /** @param {State} state @param {Transition} transition @param {Speed} speed @param {HTMLElement[]} leaving */
  function land(state, transition, speed, leaving) {
    leaving.forEach((tile) => tile.remove());
    const targets = new Map(transition.slides.filter((slide) => slide.merges).map(({ to }) => [at(...to), to]));
    for (const cell of targets.values()) {
      const tile = add(cell, state.grid[cell[0]]?.[cell[1]] ?? 0);
      tile.classList.add("merged");
      play(tile.firstElementChild, POP, speed.popMs, "ease-out");
      if (speed.marks) mark(tile, "mark-merged");
    }
    const born = add(transition.spawn.at, transition.spawn.value);
    born.classList.add("spawned");
    play(born.firstElementChild, GROW, speed.spawnMs, "ease-out");
    if (speed.marks) mark(born, "mark-spawned");
    if (speed.float && transition.gained > 0) onGain(transition.gained);
  }

  /** What is on screen must now be what the server has. @param {State} state */
  function settle(state) {
    rest = [];
    const wanted = state.grid.flat().filter((value) => value !== null).length;
    const right = (/** @type {number|null} */ value, /** @type {string} */ key) =>
      value === null ? !tiles.has(key) : tiles.get(key)?.dataset["value"] === String(value);
    const same = state.grid.every((line, row) => line.every((value, column) => right(value, at(row, column))));
    if (!same || tiles.size !== wanted || layer.childElementCount !== wanted) resync(state);
    onSettle?.();
  }

  /** The page and the server disagree about the tiles: the server is right. @param {State} state */
  function resync(state) {
    resyncs += 1;
    layer.replaceChildren();
    tiles = new Map();
    draw(state);
  }

  /** Jumps to the end of what is running. */
  function commit() {
    clearTimeout(timer);
    finish();
    for (const animation of moving) animation.cancel();
    moving = [];
  }

  return {
    /** @param {State} next @param {{intervalMs: number, hidden: boolean, motion: boolean}} how */
    show: (next, how) => {
      commit();
      const plan = planFor(held, next, how);
      held = next;
      if (plan.kind === "draw") draw(next);
      else animate(next, plan.transition, plan.speed);
    },
    redraw: () => {
      commit();
      if (held) draw(held);
    },
    commit,
    /** Nothing moves. */
    settled: () => rest.length === 0,
    resyncs: () => resyncs,
  };
}
