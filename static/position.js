// A board as a short text, to be copied, put into an address, or played on from.
import { button, field, form, row, submit } from "./form.js";
import { LATER } from "./latertexts.js";

/** @typedef {import("./types.js").Grid} Grid */

/** "2.4.0.0-8.2.0.0-...": rows from the top, 0 for an empty square. @param {Grid} grid */
export const codeOf = (grid) => grid.map((line) => line.map((value) => value ?? 0).join(".")).join("-");

/** What stands in a code; whether it is a board is for the server to say. @param {string} code @returns {number[][]|null} */
export function gridOf(code) {
  const grid = code.trim().split("-").map((line) => line.split(".").map((value) => (/^\d+$/.test(value) ? Number(value) : NaN)));
  const whole = grid.length === 4 && grid.every((line) => line.length === 4 && line.every(Number.isSafeInteger));
  return whole ? grid : null;
}

/**
 * @param {Grid} shown
 * @param {((grid: number[][]) => Promise<import("./api.js").Answer>)|null} start  Null: who looks on may only copy.
 * @param {(text: string) => void} say
 */
export function positionForm(shown, start, say) {
  const wished = new URLSearchParams(location.search).get("position");
  const code = field(LATER.positionCode, { value: wished ?? codeOf(shown), spellcheck: false });
  code.input.classList.add("long");
  const copy = async () => {
    const copied = await navigator.clipboard?.writeText(code.input.value).then(() => true, () => false);
    say(copied ? LATER.positionCopied : LATER.copyByHand);
  };
  const parts = [code.label, button(LATER.copy, "", () => void copy())];
  if (!start) return row("dialog-row", ...parts);
  return form([...parts, submit(LATER.playFrom)], async () => {
    const grid = gridOf(code.input.value);
    if (!grid) return say(LATER.noPosition);
    const { status, body } = await start(grid);
    say(status === 200 ? LATER.positionDealt : (body?.detail ?? LATER.noPosition));
  });
}
