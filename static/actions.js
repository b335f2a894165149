// What a person can do: each action is a call, and its answer is a fact for the model.
import { commandId } from "./api.js";
import { budgetOf, neighbour, paceOf, seriesWish, wishOf } from "./pace.js";
import { titleOf } from "./players.js";
import { contextOf, dropStale, EMPTY_QUEUE, press, settle } from "./queue.js";
import { T } from "./texts.js";

/** @typedef {import("./types.js").Direction} Direction */
/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Happening} Happening */

/**
 * @param {object} deps
 * @param {import("./api.js").Api} deps.api
 * @param {() => Model} deps.model
 * @param {(what: Happening) => void} deps.tell
 * @param {() => boolean} deps.canSend
 * @param {(direction: Direction, from: string|null) => void} deps.onNothing  The move changed nothing; `from`: but took the game over from this player.
 */
export function createActions({ api, model, tell, canSend, onNothing }) {
  let queue = EMPTY_QUEUE;
  const context = () => {
    const { state, look } = model();
    return state ? `${contextOf(state)}/${look ? "back" : "live"}` : "";
  };

  /** @param {string} text @param {import("./types.js").Notice["kind"]} [kind] */
  const say = (text, kind = "warn") => tell({ type: "notice", text, kind });

  /** Takes what every answer may bring: a state, a refusal. @param {Answer} answer @returns {boolean} Was it carried out? */
  function take({ status, body }) {
    const state = body?.state ?? (body?.grid ? body : null);
    if (state) tell({ type: "state", state });
    if (status >= 200 && status < 300) return true;
    if (status === 0) say(T.unanswered);
    else if (status === 401 || status === 403) {
      tell({ type: "may-play", value: false });
      say(T.mayOnlyWatch);
    } else if (body?.detail) say(String(body.detail));
    return false;
  }

  /** May something be sent now? Says so if not. */
  function ready() {
    if (!model().mayPlay || !model().state) return false;
    if (!canSend()) say(T.notSent);
    return canSend();
  }

  /** @param {Direction} direction */
  async function send(direction) {
    const before = model().state;
    const answer = await sendMove(direction);
    if (answer.status === 409) {
      if (answer.body?.state) tell({ type: "state", state: answer.body.state });
      say(T.stale);
    } else if (take(answer) && answer.body?.moved === false) {
      onNothing(direction, before?.agent.running ? titleOf(before.agent, before.driver.name) : null);
    }
    const next = settle(queue, context());
    queue = next.queue;
    if (next.send) void send(next.send);
  }

  /**
   * The move is for the board on screen. An AI at work may be one move further by the time it arrives: who presses a key
   * then wants the game, so it is sent once more for the game as it stands.
   * @param {Direction} direction
   */
  async function sendMove(direction) {
    const state = model().state;
    const command = { direction, game: state?.game ?? "", takeover: true };
    const first = { ...command, ifMoves: state?.moves ?? 0, commandId: commandId() };
    let answer = await api.move(first);
    if (answer.status === 0) answer = await api.move(first);
    const overtaken = answer.status === 409 && state?.agent.running && answer.body?.state?.game === state.game;
    return overtaken ? api.move({ ...command, commandId: commandId() }) : answer;
  }

  /** @param {string} name @param {() => Promise<Answer>} call */
  async function busy(name, call) {
    if (model().state?.gameOver) say(T.overNow);
    if (!ready() || model().busy || model().state?.gameOver) return null;
    tell({ type: "busy", call: name });
    const answer = await call();
    tell({ type: "busy", call: "" });
    return take(answer) ? answer : null;
  }

  const start = () => {
    const { state, choice } = model();
    if (state?.gameOver && !state.agent.running) return say(T.overNow);
    if (state && ready()) void api.start(wishOf(state.agent, choice)).then(take);
  };

  /** A new choice steers the AI that is playing; otherwise it waits for the next start. @param {import("./model.js").Choice} choice */
  function choose(choice) {
    tell({ type: "choose", choice });
    if (model().state?.agent.running) start();
  }

  /** @param {string} series */
  function chooseSeries(series) {
    tell({ type: "choose", choice: { series } });
    if (model().state?.agent.running && ready()) void api.start(seriesWish(series)).then(take);
  }

  const thinker = () => {
    const { state, choice } = model();
    if (!state) return {};
    const budget = budgetOf(state.agent, choice);
    return { player: choice.player ?? state.agent.player, ...(budget === "" ? {} : { budgetMs: Number(budget) }) };
  };

  return {
    /** @param {Direction} direction */
    move: (direction) => {
      const { look } = model();
      if (look) return say(T.lookingAt(look.n), "look");
      if (!ready()) return;
      const next = press(queue, direction, context());
      queue = next.queue;
      if (next.send) void send(next.send);
    },
    /** The state or the view changed: a move that waits may be for another game or driver now. */
    stateChanged: () => {
      queue = dropStale(queue, context());
    },
    start,
    toggleAgent: () => {
      if (!model().state?.agent.running) start();
      else if (ready()) void api.stop().then(take);
    },
    choose,
    chooseSeries,
    /** @param {1|-1} step */
    changePace: (step) => {
      const { state, choice } = model();
      if (state) choose({ pace: neighbour(paceOf(state.agent, choice), step) });
    },
    /** @param {number} place  From 0, among the available ones. */
    choosePlayer: (place) => {
      const player = model().state?.agent.players[place];
      if (player) choose({ player });
    },
    step: () => model().state?.agent.running ? say(T.stepping) : busy("step", () => api.step(thinker())),
    hint: async () => {
      const { state } = model();
      const answer = await busy("hint", () => api.hint(thinker()));
      if (!answer || !state) return;
      const { explain } = await import("./hint.js");
      tell({ type: "hint", hint: answer.body, why: explain(answer.body), game: state.game, moves: state.moves });
    },
    newGame: () => {
      if (ready()) void api.newGame().then(take);
    },
  };
}
