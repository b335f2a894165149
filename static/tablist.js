// Which tabs there are under the decision, and what each is loaded from.
import { T } from "./texts.js";

/** @param {import("./api.js").Api} api @returns {import("./views.js").Tab[]} */
export const tabsOf = (api) => [
  {
    title: T.log,
    offered: () => true,
    useful: ({ state }) => state !== null && state.moves > 0,
    load: () => import("./logview.js").then(({ createLogView }) => createLogView(api)),
  },
  {
    title: T.transcript,
    offered: ({ state, mayPlay }) => mayPlay && state !== null && state.agent.keyConfigured,
    useful: () => true,
    load: () => import("./transcript.js").then(({ createTranscript }) => createTranscript(api)),
  },
];
