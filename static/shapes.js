// The shapes that the page's modules hand to each other, but for the wire's; no code.

/** @typedef {import("./types.js").Hint} Hint */
/** @typedef {import("./types.js").Notice} Notice */
/** @typedef {import("./types.js").State} State */

/** @typedef {{status: number, body: any}} Answer  `status` is 0 when nothing came back. */

/**
 * @typedef {object} Api
 * @property {string} eventsUrl
 * @property {() => Promise<Answer>} state
 * @property {(move: {direction: string, ifMoves?: number, game?: string, commandId?: string, takeover?: boolean}) => Promise<Answer>} move
 * @property {(wish?: {grid?: number[][]}) => Promise<Answer>} newGame
 * @property {(wish: object) => Promise<Answer>} start
 * @property {() => Promise<Answer>} stop
 * @property {(wish: object) => Promise<Answer>} step
 * @property {(wish: object) => Promise<Answer>} hint
 * @property {(game: string) => Promise<Answer>} game  Its record.
 * @property {(game: string, n: number) => Promise<Answer>} at  The board after move n.
 * @property {(limit: number) => Promise<Answer>} transcript
 * @property {(game: string, from: number, to: number) => Promise<Answer>} moves  The moves from one to another, at most 500.
 * @property {(query: Record<string, string>) => Promise<Answer>} games  Of this session.
 * @property {() => Promise<Answer>} giveLink  A new link to watch.
 * @property {() => Promise<Answer>} revokeLinks  Takes all of them back.
 * @property {(text: string) => Promise<Answer>} importGame
 * @property {() => Promise<Answer>} version
 * @property {(operator: string|null) => Promise<Answer>} sessions  Away from loopback the operator's token is asked for.
 * @property {(wish: {name?: string, seed?: string}, operator: string|null) => Promise<Answer>} createSession
 * @property {(link: string) => Api} byLink  The calls of who comes by a link to watch.
 * @property {(session: string, token: string|null) => Api} inSession  The calls of another session.
 */

/**
 * @typedef {object} Model
 * @property {State|null} state  The newest one.
 * @property {number} changedAt  When it came.
 * @property {string} former  The game before this one, if the page saw it.
 * @property {string[]} pastEpochs
 * @property {Link} link
 * @property {boolean} away  The connection was lost since `state`.
 * @property {number} watchers
 * @property {boolean} mayPlay
 * @property {{hint: Hint, why: string, game: string, moves: number}|null} hint
 * @property {Notice|null} notice
 * @property {string} closedCard  The game whose end card was closed.
 * @property {{game: string, moves: number}} wonAt  Where this page saw 2048 being made.
 * @property {{reason: string, times: number}} fallback  How often the same reason came in a row.
 * @property {Choice} choice
 * @property {boolean} history  The server can be asked for past boards.
 * @property {import("./types.js").Look|null} look  Null: live.
 * @property {string} busy  The call that is under way, if any.
 * @property {number} busySince
 */

/** What this page has chosen for the next start; absent: as the server has it. */
/** @typedef {{player?: string, pace?: string, budgetMs?: number|null, series?: string}} Choice */

/**
 * @typedef {{type: "state", state: State} | {type: "link", link: Link}
 *   | {type: "watchers", count: number} | {type: "may-play", value: boolean} | {type: "hint", hint: Hint, why: string, game: string, moves: number}
 *   | {type: "notice", text: string, kind?: Notice["kind"], action?: import("./types.js").NoticeAction}
 *   | {type: "tick"} | {type: "history", offered: boolean} | {type: "look", look: Partial<import("./types.js").Look>}
 *   | {type: "live"} | {type: "hide-hint"} | {type: "close-card"} | {type: "choose", choice: Choice} | {type: "busy", call: string}} Happening
 */

/** @typedef {"connecting"|"live"|"polling"|"reconnecting"|"offline"|"overload"|"outdated"|"gone"} Phase */

/**
 * Facts only; what they amount to is computed by `phaseOf`. Times are milliseconds of the wall clock, since several tabs
 * compare them.
 * @typedef {object} Link
 * @property {number} startedAt
 * @property {number|null} heardAt  When anything last came from the server.
 * @property {number|null} liveSince
 * @property {number|null} lostAt
 * @property {number|null} retryAt
 * @property {number} failures  In a row.
 * @property {boolean} online  What the browser says of the network.
 * @property {boolean} polling
 * @property {"none"|"overload"|"outdated"|"gone"} verdict
 */

/**
 * @typedef {{type: "heard"} | {type: "lost", jitter: number, retryMs?: number} | {type: "overload", retryMs: number}
 *   | {type: "trying"} | {type: "polled"} | {type: "network", online: boolean} | {type: "outdated"} | {type: "gone"}
 *   | {type: "retry-now"}} LinkEvent
 */

/**
 * @typedef {object} Key
 * @property {string} action
 * @property {"Play"|"AI"|"Look back"|"Page"} group
 * @property {string} text  What it does, for the help.
 * @property {string} shown  How the keys are shown in the help.
 * @property {string[]} [keys]  Matched by what the key types; letters in lower case.
 * @property {string[]} [codes]  Matched by where the key is.
 * @property {boolean} [board]  Only when the focus is on the page itself or the board.
 * @property {boolean} [shift]  Only with Shift; what that types differs from keyboard to keyboard.
 * @property {boolean} [history]  Only if the server can be asked for past boards.
 * @property {boolean} [control]  Only for those who may play.
 */

/** @typedef {{key: string, code: string, ctrlKey: boolean, altKey: boolean, metaKey: boolean, shiftKey?: boolean, isComposing?: boolean}} Press */

/**
 * @typedef {object} Where
 * @property {boolean} editable  The focus is on something that takes keys itself.
 * @property {boolean} onBoard  The focus is on the page itself or the board.
 * @property {boolean} dialog  A dialog is open; it has the keys.
 * @property {boolean} letters  Single characters are shortcuts (a setting).
 * @property {boolean} mayPlay
 * @property {boolean} history  There are past boards to look at.
 * @property {boolean} exploring  The arrows walk over the cells.
 */

/**
 * @typedef {object} Settings
 * @property {"system"|"light"|"dark"} theme
 * @property {"classic"|"colour-blind"|"plain"} palette
 * @property {"all"|"4"|"1"} view  At most so many boards a second of an AI: the viewer's pace, as against the game's.
 * @property {boolean} awake  The screen stays on while an AI plays.
 * @property {"system"|"on"|"off"} motion
 * @property {"full"|"short"} labels
 * @property {boolean} letters  Single characters are shortcuts.
 * @property {boolean} hold  A key that is held down goes on playing.
 * @property {"none"|"left"|"right"} pad  Arrows on the screen.
 */

/**
 * @typedef {object} StreamHandlers
 * @property {(text: string) => void} onState
 * @property {(seq: number) => void} onHeartbeat
 * @property {(count: number) => void} onWatchers
 * @property {(text: string) => void} onNote
 * @property {(bye: {reason: string, retryMs: number}) => void} onBye
 * @property {(refused: boolean) => void} onError  `refused`: the server answered, but not with a stream.
 */

/**
 * @typedef {object} Tabs
 * @property {(message: object) => void} send  To the other tabs.
 * @property {() => boolean} leads
 * @property {() => void} yieldLead  Let another tab lead; this one queues up again.
 * @property {() => void} takeLead  Take the lead from a tab that does not react.
 * @property {() => void} leave
 */

export {};
