import assert from "node:assert/strict";
import test from "node:test";

// A browser with one tab and no locks, and a clock that the test turns.
let now = 0;
let timers = [];
const page = new EventTarget();
Date.now = () => now;
globalThis.setTimeout = (act, ms) => (timers.push({ at: now + ms, act }), timers.length);
globalThis.clearTimeout = () => (timers = []);
globalThis.addEventListener = (name, act) => page.addEventListener(name, act);
globalThis.document = Object.assign(new EventTarget(), { hidden: false });
Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });

/** Every stream that was opened, newest last. */
let streams = [];
class FakeSource extends EventTarget {
  static CLOSED = 2;
  constructor(url) {
    super();
    Object.assign(this, { url, readyState: 0, open: true });
    streams.push(this);
  }
  close() {
    this.open = false;
    this.readyState = 2;
  }
  state(value) {
    this.onmessage({ data: JSON.stringify(value) });
  }
  named(name, value) {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(value) }));
  }
}
globalThis.EventSource = FakeSource;
const { createFeed } = await import("../feed.js");
const { phaseOf } = await import("../link.js");

/** A feed that has just been started, and what it told. */
async function started(answer = { status: 200, body: { seq: 9 } }) {
  now = 1_000_000;
  timers = [];
  streams = [];
  const told = { states: [], polls: 0, link: null, seq: -1 };
  const feed = createFeed({
    api: { eventsUrl: "/api/events", state: async () => ((told.polls += 1), answer) },
    seq: () => told.seq,
    onLink: (link) => (told.link = link),
    onState: (text) => {
      const state = JSON.parse(text);
      told.states.push(state);
      told.seq = state.seq;
    },
    onWatchers: () => {},
    onNote: () => {},
  });
  feed.start();
  await settled();
  return { feed, told, phase: () => phaseOf(told.link, now) };
}

const settled = () => new Promise((done) => setImmediate(done));
const newest = () => streams[streams.length - 1];
async function pass(ms) {
  const end = now + ms;
  for (let due = timers[0]; due && due.at <= end; due = timers[0]) {
    now = Math.max(now, due.at);
    timers = [];
    due.act();
    await settled();
  }
  now = end;
}

test("one stream is opened and its states are passed on", async () => {
  const { told, phase } = await started();
  assert.equal(streams.length, 1);
  newest().state({ seq: 5 });
  assert.deepEqual(told.states, [{ seq: 5 }]);
  assert.equal(phase(), "live");
});

test("a stream that breaks is opened again after half a second, give or take a fifth", async () => {
  const { phase } = await started();
  newest().state({ seq: 5 });
  newest().onerror();
  assert.equal(phase(), "reconnecting");
  assert.equal(streams[0].open, false);
  await pass(390);
  assert.equal(streams.length, 1);
  await pass(220);
  assert.equal(streams.length, 2);
  newest().state({ seq: 6 });
  assert.equal(phase(), "live");
});

test("a heartbeat with a position that is not held opens the stream again at once", async () => {
  await started();
  newest().state({ seq: 5 });
  newest().named("hb", { seq: 5 });
  assert.equal(streams.length, 1);
  newest().named("hb", { seq: 6 });
  assert.equal(streams.length, 2);
  assert.equal(streams[0].open, false);
});

test("forty seconds without a word end the stream", async () => {
  const { phase } = await started();
  newest().state({ seq: 5 });
  await pass(39_000);
  assert.equal(phase(), "live");
  await pass(1_100);
  assert.equal(phase(), "reconnecting");
});

test("heartbeats keep it alive", async () => {
  const { phase } = await started();
  newest().state({ seq: 5 });
  for (let i = 0; i < 6; i += 1) {
    await pass(15_000);
    newest().named("hb", { seq: 5 });
  }
  assert.equal(phase(), "live");
  assert.equal(streams.length, 1);
});

test("a server that says goodbye is asked again when it said", async () => {
  await started();
  newest().state({ seq: 5 });
  newest().named("bye", { reason: "shutdown", retryMs: 2_500 });
  await pass(2_400);
  assert.equal(streams.length, 1);
  await pass(200);
  assert.equal(streams.length, 2);
});

test("a full server is polled every five seconds", async () => {
  const { told, phase } = await started();
  newest().named("bye", { reason: "overload", retryMs: 1_000 });
  assert.equal(phase(), "overload");
  await pass(5_100);
  assert.equal(told.polls, 1);
  assert.deepEqual(told.states, [{ seq: 9 }]);
  assert.equal(streams.length, 2);
});

test("a stream without a first word is helped out by polling", async () => {
  const { told, phase } = await started();
  await pass(4_900);
  assert.equal(told.polls, 0);
  await pass(200);
  assert.equal(told.polls, 1);
  assert.equal(phase(), "polling");
  await pass(2_100);
  assert.equal(told.polls, 2);
});

test("a closed session is not asked again", async () => {
  const { phase } = await started();
  newest().state({ seq: 5 });
  newest().named("bye", { reason: "closed", retryMs: 0 });
  await pass(60_000);
  assert.equal(phase(), "gone");
  assert.equal(streams.length, 1);
});

test("a session that never was is found out and left alone", async () => {
  const { phase } = await started({ status: 404, body: { detail: "no such session" } });
  newest().close();
  newest().onerror();
  await settled();
  assert.equal(phase(), "gone");
});

test("try now does not wait", async () => {
  const { feed } = await started();
  newest().onerror();
  feed.retry();
  assert.equal(streams.length, 2);
});

test("a page that comes back from the history opens a stream of its own", async () => {
  await started();
  page.dispatchEvent(new Event("pagehide"));
  assert.ok(streams.every((stream) => !stream.open));
  const before = streams.length;
  page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  await settled();
  assert.ok(streams.length > before);
});
