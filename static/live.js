// The live regions: one polite, one that interrupts.
import { sayFor } from "./speech.js";

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

  return {
    say,
    /** @param {State} state */
    follow: (state) => {
      const line = sayFor(before, state, Date.now() - saidAt);
      before = state;
      if (line) say(line.text, line.urgent);
    },
  };
}
