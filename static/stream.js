// One server-sent-events connection: named events in, callbacks out; it never reconnects by itself.

/** @typedef {import("./shapes.js").StreamHandlers} StreamHandlers */

/**
 * @param {string} url
 * @param {StreamHandlers} on
 * @returns {{close: () => void}}
 */
export function openStream(url, on) {
  const source = new EventSource(url);
  source.onmessage = (event) => on.onState(event.data);
  listen(source, "hb", (data) => on.onHeartbeat(Number(data.seq)));
  listen(source, "watchers", (data) => on.onWatchers(Number(data.count)));
  listen(source, "note", (data) => on.onNote(String(data.text)));
  listen(source, "bye", (data) => {
    source.close();
    on.onBye({ reason: String(data.reason), retryMs: Number(data.retryMs) || 0 });
  });
  source.onerror = () => {
    const refused = source.readyState === EventSource.CLOSED;
    source.close();
    on.onError(refused);
  };
  return { close: () => source.close() };
}

/**
 * @param {EventSource} source
 * @param {string} name
 * @param {(data: any) => void} use
 */
function listen(source, name, use) {
  source.addEventListener(name, (event) => use(JSON.parse(/** @type {MessageEvent} */ (event).data)));
}
