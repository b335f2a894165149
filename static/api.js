// The calls of the server: one function each, every outcome a value.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Direction} Direction */
/** @typedef {import("./shapes.js").Answer} Answer */
/** @typedef {import("./shapes.js").Api} Api */

/** How long a call may take: a step or a hint may think for a minute. */
const SHORT_MS = 10_000;
const LONG_MS = 90_000;

/**
 * @param {import("./address.js").Address} address
 * @param {typeof fetch} [send]
 * @returns {Api}
 */
export function createApi(address, send = globalThis.fetch.bind(globalThis)) {
  /**
   * @param {"GET"|"POST"|"DELETE"} method
   * @param {string} path
   * @param {object|string} [body]  A string is sent as it is.
   * @param {number} [limitMs]
   * @param {string|null} [token]
   * @returns {Promise<Answer>}
   */
  async function call(method, path, body, limitMs = SHORT_MS, token = address.token) {
    /** @type {Record<string, string>} */
    const headers = {};
    if (body) headers["Content-Type"] = "application/json";
    if (token) headers["Authorization"] = `Bearer ${token}`;
    try {
      const reply = await send(path, {
        method,
        headers,
        body: !body || typeof body === "string" ? (body ?? null) : JSON.stringify(body),
        // Nothing is kept but past boards, which the server marks as never changing.
        cache: path.includes("/at/") ? "default" : "no-store",
        signal: AbortSignal.timeout(limitMs),
      });
      return { status: reply.status, body: await reply.json().catch(() => null) };
    } catch {
      return { status: 0, body: null };
    }
  }

  /** @param {string} path @param {object} [body] @param {number} [limitMs] */
  const post = (path, body, limitMs) => call("POST", address.base + path, body, limitMs);

  return {
    eventsUrl: `${address.base}/events`,
    state: () => call("GET", `${address.base}/state`),
    move: (move) => post("/move", move),
    newGame: (wish = {}) => post("/new", { ...wish, commandId: commandId() }),
    start: (wish) => post("/agent/start", { ...wish, commandId: commandId() }),
    stop: () => post("/agent/stop", { commandId: commandId() }),
    step: (wish) => post("/agent/step", { ...wish, commandId: commandId() }, LONG_MS),
    hint: (wish) => post("/hint", wish, LONG_MS),
    game: (game) => call("GET", `/api/games/${game}`),
    at: (game, n) => call("GET", `/api/games/${game}/at/${n}`),
    transcript: (limit) => call("GET", `${address.base}/transcript?limit=${limit}`),
    moves: (game, from, to) => call("GET", `/api/games/${game}/moves?from=${from}&to=${to}`),
    games: (query) => {
      const where = address.session ? `/api/games?session=${encodeURIComponent(address.session)}&` : `${address.base}/games?`;
      return call("GET", where + new URLSearchParams(query));
    },
    giveLink: () => post("/links"),
    revokeLinks: () => call("DELETE", `${address.base}/links`),
    importGame: (text) => call("POST", `${address.base}/games/import`, text, LONG_MS),
    version: () => call("GET", "/api/version"),
    sessions: (operator) => call("GET", "/api/sessions?limit=50", undefined, SHORT_MS, operator),
    createSession: (wish, operator) => call("POST", "/api/sessions", wish, SHORT_MS, operator),
    byLink: (link) => createApi({ session: "", base: `/api/watch/${link}`, token: null }, send),
    inSession: (session, token) => createApi({ session, base: `/api/sessions/${encodeURIComponent(session)}`, token }, send),
  };
}

/** A name for one command, so that sending it twice does it once. `randomUUID` is missing on plain HTTP off loopback. */
export function commandId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
