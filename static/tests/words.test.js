import assert from "node:assert/strict";
import test from "node:test";
import { isLoopback, readAddress, tokenKey, watchLink } from "../address.js";
import { cellSentence, walk } from "../explore.js";
import { explain } from "../hint.js";
import { neighbour, PACES, paceOf, SERIES, seriesOf, seriesWish, wishOf, withCurrent } from "../pace.js";
import { colourOf, markOf, titleOf } from "../players.js";
import { createRate } from "../rate.js";
import { parseSettings } from "../settings.js";
import { boardSentence, moveSentence, sayFor } from "../speech.js";
import { label } from "../tile.js";
import { AGENT, golden, state } from "./samples.js";

test("the address names the session, its calls and the token", () => {
  assert.deepEqual(readAddress({ pathname: "/", hash: "" }, null), { session: "main", base: "/api", token: null });
  assert.deepEqual(readAddress({ pathname: "/s/ab12", hash: "#token=t0" }, "old"), { session: "ab12", base: "/api/sessions/ab12", token: "t0" });
  assert.equal(readAddress({ pathname: "/", hash: "" }, "kept").token, "kept");
  assert.equal(watchLink("http://x", "ab12"), "http://x/s/ab12");
  assert.equal(watchLink("http://x", "main"), "http://x/");
  assert.equal(tokenKey("/s/ab12/"), tokenKey("/s/ab12"));
});

test("this machine's own names", () => {
  for (const name of ["localhost", "127.0.0.1", "[::1]", "a.localhost"]) assert.ok(isLoopback(name), name);
  for (const name of ["192.168.1.2", "example.org", "localhost.example.org"]) assert.ok(!isLoopback(name), name);
});

test("a choice becomes what the server is asked for", () => {
  assert.deepEqual(wishOf(AGENT, {}), { player: "mcts", pace: "fixed", intervalSeconds: 0.5 });
  assert.deepEqual(wishOf(AGENT, { player: "rules", pace: "max", budgetMs: 200 }), { player: "rules", pace: "max", budgetMs: 200 });
  assert.equal(paceOf({ ...AGENT, pace: "adaptive" }, {}), "adaptive");
});

test("faster and slower walk the ladder and stop at its ends", () => {
  assert.equal(neighbour("0.5", 1), "0.25");
  assert.equal(neighbour("0.5", -1), "1");
  assert.equal(neighbour("0.05", 1), "max");
  assert.equal(neighbour("max", 1), "max");
  assert.equal(neighbour("max", -1), "0.05");
  assert.equal(neighbour("5", -1), "5");
  assert.deepEqual([neighbour("adaptive", 1), neighbour("adaptive", -1)], ["max", "0.05"]);
  assert.deepEqual([neighbour("0.7", 1), neighbour("0.7", -1)], ["0.5", "1"]);
  assert.deepEqual([neighbour("10", 1), neighbour("10", -1)], ["5", "5"]);
});

test("a pace that is none of ours is shown all the same", () => {
  assert.equal(withCurrent(PACES, "0.7", "s").at(-1).text, "0.7 s");
  assert.equal(withCurrent(PACES, "0.5", "s").length, PACES.length);
});

test("a series is sent with a start, and steering leaves it alone", () => {
  const ten = JSON.stringify({ games: 10 });
  assert.ok(SERIES.some(({ value }) => value === ten));
  assert.deepEqual(wishOf(AGENT, { series: ten }).series, { games: 10 });
  assert.equal("series" in wishOf(AGENT, {}), false);
  assert.equal("series" in wishOf({ ...AGENT, running: true }, { series: ten }), false);
  // What is shown is what is started: the last series, unless another was chosen.
  const last = { ...AGENT, series: { games: 7, untilTile: 4096, played: 7 } };
  const { options, chosen } = seriesOf(last, {});
  assert.equal(options.find(({ value }) => value === chosen).text, "7, until 4096");
  assert.deepEqual(wishOf(last, {}).series, { games: 7, untilTile: 4096 });
  assert.equal("series" in wishOf(last, { series: "" }), false);
  assert.equal(seriesOf({ ...last, running: true }, { series: ten }).chosen, chosen, "the one that runs");
  assert.deepEqual(seriesWish(""), { series: { games: 1 } });
});

