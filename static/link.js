// What is known about the connection, and which state of it that makes; no clock and no network of its own.

/** @typedef {import("./shapes.js").Phase} Phase */
/** @typedef {import("./shapes.js").Link} Link */
/** @typedef {import("./shapes.js").LinkEvent} LinkEvent */

/** Heartbeats come every 15 s: after this long without a byte the stream is taken for dead. */
export const SILENCE_MS = 40_000;
/** A stream that has not said anything after this long is helped out by polling. */
export const FIRST_BYTE_MS = 5_000;
export const OFFLINE_AFTER_MS = 30_000;
const STEADY_MS = 30_000;
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000, 10_000];

/** @param {number} now @param {boolean} online @returns {Link} */
export function newLink(now, online) {
  return {
    startedAt: now, heardAt: null, liveSince: null, lostAt: null, retryAt: null, failures: 0, online, polling: false,
    verdict: "none",
  };
}

/**
 * @param {number} failures  How many in a row, this one included.
 * @param {number} jitter  -1 to 1; moves the wait by up to a fifth.
 */
export function backoffMs(failures, jitter) {
  const base = BACKOFF_MS[Math.min(Math.max(failures, 1), BACKOFF_MS.length) - 1] ?? 10_000;
  return Math.round(base * (1 + 0.2 * jitter));
}

/** @param {Link} link @param {LinkEvent} event @param {number} now @returns {Link} */
export function stepLink(link, event, now) {
  switch (event.type) {
    case "heard": {
      const liveSince = link.liveSince ?? now;
      const failures = now - liveSince >= STEADY_MS ? 0 : link.failures;
      const verdict = link.verdict === "overload" ? "none" : link.verdict;
      return { ...link, heardAt: now, liveSince, lostAt: null, retryAt: null, failures, polling: false, verdict };
    }
    case "lost": {
      const failures = (steady(link, now) ? 0 : link.failures) + 1;
      const wait = Math.max(backoffMs(failures, event.jitter), event.retryMs ?? 0);
      return { ...link, lostAt: link.lostAt ?? now, liveSince: null, retryAt: now + wait, failures };
    }
    case "overload":
      return { ...link, verdict: "overload", liveSince: null, lostAt: null, retryAt: now + event.retryMs };
    case "trying":
      return { ...link, retryAt: null, startedAt: now };
    case "polled":
      return { ...link, heardAt: now, lostAt: null, polling: true };
    case "network":
      return { ...link, online: event.online, retryAt: event.online && link.lostAt !== null ? now : link.retryAt };
    case "retry-now":
      return { ...link, retryAt: now, failures: 0 };
    case "outdated":
    case "gone":
      return { ...link, verdict: event.type, liveSince: null, retryAt: null };
  }
}

/** @param {Link} link @param {number} now */
const steady = (link, now) => link.liveSince !== null && now - link.liveSince >= STEADY_MS;

/** @param {Link} link @param {number} now @returns {Phase} */
export function phaseOf(link, now) {
  if (link.verdict === "outdated" || link.verdict === "gone") return link.verdict;
  if (!link.online && link.liveSince === null) return "offline";
  if (link.verdict === "overload") return "overload";
  if (link.lostAt === null) {
    if (link.liveSince !== null) return "live";
    return link.polling ? "polling" : "connecting";
  }
  return now - link.lostAt >= OFFLINE_AFTER_MS ? "offline" : "reconnecting";
}

/** May a command be sent in this state? @param {Phase} phase */
export const canSend = (phase) => phase === "live" || phase === "polling" || phase === "overload";

/** When has the stream been silent for too long? @param {Link} link @param {number} now */
export const isSilent = (link, now) => link.liveSince !== null && now - (link.heardAt ?? link.liveSince) >= SILENCE_MS;
