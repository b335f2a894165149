// The shapes that cross the wire and the ones that modules hand to each other; no code.

/** @typedef {"UP"|"DOWN"|"LEFT"|"RIGHT"} Direction */
/** @typedef {(number|null)[][]} Grid  Four rows of four: a tile's value, or null. */
/** @typedef {[number, number]} Cell  Row, column; row first, from 0. */

/** @typedef {{from: Cell, to: Cell, value: number, merges: boolean}} Slide */
/** @typedef {{at: Cell, value: number}} Spawn */
/** @typedef {{direction: Direction, by: string, gained: number, slides: Slide[], spawn: Spawn}} Transition */

/** @typedef {{kind: "human"|"player"|"bot", name: string, sinceMove: number}} Driver */

/**
 * @typedef {object} Decision
 * @property {Direction|null} move
 * @property {string} source  A player's name, `human`, `bot:<name>` or `fallback`.
 * @property {string|null} [reason]  Why a fallback played.
 * @property {string|null} [detail]
 * @property {Partial<Record<Direction, number>>|null} [probabilities]
 * @property {number|null} [confidence]
 * @property {number|null} [risk]  0 to 2.
 * @property {number|null} [latencyMs]
 */

/** @typedef {{name: string, title: string, available: boolean, reason?: string|null}} RosterEntry */

/**
 * @typedef {object} Agent
 * @property {boolean} running
 * @property {string} player
 * @property {string[]} players
 * @property {RosterEntry[]} roster
 * @property {number} intervalSeconds
 * @property {"fixed"|"adaptive"|"max"} pace
 * @property {number|null} [budgetMs]  Null or absent: the player's own default.
 * @property {boolean} keyConfigured
 * @property {{games?: number|null, untilTile?: number|null, played: number}|null} [series]  Absent or null: one game.
 */

/**
 * @typedef {object} State
 * @property {number} protocol
 * @property {string} session
 * @property {string} game
 * @property {string} epoch
 * @property {number} seq
 * @property {string} boot
 * @property {Grid} grid
 * @property {number} score
 * @property {number} mergeCount
 * @property {number} moves
 * @property {number} maxTile
 * @property {number} best
 * @property {{human: number|null, ai: number|null, mixed: number|null}|null} [bestBy]  By who chose the moves.
 * @property {string|null} [seed]  Once it may be shown.
 * @property {boolean} [custom]  It began on a given position, and does not count for the best.
 * @property {Direction|null} lastMove
 * @property {Direction[]} legal
 * @property {boolean} gameOver
 * @property {boolean} won
 * @property {Driver} driver
 * @property {Decision|null} decision
 * @property {Agent} agent
 * @property {Transition|null} transition
 * @property {number} watchers
 */

/**
 * What one direction would give, measured by the server on a copy.
 * @typedef {object} HintMove
 * @property {boolean} legal
 * @property {number} [gained]
 * @property {number} [merges]
 * @property {number} [emptyAfter]
 * @property {number} [legalAfter]
 * @property {number} [mergesAfter]
 * @property {boolean} [keepsCorner]
 * @property {number} [monotonicityAfter]
 * @property {boolean} [couldEndTheGame]
 * @property {number|null} [value]
 */

/** @typedef {{decision: Decision, moves: Partial<Record<Direction, HintMove>>}} Hint */

/**
 * A board looked back at: what a state says of the game, without the table round it.
 * @typedef {Pick<State, "game"|"grid"|"score"|"mergeCount"|"moves"|"maxTile"|"lastMove"|"legal"|"gameOver"|"won"|"transition"|"decision">} PastState
 */

/** @typedef {{kind: Driver["kind"], name: string, from: number, to: number|null, why: string|null}} Stretch  Who had the game from which move to which. */

/**
 * @typedef {object} GameRecord
 * @property {string} game
 * @property {string} session
 * @property {"running"|"over"|"abandoned"|"imported"} status
 * @property {boolean} custom
 * @property {number} startedAt
 * @property {number|null} endedAt
 * @property {number} score
 * @property {number} moves
 * @property {number} maxTile
 * @property {Stretch[]} drivers
 * @property {"human"|"ai"|"mixed"} class
 */

/**
 * Looking back: the move that is wanted, and the board that has come, which may be a little behind.
 * @typedef {object} Look
 * @property {string} game
 * @property {number} n
 * @property {number} last  How many moves that game has.
 * @property {string} title  Of a game that is not the live one.
 * @property {PastState|null} past
 * @property {Stretch[]} drivers
 * @property {{tile: number, n: number}[]} milestones  The move at which each big tile was first there.
 * @property {number} speed  Of the replay; 0: it stands.
 */

/** @typedef {{text: string, kind: "info"|"good"|"warn"|"bad"|"look", untilMs: number|null, action?: NoticeAction}} Notice */
/** @typedef {{label: string, name: "reload"|"retry"|"start-agent"|"live"|"new-game"|"former"}} NoticeAction */

/** @typedef {Transition & {n: number, decision: Decision|null}} LogEntry  One move as the history tells it. */

export {};
