// Which of this browser's tabs holds the stream: a lock elects one, a channel carries what it hears to the others.

/** @typedef {import("./shapes.js").Tabs} Tabs */

/**
 * Without Web Locks (plain HTTP away from loopback, old browsers) each tab leads for itself and the channel is not used.
 * @param {string} name
 * @param {{onLead: () => void, onLose: () => void, onMessage: (message: any) => void}} on
 * @returns {Tabs}
 */
export function joinTabs(name, on) {
  if (!("locks" in navigator) || !("BroadcastChannel" in globalThis)) return alone(on);
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event) => on.onMessage(event.data);
  let left = false;
  /** @type {(() => void)|null} */
  let release = null;
  /** @type {AbortController} */
  let waiting = new AbortController();

  /** The lock is held for as long as this promise is open; the browser frees it when the tab dies. */
  const hold = () =>
    new Promise((/** @type {(value?: undefined) => void} */ done) => {
      if (left) return done();
      release = () => done();
      on.onLead();
    });

  /** @param {boolean} steal */
  function queue(steal) {
    waiting = new AbortController();
    const options = steal ? { steal } : { signal: waiting.signal };
    navigator.locks.request(name, options, hold).catch(() => {
      // Stolen or aborted. Stolen: another tab leads now, so stand in line again.
      if (release) lose();
    });
  }

  function lose() {
    release = null;
    on.onLose();
    if (!left) queue(false);
  }

  queue(false);
  return {
    send: (message) => {
      if (!left) channel.postMessage(message);
    },
    leads: () => release !== null,
    yieldLead: () => {
      const done = release;
      if (!done) return;
      release = null;
      on.onLose();
      done();
      queue(false);
    },
    takeLead: () => {
      if (release || left) return;
      waiting.abort();
      queue(true);
    },
    leave: () => {
      left = true;
      waiting.abort();
      release?.();
      release = null;
      channel.close();
    },
  };
}

/** @param {{onLead: () => void}} on @returns {Tabs} */
function alone(on) {
  queueMicrotask(on.onLead);
  return { send: () => {}, leads: () => true, yieldLead: () => {}, takeLead: () => {}, leave: () => {} };
}
