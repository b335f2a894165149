// One tile on the board: what is written on it, where it stands, how it pops.
import { make } from "./dom.js";

/** @typedef {import("./types.js").Cell} Cell */

const MARK_MS = 600;

/**
 * In full, or short from 16384 on: 16K, 131K.
 * @param {number} value
 * @param {boolean} short
 */
export const label = (value, short) => (short && value >= 16_384 ? `${Math.floor(value / 1000)}K` : String(value));

/** @param {Cell} cell */
export const spot = ([row, column]) => `translate(calc(${column} * var(--step)), calc(${row} * var(--step)))`;

/** @param {HTMLElement} tile @param {Cell} cell */
export const place = (tile, cell) => tile.style.setProperty("transform", spot(cell));

/** @param {Cell} cell @param {number} value @param {boolean} short */
export function makeTile(cell, value, short) {
  const tile = make("div", "tile");
  tile.append(make("div", "face"));
  dress(tile, value, short);
  place(tile, cell);
  return tile;
}

/** @param {HTMLElement} tile @param {number} value @param {boolean} short */
export function dress(tile, value, short) {
  const text = label(value, short);
  const face = /** @type {HTMLElement} */ (tile.firstElementChild);
  tile.dataset["value"] = String(value);
  // A value beyond the palette is drawn in its last colour.
  tile.style.setProperty("--tile", `var(--t${value}, var(--t131072))`);
  tile.style.setProperty("--tile-ink", `var(--i${value}, var(--ink-high))`);
  tile.dataset["digits"] = String(Math.min(text.length, 7));
  if (face.textContent !== text) face.textContent = text;
}

/** A still sign, for those who want no motion. @param {HTMLElement} tile @param {string} name */
export function mark(tile, name) {
  tile.classList.add(name);
  setTimeout(() => tile.classList.remove(name), MARK_MS);
}
