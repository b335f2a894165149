// What a hint says: one sentence of measured facts, naming the difference that decides.
import { count, number, word } from "./texts.js";

/** @typedef {import("./types.js").Hint} Hint */
/** @typedef {import("./types.js").HintMove} HintMove */
/** @typedef {import("./types.js").Direction} Direction */

/**
 * @param {Hint} hint
 * @returns {string}
 */
export function explain(hint) {
  const picked = hint.decision.move;
  const mine = picked && hint.moves[picked];
  if (!picked || !mine) return "";
  const rival = rivalOf(hint, picked);
  if (!rival) return `${word(picked)} is the only move.`;
  const theirs = /** @type {HintMove} */ (hint.moves[rival]);
  const { better, worse } = compare(mine, theirs);
  if (better.length > 0) return contrast(picked, rival, better.slice(0, 2));
  if (worse.length === 0) return `${word(picked)} and ${word(rival)} measure the same.`;
  const valued = valuedHigher(mine, theirs);
  return `${valued ? `${word(picked)} is valued higher ${valued}, though: ` : ""}${contrast(picked, rival, worse.slice(0, 1))}`;
}

/** @param {Direction} picked @param {Direction} rival @param {[string, string][]} differences */
function contrast(picked, rival, differences) {
  const half = (/** @type {0|1} */ which) => differences.map((pair) => pair[which]).join(" and ");
  return `${word(picked)} ${half(0)}; ${word(rival)} ${half(1)}.`;
}

/** @param {HintMove} mine @param {HintMove} theirs */
function valuedHigher(mine, theirs) {
  if (typeof mine.value !== "number" || typeof theirs.value !== "number" || mine.value <= theirs.value) return "";
  const digits = Math.abs(mine.value) < 10 ? 3 : 0;
  return `(${mine.value.toFixed(digits)} against ${theirs.value.toFixed(digits)})`;
}

/** The legal direction that comes next, by the player's own value, else by room left. @param {Hint} hint @param {Direction} picked @returns {Direction|null} */
function rivalOf(hint, picked) {
  const others = /** @type {[Direction, HintMove][]} */ (Object.entries(hint.moves)).filter(
    ([direction, move]) => direction !== picked && move.legal,
  );
  /** @param {HintMove} move */
  const worth = (move) => move.value ?? move.emptyAfter ?? 0;
  others.sort(([, a], [, b]) => worth(b) - worth(a));
  return others[0]?.[0] ?? null;
}

/**
 * What speaks for the first move and what against it, as pairs of halves of a sentence, the weightiest first.
 * @param {HintMove} mine
 * @param {HintMove} theirs
 * @returns {{better: [string, string][], worse: [string, string][]}}
 */
function compare(mine, theirs) {
  /** @type {{better: [string, string][], worse: [string, string][]}} */
  const found = { better: [], worse: [] };
  /** @param {number} mine @param {number} theirs @param {string} a @param {string} b */
  const weigh = (mine, theirs, a, b) => {
    if (mine !== theirs) found[mine > theirs ? "better" : "worse"].push([a, b]);
  };
  const n = (/** @type {number|undefined} */ value) => value ?? 0;
  const ends = (/** @type {HintMove} */ move) => (move.couldEndTheGame ? "could end the game" : "could not end the game");
  const corner = (/** @type {HintMove} */ move) => (move.keepsCorner ? "keeps the corner" : "gives up the corner");
  weigh(Number(!mine.couldEndTheGame), Number(!theirs.couldEndTheGame), ends(mine), ends(theirs));
  weigh(Number(mine.keepsCorner), Number(theirs.keepsCorner), corner(mine), corner(theirs));
  weigh(n(mine.emptyAfter), n(theirs.emptyAfter), `leaves ${count(n(mine.emptyAfter), "empty cell")}`, `leaves ${number(n(theirs.emptyAfter))}`);
  weigh(n(mine.mergesAfter), n(theirs.mergesAfter), `sets up ${count(n(mine.mergesAfter), "merge")}`, `sets up ${number(n(theirs.mergesAfter))}`);
  weigh(n(mine.gained), n(theirs.gained), `gains ${number(n(mine.gained))}`, `gains ${number(n(theirs.gained))}`);
  return found;
}
