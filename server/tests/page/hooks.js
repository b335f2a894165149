// What the tests see of a page from inside: its calls, its streams, its words, its drawing; and a clock to be put ahead.
// The page knows nothing of it.
"use strict";
window.hooks = (() => {
  /** What these elements have said, in order: most of it is gone again after some seconds. */
  const heard = [];
  const last_of = { phase: "", "line-text": "", "line-action": "", polite: "", urgent: "" };
  new MutationObserver(() => {
    for (const id of Object.keys(last_of)) {
      const text = document.getElementById(id)?.textContent ?? "";
      if (text === last_of[id]) continue;
      last_of[id] = text;
      heard.push({ id, text });
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
  let taken = 0;
  /** The next of its texts with this part in it, after what was taken before. */
  function take(id, part) {
    const place = heard.findIndex((one, at) => at >= taken && one.id === id && one.text.includes(part));
    if (place < 0) return null;
    taken = place + 1;
    return heard[place].text;
  }

  const now = Date.now.bind(Date);
  let ahead = 0;
  Date.now = () => now() + ahead;
  /** Lets time pass: whoever looks at a clock from now on sees it. */
  function pass(ms) {
    ahead += ms;
    document.dispatchEvent(new Event("visibilitychange"));
  }

  const calls = { sent: 0, flying: 0, most: 0, open: 0, paths: [] };
  const send = window.fetch.bind(window);
  window.fetch = async (path, how) => {
    const counts = String(path).endsWith("/move");
    calls.paths.push(path);
    calls.open += 1;
    if (counts) {
      calls.sent += 1;
      calls.flying += 1;
      calls.most = Math.max(calls.most, calls.flying);
    }
    try {
      return await send(path, how);
    } finally {
      calls.open -= 1;
      if (counts) calls.flying -= 1;
    }
  };

  const streams = [];
  let last = null;
  let heardAt = 0;
  window.EventSource = class extends EventSource {
    constructor(...how) {
      super(...how);
      streams.push(this);
      this.addEventListener("message", (event) => {
        last = JSON.parse(event.data);
        heardAt = performance.now();
      });
    }
  };

  /** The board as it is told, the board as it is drawn, the score and the number of moves. */
  function board() {
    const number = (id) => Number(document.getElementById(id).textContent.replaceAll(",", ""));
    const told = [...document.querySelectorAll("#table [role=row]")].map((row) =>
      [...row.querySelectorAll("[role=cell]")].map((cell) => Number(cell.textContent) || 0),
    );
    return [told, drawn(document.getElementById("tiles")), number("score"), number("moves")];
  }

  /** What stands where, by the places that the tiles have on the screen. */
  function drawn(layer) {
    const grid = Array.from({ length: 4 }, () => [0, 0, 0, 0]);
    const { left, top, width, height } = layer.getBoundingClientRect();
    for (const tile of layer.children) {
      const box = tile.getBoundingClientRect();
      const column = Math.floor((4 * (box.left + box.width / 2 - left)) / width);
      const row = Math.floor((4 * (box.top + box.height / 2 - top)) / height);
      if (!grid[row] || grid[row][column] !== 0) return `two tiles on row ${row}, column ${column}`;
      grid[row][column] = Number(tile.firstElementChild.textContent);
    }
    return grid;
  }

  /** Hands the page a state as the server might send it: the newest one, changed. */
  function push(change) {
    const next = { ...last, ...change, seq: last.seq + 1 };
    last = next;
    streams.at(-1).dispatchEvent(new MessageEvent("message", { data: JSON.stringify(next) }));
  }

  /** Hands the page a named event. */
  function say(name, data) {
    streams.at(-1).dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  const quiet = () => performance.now() - heardAt;
  return { heard, take, pass, say, calls, streams, board, drawn, push, newest: () => last, quiet };
})();
