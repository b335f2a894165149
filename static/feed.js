// Keeps this tab fed: leads and holds the stream, or follows the tab that does; reconnects, polls, hands over.
import { dutyOf, sleepMs } from "./due.js";
import { followPage } from "./lifecycle.js";
import { newLink, stepLink } from "./link.js";
import { openStream } from "./stream.js";
import { joinTabs } from "./tabs.js";

/** @typedef {import("./link.js").LinkEvent} LinkEvent */

const OVERLOAD_CHECK_MS = 5_000;

/**
 * @param {object} deps
 * @param {import("./api.js").Api} deps.api
 * @param {() => number} deps.seq  The position this tab holds; -1 for none.
 * @param {(link: import("./link.js").Link) => void} deps.onLink
 * @param {(text: string) => void} deps.onState  One state as JSON text.
 * @param {(count: number) => void} deps.onWatchers
 * @param {(text: string) => void} deps.onNote
 */
export function createFeed({ api, seq, onLink, onState, onWatchers, onNote }) {
  let link = newLink(Date.now(), navigator.onLine);
  /** @type {{close: () => void}|null} */
  let stream = null;
  /** @type {import("./tabs.js").Tabs|null} */
  let tabs = null;
  let lastText = "";
  let askedAt = 0;
  let polledAt = 0;
  let timer = 0;

  /** @param {LinkEvent} event */
  function apply(event) {
    link = stepLink(link, event, Date.now());
    onLink(link);
    sleep();
  }

  /** What the leader learns of the connection, the others learn from it. @param {LinkEvent} event */
  function share(event) {
    tabs?.send({ kind: "link", event });
    apply(event);
  }

  /** What the stream brings, by kind; the same for a leader and for those it passes it on to. @type {Record<string, (value: any) => void>} */
  const heard = {
    state: (text) => {
      lastText = text;
      apply({ type: "heard" });
      onState(text);
    },
    polled: onState,
    watchers: onWatchers,
    note: onNote,
  };

  /** @param {string} kind @param {string|number} value */
  function pass(kind, value) {
    tabs?.send({ kind, value });
    heard[kind]?.(value);
  }

  function connect() {
    stream?.close();
    share({ type: "trying" });
    stream = openStream(api.eventsUrl, {
      onState: (text) => pass("state", text),
      onHeartbeat: (theirs) => {
        if (theirs > seq()) connect();
        else share({ type: "heard" });
      },
      onWatchers: (count) => pass("watchers", count),
      onNote: (text) => pass("note", text),
      onBye: ({ reason, retryMs }) => {
        if (reason === "overload") share({ type: "overload", retryMs: OVERLOAD_CHECK_MS });
        else if (reason === "closed" || reason === "revoked") share({ type: "gone" });
        else lose(retryMs);
      },
      onError: (refused) => {
        lose(0);
        if (refused) void poll();
      },
    });
  }

  /** @param {number} retryMs */
  function lose(retryMs) {
    stream?.close();
    share({ type: "lost", jitter: Math.random() * 2 - 1, retryMs });
  }

  async function poll() {
    polledAt = Date.now();
    const answer = await api.state();
    if (answer.status === 404) return share({ type: "gone" });
    if (answer.status !== 200 || link.liveSince !== null) return;
    if (link.verdict !== "overload" && link.lostAt === null) share({ type: "polled" });
    pass("polled", JSON.stringify(answer.body));
  }

  function check() {
    if (!tabs) return;
    const duty = dutyOf(link, Date.now(), { leads: tabs.leads(), hidden: document.hidden, polledAt, askedAt });
    if (duty === "ask-leader" || duty === "take-lead") askedAt = Date.now();
    if (duty === "ask-leader") tabs.send({ kind: "want" });
    if (duty === "take-lead") tabs.takeLead();
    if (duty === "give-up") lose(0);
    if (duty === "poll" || duty === "poll-and-reconnect") void poll();
    if (duty === "reconnect" || duty === "poll-and-reconnect") connect();
    sleep();
  }

  function sleep() {
    clearTimeout(timer);
    if (tabs) timer = setTimeout(check, sleepMs(link, Date.now(), tabs.leads()));
  }

  /** @param {any} message */
  function onMessage(message) {
    if (tabs?.leads()) return lead(message);
    if (message.kind === "link") apply(message.event);
    else if (message.kind === "sync" && message.text) {
      link = message.link;
      onLink(link);
      sleep();
      onState((lastText = message.text));
    } else heard[message.kind]?.(message.value);
  }

  /** What the others ask of the leader. @param {any} message */
  function lead(message) {
    if (message.kind === "hello") tabs?.send({ kind: "sync", link, text: lastText });
    else if (message.kind === "want" && document.hidden) tabs?.yieldLead();
    else if (message.kind === "retry") retry();
  }

  function retry() {
    if (!tabs?.leads()) return tabs?.send({ kind: "retry" });
    share({ type: "retry-now" });
    connect();
  }

  function start() {
    tabs = joinTabs(`serve2048/1${api.eventsUrl}`, { onLead: connect, onLose: () => stream?.close(), onMessage });
    tabs.send({ kind: "hello" });
    sleep();
  }

  function stop() {
    clearTimeout(timer);
    stream?.close();
    tabs?.leave();
    tabs = null;
  }

  followPage({ start, stop, check, onNetwork: (online) => apply({ type: "network", online }) });
  return { start, retry, outdated: () => apply({ type: "outdated" }) };
}
