import assert from "node:assert/strict";
import test from "node:test";
import { dutyOf, sleepMs } from "../due.js";
import { backoffMs, canSend, isSilent, newLink, phaseOf, stepLink } from "../link.js";

const after = (events, link = newLink(0, true)) => events.reduce((held, [event, at]) => stepLink(held, event, at), link);
const heard = { type: "heard" };
const lost = { type: "lost", jitter: 0 };
const leader = { leads: true, hidden: false, polledAt: 0, askedAt: 0 };
const follower = { ...leader, leads: false };

test("connecting, then live with the first thing heard", () => {
  assert.equal(phaseOf(newLink(0, true), 10), "connecting");
  assert.equal(phaseOf(after([[heard, 50]]), 60), "live");
});

test("a lost stream reconnects; after half a minute it is offline; the first word brings it back", () => {
  const link = after([[heard, 0], [lost, 1_000]]);
  assert.equal(phaseOf(link, 1_100), "reconnecting");
  assert.equal(phaseOf(link, 31_000), "offline");
  assert.equal(phaseOf(stepLink(link, heard, 32_000), 32_001), "live");
});

test("half a minute without success counts from the loss, not from the last attempt", () => {
  const link = after([[heard, 0], [lost, 1_000], [{ type: "trying" }, 5_000], [lost, 5_100], [lost, 20_000]]);
  assert.equal(phaseOf(link, 30_999), "reconnecting");
  assert.equal(phaseOf(link, 31_000), "offline");
});

test("waits grow from half a second to ten, by up to a fifth either way", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 99].map((n) => backoffMs(n, 0)), [500, 1000, 2000, 4000, 8000, 10000, 10000, 10000]);
  assert.equal(backoffMs(1, 1), 600);
  assert.equal(backoffMs(1, -1), 400);
});

test("the waits start over after half a minute of being live, not sooner", () => {
  const flaky = after([[lost, 0], [heard, 1_000], [lost, 2_000]]);
  assert.equal(flaky.failures, 2);
  const steady = after([[lost, 0], [lost, 1_000], [heard, 2_000], [lost, 40_000]]);
  assert.equal(steady.failures, 1);
});

test("a server that says when to come back is not asked sooner", () => {
  const link = after([[heard, 0], [{ ...lost, retryMs: 3_000 }, 10]]);
  assert.equal(link.retryAt, 3_010);
});

test("no network is offline at once, unless the stream lives all the same (loopback)", () => {
  assert.equal(phaseOf(after([[{ type: "network", online: false }, 5]]), 6), "offline");
  assert.equal(phaseOf(after([[heard, 1], [{ type: "network", online: false }, 5]]), 6), "live");
});

test("a network that is back is tried at once", () => {
  const down = after([[heard, 0], [lost, 10], [lost, 20], [{ type: "network", online: false }, 30]]);
  assert.equal(stepLink(down, { type: "network", online: true }, 100).retryAt, 100);
});

test("forty seconds of silence end a stream", () => {
  const link = after([[heard, 0], [heard, 15_000]]);
  assert.equal(isSilent(link, 54_999), false);
  assert.equal(isSilent(link, 55_000), true);
  assert.equal(dutyOf(link, 55_000, leader), "give-up");
});

test("a full server is asked every five seconds and can still be played", () => {
  const link = after([[{ type: "overload", retryMs: 5_000 }, 100]]);
  assert.equal(phaseOf(link, 200), "overload");
  assert.ok(canSend("overload"));
  assert.equal(dutyOf(link, 5_099, leader), "nothing");
  assert.equal(dutyOf(link, 5_100, leader), "poll-and-reconnect");
  assert.equal(phaseOf(stepLink(link, heard, 6_000), 6_001), "live");
});

test("a stream that says nothing for five seconds is helped out by polling", () => {
  const link = after([[{ type: "trying" }, 0]]);
  assert.equal(dutyOf(link, 4_999, leader), "nothing");
  assert.equal(dutyOf(link, 5_000, leader), "poll");
  assert.equal(dutyOf(link, 6_000, { ...leader, polledAt: 5_000 }), "nothing");
  assert.equal(phaseOf(stepLink(link, { type: "polled" }, 5_100), 5_101), "polling");
});

test("an outdated page and a closed session stay so, and do nothing", () => {
  for (const type of ["outdated", "gone"]) {
    const link = after([[heard, 0], [{ type }, 10]]);
    assert.equal(phaseOf(link, 99_999), type);
    assert.equal(dutyOf(link, 99_999, leader), "nothing");
    assert.ok(!canSend(type));
  }
});

test("nothing is sent while the connection is down", () => {
  assert.deepEqual(["connecting", "reconnecting", "offline"].map(canSend), [false, false, false]);
  assert.deepEqual(["live", "polling"].map(canSend), [true, true]);
});

test("a follower that is looked at asks a slow leader, then takes over; a hidden one waits", () => {
  const link = after([[heard, 0], [lost, 10_000]]);
  assert.equal(dutyOf(link, 11_000, follower), "nothing");
  assert.equal(dutyOf(link, 12_000, follower), "ask-leader");
  assert.equal(dutyOf(link, 12_000, { ...follower, hidden: true }), "nothing");
  assert.equal(dutyOf(link, 13_000, { ...follower, askedAt: 12_000 }), "nothing");
  assert.equal(dutyOf(link, 14_100, { ...follower, askedAt: 12_000 }), "take-lead");
  assert.equal(dutyOf(after([[heard, 0]]), 30_000, follower), "nothing");
});

test("it sleeps until the next thing is due", () => {
  assert.equal(sleepMs(after([[heard, 0]]), 1_000, true), 39_000);
  assert.equal(sleepMs(after([[heard, 0], [lost, 1_000]]), 1_100, true), 400);
  assert.equal(sleepMs(after([[heard, 0], [lost, 1_000]]), 9_000, true), 20);
  assert.equal(sleepMs(after([[{ type: "trying" }, 0]]), 1_000, true), 4_000);
});
