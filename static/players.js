// How players are named and marked: titles come from the server, a letter and a colour so that neither stands alone.

/** @typedef {import("./types.js").Agent} Agent */

/** @param {Agent} agent @param {string} name */
export function titleOf(agent, name) {
  return agent.roster.find((entry) => entry.name === name)?.title || name;
}

/**
 * The shortest start of the name that no other player shares, one or two letters.
 * @param {Agent} agent
 * @param {string} name
 */
export function markOf(agent, name) {
  if (name === "human") return "H";
  const others = agent.roster.map((entry) => entry.name).filter((other) => other !== name);
  const first = name.charAt(0);
  const shared = others.some((other) => other.charAt(0) === first);
  return shared ? first.toUpperCase() + name.charAt(1) : first.toUpperCase();
}

/** How many player colours the style sheet has; `human` has its own. */
const COLOURS = 8;

/**
 * The number of a player's colour: its place in the server's list, so that all tabs agree.
 * @param {Agent} agent
 * @param {string} name
 * @returns {string}
 */
export function colourOf(agent, name) {
  if (name === "human") return "human";
  const place = agent.roster.findIndex((entry) => entry.name === name);
  return place < 0 ? "other" : String(place % COLOURS);
}
