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
  const differences = compare(mine, theirs).slice(0, 2);
  if (differences.length === 0) return `${word(picked)} and ${word(rival)} measure the same.`;
  const good = differences.map(([text]) => text).join(" and ");
  const bad = differences.map(([, text]) => text).join(" and ");
  return `${word(picked)} ${good}; ${word(rival)} ${bad}.`;
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

/** Pairs of halves of a sentence, the weightiest first. @param {HintMove} mine @param {HintMove} theirs @returns {[string, string][]} */
function compare(mine, theirs) {
  /** @type {[string, string][]} */
  const found = [];
  if (!mine.couldEndTheGame && theirs.couldEndTheGame) found.push(["is safe for a move", "could end the game"]);
  if (mine.couldEndTheGame && !theirs.couldEndTheGame) found.push(["could end the game", "could not"]);
  if (mine.keepsCorner !== theirs.keepsCorner) {
    found.push(mine.keepsCorner ? ["keeps the corner", "gives it up"] : ["gives up the corner", "keeps it"]);
  }
  if (mine.emptyAfter !== theirs.emptyAfter) {
    found.push([`leaves ${count(mine.emptyAfter ?? 0, "empty cell")}`, `leaves ${number(theirs.emptyAfter ?? 0)}`]);
  }
  if (mine.mergesAfter !== theirs.mergesAfter) {
    found.push([`sets up ${count(mine.mergesAfter ?? 0, "merge")}`, `sets up ${number(theirs.mergesAfter ?? 0)}`]);
  }
  if (mine.gained !== theirs.gained) {
    found.push([`gains ${number(mine.gained ?? 0)}`, `gains ${number(theirs.gained ?? 0)}`]);
  }
  return found;
}
