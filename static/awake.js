// Keeps the screen on while an AI plays, for those who asked for it.

/** @type {WakeLockSentinel|null} */
let lock = null;
let asking = false;

/** @param {boolean} wanted */
export async function keepAwake(wanted) {
  if (!wanted) {
    await lock?.release();
    lock = null;
  } else if (!asking && (lock === null || lock.released) && !document.hidden) {
    asking = true;
    // A browser may refuse, to save its battery; the page is none the worse for it.
    lock = await navigator.wakeLock?.request("screen").catch(() => null) ?? null;
    asking = false;
  }
}