test("players are named by the server and marked without doubt", () => {
  assert.equal(titleOf(AGENT, "mcts"), "Tree Search");
  assert.equal(titleOf(AGENT, "unknown"), "unknown");
  assert.equal(markOf(AGENT, "mcts"), "M");
  const both = { ...AGENT, roster: [...AGENT.roster, { name: "minimax", title: "Minimax", available: true }] };
  assert.deepEqual([markOf(both, "mcts"), markOf(both, "minimax")], ["Mc", "Mi"]);
  assert.equal(colourOf(AGENT, "nobody"), "other");
});

test("a move is spoken with its merges, its spawn and the score", () => {
  const sentence = moveSentence(golden("state-after-a-move"));
  assert.equal(sentence, "Left. 2 and 2 made 4. 2 and 2 made 4. 2 and 2 made 4. New 2, row 3 column 3. Score 2,056.");
});

test("the board is read row by row", () => {
  assert.match(boardSentence(state().grid), /^Row 1: 2, 4, empty, empty\. Row 2: empty/);
});

test("a person's moves are spoken, an AI's at most every five seconds or for a new top tile", () => {
  const ai = golden("state-after-a-move");
  const before = { ...ai, seq: ai.seq - 1 };
  assert.equal(sayFor(before, ai, 4_999), null);
  assert.match(sayFor(before, ai, 5_000).text, /Move 214/);
  assert.match(sayFor(before, { ...ai, maxTile: 256 }, 0).text, /New top tile 256/);
  const hand = { ...ai, transition: { ...ai.transition, by: "human" } };
  assert.match(sayFor(before, hand, 0).text, /^Left/);
  assert.equal(sayFor(before, { ...ai, gameOver: true }, 0).urgent, true);
  assert.equal(sayFor(null, hand, 9_999), null);
});

test("a hint names the difference that decides, from the server's measures", () => {
  const hint = golden("reply-hint");
  assert.equal(explain(hint), "Left keeps the corner and sets up 3 merges; Right gives up the corner and sets up 1.");
  const other = { ...hint, decision: { ...hint.decision, move: "RIGHT" } };
  assert.equal(explain(other), "Right gives up the corner; Left keeps the corner.");
  const dear = { ...other, moves: { ...hint.moves, RIGHT: { ...hint.moves.RIGHT, value: 2400 } } };
  assert.equal(explain(dear), "Right is valued higher (2400 against 2302), though: Right gives up the corner; Left keeps the corner.");
  const only = { ...hint, moves: { ...hint.moves, RIGHT: { legal: false } } };
  assert.equal(explain(only), "Left is the only move.");
});

test("tiles are written in full, or short when wished", () => {
  assert.equal(label(131072, false), "131072");
  assert.deepEqual([8192, 16384, 65536, 131072].map((value) => label(value, true)), ["8192", "16K", "65K", "131K"]);
});

test("whatever the storage holds, the settings are valid", () => {
  const plain = { theme: "system", palette: "classic", view: "all", awake: false, motion: "system", labels: "full", letters: true, hold: false, pad: "none" };
  for (const text of [null, "", "{", "null", "[]", '{"theme":"pink","hold":"yes"}']) assert.deepEqual(parseSettings(text), plain);
  assert.equal(parseSettings('{"theme":"dark"}').theme, "dark");
});

test("the cursor walks row first and stops at the edges", () => {
  assert.deepEqual(walk([0, 0], "RIGHT"), [0, 1]);
  assert.deepEqual(walk([0, 0], "DOWN"), [1, 0]);
  assert.deepEqual(walk([0, 0], "UP"), [0, 0]);
  assert.deepEqual(walk([3, 3], "RIGHT"), [3, 3]);
  assert.equal(cellSentence(state().grid, [0, 1]), "row 1 column 2, 4");
  assert.equal(cellSentence(state().grid, [1, 2]), "row 2 column 3, empty");
});

test("boards that are not shown are counted, only where some are missed", () => {
  const fast = createRate();
  for (let i = 0; i <= 50; i += 1) fast.add({ game: "g", moves: i * 8 }, i * 20);
  assert.deepEqual(fast.read(1_000), { shown: 50, played: 400 });
  assert.equal(fast.read(3_000), null);
  const slow = createRate();
  for (let i = 0; i <= 50; i += 1) slow.add({ game: "g", moves: i }, i * 20);
  assert.equal(slow.read(1_000), null);
});
