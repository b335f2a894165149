// Where this page is: which session, where its calls go, and the control token, if it was given one.

/** @typedef {{session: string, base: string, token: string|null}} Address  By a link to watch, the session has no name here. */

/**
 * @param {{pathname: string, hash: string}} location
 * @param {string|null} kept  The token this tab kept from an earlier load.
 * @returns {Address}
 */
export function readAddress(location, kept) {
  const link = /^\/w\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  if (link) return { session: "", base: `/api/watch/${link}`, token: null };
  const found = /^\/s\/([^/]+)\/?$/.exec(location.pathname);
  const session = found?.[1] ? decodeURIComponent(found[1]) : "main";
  const base = found ? `/api/sessions/${encodeURIComponent(session)}` : "/api";
  return { session, base, token: tokenIn(location.hash) ?? kept };
}

/**
 * The fragment is never sent to a server, so a token in it is in no log.
 * @param {string} hash
 * @returns {string|null}
 */
export function tokenIn(hash) {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") || null;
}

/**
 * Reads the address once, keeps the token for reloads of this tab, and takes it out of the visible address so that
 * copying the address bar hands out a link to watch, not the control of the game.
 * @param {Window} page
 * @returns {Address}
 */
export function takeAddress(page) {
  const key = tokenKey(page.location.pathname);
  const address = readAddress(page.location, attempt(() => page.sessionStorage.getItem(key)));
  if (tokenIn(page.location.hash)) {
    attempt(() => page.sessionStorage.setItem(key, address.token ?? ""));
    page.history.replaceState(page.history.state, "", page.location.pathname + page.location.search);
  }
  return address;
}

/** Where a tab keeps the control token of the session at this path. @param {string} path */
export const tokenKey = (path) => `control:${path.replace(/\/$/, "") || "/"}`;

/** Where a tab keeps the players of a race that it has yet to start. @param {string[]} ids */
export const raceKey = (ids) => `race:${ids.join(",")}`;

/**
 * The link that lets somebody watch.
 * @param {string} origin
 * @param {string} session
 */
export function watchLink(origin, session) {
  return session === "main" ? `${origin}/` : `${origin}/s/${encodeURIComponent(session)}`;
}

/**
 * Does a host name belong to this machine alone?
 * @param {string} hostname
 */
export function isLoopback(hostname) {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127\./.test(hostname);
}

/**
 * Storage may be blocked or full; that is never a reason to fail.
 * @template T
 * @param {() => T} use
 * @returns {T|null}
 */
export function attempt(use) {
  try {
    return use();
  } catch {
    return null;
  }
}
