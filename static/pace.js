// The pace and the thinking time that may be chosen, and what a choice means to the server.

/** @typedef {import("./types.js").Agent} Agent */
/** @typedef {import("./model.js").Choice} Choice */
/** @typedef {{value: string, text: string}} Option */

/** From slow to fast; a number is seconds from move to move. */
const LADDER = ["5", "2", "1", "0.5", "0.25", "0.1", "0.05", "max"];

/** @type {readonly Option[]} */
export const PACES = [
  ...LADDER.slice(0, -1).reverse().map((value) => ({ value, text: `${value} s` })),
  { value: "adaptive", text: "Adaptive" },
  { value: "max", text: "Max" },
];

/** @type {readonly Option[]} */
export const BUDGETS = [
  { value: "", text: "Its own" },
  { value: "50", text: "Fast (50 ms)" },
  { value: "200", text: "Balanced (200 ms)" },
  { value: "1000", text: "Strong (1 s)" },
];

/** The value is what a start says of it, as JSON. @param {{games?: number|null, untilTile?: number|null}} series @returns {Option} */
function seriesOption({ games, untilTile }) {
  const rules = [games ? String(games) : "", untilTile ? `until ${untilTile}` : ""].filter(Boolean);
  return { value: JSON.stringify({ games: games ?? undefined, untilTile: untilTile ?? undefined }), text: rules.join(", ") || "no end" };
}

/** How an AI goes on when a game is over; the first one: not at all. @type {readonly Option[]} */
export const SERIES = [
  { value: "", text: "one" },
  ...[{ games: 3 }, { games: 10 }, { games: 100 }, { untilTile: 2048 }, { untilTile: 16384 }, {}].map(seriesOption),
];

/** @param {Agent} agent @param {Choice} choice @returns {{options: readonly Option[], chosen: string}} */
export function seriesOf({ running, series }, choice) {
  const own = series ? seriesOption(series) : null;
  const chosen = (running ? undefined : choice.series) ?? own?.value ?? "";
  return { options: SERIES.some(({ value }) => value === chosen) || !own ? SERIES : [...SERIES, own], chosen };
}

/** What a chosen series means to the server; the game that runs counts as its first. @param {string} value */
export const seriesWish = (value) => ({ series: value === "" ? { games: 1 } : JSON.parse(value) });

/** @param {Agent} agent @param {Choice} choice */
export const paceOf = (agent, choice) =>
  choice.pace ?? (agent.pace === "fixed" ? String(agent.intervalSeconds) : agent.pace);

/** @param {Agent} agent @param {Choice} choice */
export const budgetOf = (agent, choice) => {
  const budget = choice.budgetMs !== undefined ? choice.budgetMs : agent.budgetMs;
  return budget === null || budget === undefined ? "" : String(budget);
};

/**
 * The list, with the value in force added if it is none of ours.
 * @param {readonly Option[]} options
 * @param {string} value
 * @param {string} unit
 * @returns {Option[]}
 */
export function withCurrent(options, value, unit) {
  const known = options.some((option) => option.value === value);
  return known ? [...options] : [...options, { value, text: `${value} ${unit}` }];
}

/**
 * One step along the ladder.
 * @param {string} pace
 * @param {1|-1} step  1: faster.
 * @returns {string}
 */
export function neighbour(pace, step) {
  const last = LADDER.length - 1;
  const place = LADDER.indexOf(pace);
  if (place >= 0) return LADDER[Math.min(Math.max(place + step, 0), last)] ?? pace;
  if (pace === "adaptive") return LADDER[step > 0 ? last : last - 1] ?? pace;
  const faster = LADDER.findIndex((rung) => rung === "max" || Number(rung) < Number(pace));
  return LADDER[step > 0 ? faster : Math.max(faster - 1, 0)] ?? pace;
}

/**
 * What to send to start or steer the AI. Steering leaves its series alone, whose games would be counted anew.
 * @param {Agent} agent
 * @param {Choice} choice
 */
export function wishOf(agent, choice) {
  const pace = paceOf(agent, choice);
  const budget = budgetOf(agent, choice);
  const series = seriesOf(agent, choice).chosen;
  return {
    player: choice.player ?? agent.player,
    ...(pace === "adaptive" || pace === "max" ? { pace } : { pace: "fixed", intervalSeconds: Number(pace) }),
    ...(budget === "" ? {} : { budgetMs: Number(budget) }),
    ...(agent.running || series === "" ? {} : seriesWish(series)),
  };
}
