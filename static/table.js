// The board as a table for those who hear it: sixteen cells under the animated layer, with what stands in them.
import { make, setText } from "./dom.js";
import { T } from "./texts.js";

/** @typedef {import("./types.js").Grid} Grid */

/** @param {HTMLElement} table */
export function createTable(table) {
  const cells = Array.from({ length: 4 }, () => {
    const line = make("div", "row");
    line.setAttribute("role", "row");
    const made = Array.from({ length: 4 }, () => {
      const cell = make("div", "cell");
      cell.setAttribute("role", "cell");
      cell.append(make("span", "unseen", T.empty));
      return cell;
    });
    line.append(...made);
    table.append(line);
    return made;
  });

  return {
    /** @param {Grid} grid */
    draw: (grid) =>
      cells.forEach((line, row) =>
        line.forEach((cell, column) => {
          const value = grid[row]?.[column] ?? null;
          setText(/** @type {Element} */ (cell.firstElementChild), value === null ? T.empty : String(value));
        }),
      ),
    /** Shows the cursor of the exploration. @param {import("./types.js").Cell|null} place */
    mark: (place) =>
      cells.forEach((line, row) =>
        line.forEach((cell, column) => cell.toggleAttribute("data-cursor", place?.[0] === row && place[1] === column)),
      ),
  };
}
