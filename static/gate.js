// The viewer's own pace: of an AI's boards only so many are let through as the viewer wishes, always the newest.

/** @typedef {import("./types.js").State} State */

/**
 * @param {() => number} everyMs  The least time between two boards of an AI; 0: all of them.
 * @param {(state: State) => void} deliver
 */
export function createGate(everyMs, deliver) {
  /** @type {State|null} */
  let held = null;
  let passedAt = -Infinity;
  let timer = 0;
  let newest = -1;

  function open() {
    clearTimeout(timer);
    timer = 0;
    const state = held;
    held = null;
    passedAt = Date.now();
    if (state) deliver(state);
  }

  return {
    /** The position of the newest state, let through or not. */
    seq: () => newest,
    /** @param {State} state */
    pass: (state) => {
      held = state;
      newest = state.seq;
      const wait = passedAt + everyMs() - Date.now();
      // A person's moves are never held back, nor is the end of a game.
      if (!state.agent.running || everyMs() === 0 || wait <= 0) open();
      else timer ||= setTimeout(open, wait);
    },
  };
}
