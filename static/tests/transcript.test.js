import assert from "node:assert/strict";
import test from "node:test";
import { factsOf, noteOf, text } from "../transcript.js";

const spending = { session: 12, sessionBudget: 5000, day: 1300, dayBudget: 50000 };
const exchange = {
  at: "", game: "g", move_number: 7, outcome: "played UP", request_id: null, attempts: 1, latency_ms: 248,
  sent: { questions: { move: { criteria: { UP: "a", LEFT: "b", DOWN: "c" } } } },
  received: { model: "jev-1.13.0", choice: "UP", confidence: 0.714, estimated_cost_usd: 0.000063 },
};

test("what was spent is told, and that it is all", () => {
  const used = "Requests: 12 of 5,000 in this session, 1,300 of 50,000 today.";
  assert.deepEqual(noteOf({ on: true, spending, items: [1] }), { text: used, spent: false });
  const all = noteOf({ on: true, spending: { ...spending, session: 5000 }, items: [1] });
  assert.deepEqual(all, { text: "Requests: 5,000 of 5,000 in this session, 1,300 of 50,000 today. Nothing more is asked.", spent: true });
  assert.equal(noteOf({ on: true, spending: { ...spending, day: 50000 }, items: [1] }).spent, true);
});

test("an empty list is never without a word", () => {
  assert.match(noteOf({ on: true, spending, items: [] }).text, /^Nothing has been asked yet\. Requests/);
  assert.equal(noteOf({ on: false, spending: null, items: [] }).text, "This server was started without a transcript.");
});

test("the facts of an exchange are those it has", () => {
  assert.equal(factsOf(exchange), "71 % sure of 3 moves \u00b7 248 ms \u00b7 jev-1.13.0 \u00b7 $0.000063");
  assert.equal(factsOf({ ...exchange, received: null, attempts: 3 }), "3 requests \u00b7 248 ms");
  assert.equal(factsOf({ ...exchange, received: null, sent: null, attempts: 0 }), "");
});

test("a board reads as its rows", () => {
  const shown = text({ grid: [[2, null], [4, 8]], recent: [], say: "[1, 2]" });
  assert.ok(shown.includes("[2, null],\n") && shown.includes('"recent": []') && shown.includes('"say": "[1, 2]"'), shown);
});
