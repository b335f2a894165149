// The live regions: one polite, one that interrupts.
import { sayFor } from "./speech.js";
import { T } from "./texts.js";

/** @typedef {import("./types.js").State} State */

/** @param {HTMLElement} polite @param {HTMLElement} urgent */
export function createSpeaker(polite, urgent) {
  /** @type {State|null} */
  let before = null;
  let saidAt = 0;

  /** @param {string} text @param {boolean} [isUrgent] */
  function say(text, isUrgent = false) {
    saidAt = Date.now();
    const region = isUrgent ? urgent : polite;
    // The same text twice is heard twice only if the node changes.
    region.replaceChildren(document.createTextNode(text));
  }

  /** What was last said of the page, as against the game. @type {import("./types.js").Notice|null} */
  let said = null;
  let saidReason = "";
  let wasOffline = false;

  return {
    say,
    /** Notices and the first of equal fallbacks are spoken once; an unreachable server interrupts. @param {import("./model.js").Model} model @param {import("./link.js").Phase} phase */
    announce: ({ notice, fallback }, phase) => {
      if (notice && notice !== said) say(notice.text);
      said = notice;
      if (fallback.reason && fallback.reason !== saidReason) say(T.fellBack(fallback.reason));
      saidReason = fallback.reason;
      if (phase === "offline" && !wasOffline) say(T.notReachable(null), true);
      wasOffline = phase === "offline";
    },
    /** @param {State} state */
    follow: (state) => {
      const line = sayFor(before, state, Date.now() - saidAt);
      before = state;
      if (line) say(line.text, line.urgent);
    },
  };
}
