// What the keeper of the connection has to do now, and when it has to look again; pure, so that time can be a number.
import { FIRST_BYTE_MS, isSilent, phaseOf, SILENCE_MS } from "./link.js";

/** @typedef {import("./link.js").Link} Link */
/** @typedef {"nothing"|"reconnect"|"poll"|"poll-and-reconnect"|"give-up"|"ask-leader"|"take-lead"} Duty */

const POLL_MS = 2_000;
/** A follower that is looked at waits this long for its leader. */
export const IMPATIENT_MS = 2_000;

/**
 * @param {Link} link
 * @param {number} now
 * @param {{leads: boolean, hidden: boolean, polledAt: number, askedAt: number}} tab
 * @returns {Duty}
 */
export function dutyOf(link, now, tab) {
  if (link.verdict === "gone" || link.verdict === "outdated") return "nothing";
  if (!tab.leads) return followerDuty(link, now, tab);
  if (isSilent(link, now)) return "give-up";
  if (link.retryAt !== null && now >= link.retryAt) return link.verdict === "overload" ? "poll-and-reconnect" : "reconnect";
  const late = link.liveSince === null && link.retryAt === null && now - link.startedAt >= FIRST_BYTE_MS;
  return late && now - tab.polledAt >= POLL_MS ? "poll" : "nothing";
}

/** A hidden leader's timers are slow: who is looked at asks it for the lead, and takes it if nothing happens. @param {Link} link @param {number} now @param {{hidden: boolean, askedAt: number}} tab @returns {Duty} */
function followerDuty(link, now, { hidden, askedAt }) {
  const phase = phaseOf(link, now);
  const served = phase === "live" || phase === "polling" || phase === "overload";
  const stuck = served ? isSilent(link, now - IMPATIENT_MS) : now - (link.lostAt ?? link.startedAt) >= IMPATIENT_MS;
  if (!stuck || hidden || now - askedAt < IMPATIENT_MS) return "nothing";
  return now - askedAt < 3 * IMPATIENT_MS ? "take-lead" : "ask-leader";
}

/** How long until the next look. @param {Link} link @param {number} now @param {boolean} leads */
export function sleepMs(link, now, leads) {
  let due = (link.heardAt ?? now) + SILENCE_MS + (leads ? 0 : IMPATIENT_MS);
  if (leads && link.retryAt !== null) due = link.retryAt;
  else if (link.liveSince === null) due = leads ? Math.max(link.startedAt + FIRST_BYTE_MS, now + 500) : now + IMPATIENT_MS;
  return Math.max(due - now, 20);
}
