// Small states for the tests; the full ones are the golden files of protocol/.
import { readFileSync } from "node:fs";

/** A golden file of the protocol, read as the page would get it. */
export const golden = (name) => JSON.parse(readFileSync(new URL(`../../protocol/golden/${name}.json`, import.meta.url), "utf8"));

export const HUMAN = { kind: "human", name: "human", sinceMove: 0 };
export const MCTS = { kind: "player", name: "mcts", sinceMove: 10 };

export const AGENT = {
  running: false, player: "mcts", players: ["mcts", "rules"], intervalSeconds: 0.5, pace: "fixed", budgetMs: null,
  keyConfigured: false,
  roster: [
    { name: "jev", title: "Jev", available: false, reason: "no TYPESAFE_API_KEY set" },
    { name: "mcts", title: "Tree Search", available: true, reason: null },
    { name: "rules", title: "Corner rules", available: true, reason: null },
  ],
};

/** A state in the middle of a game; `over` replaces fields, `agent` some of the agent's. */
export function state(over = {}, agent = {}) {
  return {
    protocol: 1, session: "main", game: "g1", epoch: "e1", seq: 20, boot: "b1",
    grid: [[2, 4, null, null], [null, null, null, null], [null, null, null, null], [null, null, null, null]],
    score: 100, mergeCount: 9, moves: 20, maxTile: 4, best: 1000, lastMove: "LEFT", legal: ["DOWN", "RIGHT"],
    gameOver: false, won: false, driver: HUMAN, decision: null, transition: null, watchers: 1,
    ...over, agent: { ...AGENT, ...agent },
  };
}

export const byHand = { direction: "LEFT", by: "human", gained: 0, slides: [], spawn: { at: [0, 0], value: 2 } };
