// Every English sentence of the page, so that a second language is a second file like this one.

/** @typedef {import("./types.js").Direction} Direction */

const whole = new Intl.NumberFormat("en");

/** @param {number} n */
export const number = (n) => whole.format(n);
/** @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;
/** @param {Direction} direction */
export const word = (direction) => direction.charAt(0) + direction.slice(1).toLowerCase();

/** @type {Record<Direction, string>} */
export const ARROWS = { UP: "\u2191", DOWN: "\u2193", LEFT: "\u2190", RIGHT: "\u2192" };

export const T = {
  phase: {
    connecting: "Connecting\u2026",
    live: "Live",
    polling: "Live",
    reconnecting: "Reconnecting",
    offline: "Not reachable",
    overload: "Viewers full",
    outdated: "Out of date",
    gone: "Closed",
  },
  pollingTip: "Polling: the stream has not said anything yet.",
  notReachable: (/** @type {number|null} */ seconds) =>
    seconds === null ? "Server not reachable." : `Server not reachable. Next try in ${seconds} s.`,
  tryNow: "Try now",
  overload: "This server\u2019s viewers are full. Checking every 5 s.",
  outdated: "This page is out of date.",
  reload: "Reload",
  gone: "There is no such session or link here, or no longer. Its games are kept.",
  notSent: "Not sent: reconnecting.",
  notLoaded: "That could not be loaded: the server did not answer.",
  unanswered: "The server did not answer. The board shows what counts.",
  mayOnlyWatch: "This page may only watch.",
  watching: (/** @type {number} */ others) =>
    others > 0 ? `Watching. ${count(others, "other")}.` : "Watching. Nobody else is.",

  yourMove: "Your move",
  driver: (/** @type {string} */ name, /** @type {number} */ since) => `${name} since move ${number(since)}`,
  person: "A person",
  plays: (/** @type {string} */ name) => `${name} is playing`,
  inSeries: (/** @type {number} */ game, /** @type {number|null|undefined} */ games, /** @type {number|null|undefined} */ tile) =>
    ` game ${number(game)}${games ? ` of ${number(games)}` : ""}${tile ? `, until ${tile}` : ""}`,
  over: "The game is over",
  overNow: "The game is over. N starts a new one.",
  tookOver: (/** @type {string} */ who, /** @type {string} */ name, /** @type {number} */ move) =>
    `${who} took over from ${name} at move ${number(move)}.`,
  you: "You",
  stopped: (/** @type {string} */ name, /** @type {number} */ move) => `${name} stopped at move ${number(move)}.`,
  handedOver: (/** @type {string} */ name, /** @type {number} */ move) => `${name} plays from move ${number(move)}.`,
  agentStopped: (/** @type {string} */ reason) => reason.replace(/^agent stopped/, "The AI stopped"),
  tryAgain: "Try again",

  back: "Back.",
  backMoves: (/** @type {number} */ moves) => `Back. ${count(moves, "move was", "moves were")} played meanwhile.`,
  backNewGame: "Back. A new game was started meanwhile.",
  restarted: (/** @type {number} */ move) => `The server restarted; the game continues at move ${number(move)}.`,
  restartedNewGame: "The server restarted; another game is running now.",
  restartedLost: "The server restarted without its history; the game that was here is gone.",
  won: "2048! The game goes on.",
  newOne: "New game",
  backToIt: "Back to the previous one",
  fromAddress: "A game from a link.",
  gameBefore: "The game before.",
  freshGame: "New game.",
  stale: "The board had already changed; that key was not played.",
  nothing: (/** @type {Direction} */ direction) => `${word(direction)} changes nothing.`,

  stepping: "It is playing already: stop it to play single steps.",
  letPlay: (/** @type {string} */ title) => `Let ${title} play`,
  letItPlay: "Let it play",
  stopIt: "Stop",
  stop: (/** @type {string} */ title) => `Stop ${title}`,
  missing: (/** @type {{title: string, reason?: string|null}} */ { title, reason }) =>
    reason === "no TYPESAFE_API_KEY set"
      ? `Set TYPESAFE_API_KEY in .env to add ${title.replace(/ \(.*/, "")} to that list.`
      : `${title}: ${reason}.`,
  noDecision: "No decision yet",
  noDecisionHint: "Start an AI, or press I for a hint: what it thinks is shown here.",
  byHand: "Played by hand",
  thinking: (/** @type {number} */ ms) => `thinking, ${(ms / 1000).toFixed(1)} s`,
  fellBack: (/** @type {string} */ reason) => `Fell back: ${reason}`,
  times: (/** @type {number} */ n) => ` \u00d7 ${number(n)}`,
  risk: ["room to work", "getting crowded", "nearly stuck"],

  gameOver: "Game over",
  scoreLine: (/** @type {number} */ score, /** @type {number} */ moves) =>
    `${number(score)} points in ${count(moves, "move")}.`,

  rate: (/** @type {number} */ shown, /** @type {number} */ played) => `showing ${number(shown)} of ${number(played)} moves/s`,
  exploringOff: "Back to playing.",
  moveOf: (/** @type {number} */ n, /** @type {number} */ last) => `Move ${number(n)} of ${number(last)}`,
  liveGoesOn: (/** @type {number} */ score) => `The live game goes on (${number(score)}).`,
  backToLive: "Back to live",
  place: (/** @type {number} */ n, /** @type {number} */ last, /** @type {number} */ score) =>
    `move ${number(n)} of ${number(last)}, score ${number(score)}`,
  lookingAt: (/** @type {number} */ n) => `You are looking at move ${number(n)}. End goes back to live.`,
  log: "Log",
  transcript: "Transcript",
  position: (/** @type {number} */ row, /** @type {number} */ column) => `row ${row + 1} column ${column + 1}`,
  empty: "empty",
};
