// Runs in the page: counts, frame by frame, what comes and what is drawn.
"use strict";
window.frames_of = {
  /** How many frames pass in this time. */
  idle: (ms) =>
    new Promise((done) => {
      let frames = 0;
      const begin = performance.now();
      const frame = (now) => {
        frames += 1;
        if (now - begin < ms) requestAnimationFrame(frame);
        else done((1_000 * frames) / (now - begin));
      };
      requestAnimationFrame(frame);
    }),
  /** Watches from now on. */
  watch: () => {
    const seen = { frames: 0, states: 0, draws: 0, mostInAFrame: 0, late: 0, begin: performance.now(), went: true };
    let inFrame = 0;
    let due = 0;
    let game = "";
    const moves = document.getElementById("moves");
    const shown = () => Number(moves.textContent.replaceAll(",", ""));
    hooks.streams.at(-1).addEventListener("message", () => (seen.states += 1));
    new MutationObserver((changes) => {
      seen.draws += changes.length;
      inFrame += changes.length;
    }).observe(moves, { childList: true, characterData: true, subtree: true });
    const frame = () => {
      const newest = hooks.newest();
      // What had come before the last frame began was drawn in it; another game counts from zero.
      if (newest.game === game && shown() < due) seen.late += 1;
      game = newest.game;
      due = newest.moves;
      seen.frames += 1;
      seen.mostInAFrame = Math.max(seen.mostInAFrame, inFrame);
      inFrame = 0;
      if (seen.went) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.frames_of.seen = () => ({ ...seen, perSecond: (1_000 * seen.frames) / (performance.now() - seen.begin) });
  },
};
