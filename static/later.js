// What is loaded when it is first wanted: the dialogs, and looking back.
import { T } from "./texts.js";

/**
 * @param {object} deps
 * @param {import("./api.js").Api} deps.api
 * @param {import("./address.js").Address} deps.address
 * @param {() => import("./model.js").Model} deps.model
 * @param {(what: import("./model.js").Happening) => void} deps.tell
 * @param {() => import("./settings.js").Settings} deps.settings
 * @param {(settings: import("./settings.js").Settings) => boolean} deps.useSettings
 * @param {() => number} deps.resyncs  How often the board had to be drawn anew.
 */
export function createLater({ api, address, model, tell, settings, useSettings, resyncs }) {
  /** @type {Promise<import("./lookback.js").LookBack>|null} */
  let looking = null;

  /** What cannot be loaded now may be later. @template T @param {Promise<T>} part @param {(part: T) => void} use */
  const when = (part, use) => void part.then(use, () => tell({ type: "notice", text: T.notLoaded, kind: "warn" }));

  /** @param {(back: import("./lookback.js").LookBack) => void} use */
  function look(use) {
    looking ??= Promise.all([import("./lookback.js"), import("./place.js")]).then(([{ createLookBack }, { createPlace }]) =>
      createLookBack({ api, model, tell, remember: createPlace(model) }),
    );
    looking.catch(() => (looking = null));
    when(looking, use);
  }

  /** @param {import("./sharedialog.js")} part */
  function share(part) {
    const { state, watchers, mayPlay } = model();
    if (state) part.openShareDialog(api, address, { state, watchers, mayPlay });
  }

  return {
    look,
    /** `?at=120`, of the running game or of `game=`: the viewer opens there. `?position=`: the dialog that offers it. @param {string} search */
    followAddress: async (search) => {
      const wish = new URLSearchParams(search);
      if (!wish.has("at") && !wish.has("position")) return;
      const { status, body } = await api.state();
      if (status !== 200) return;
      if (wish.has("at")) look((back) => void back.openById(wish.get("game") ?? body.game, T.fromAddress, Number(wish.get("at"))));
      else when(import("./sharedialog.js"), (part) => (tell({ type: "state", state: body }), share(part)));
    },
    /** @param {boolean} wanted */
    keepAwake: (wanted) => void import("./awake.js").then((part) => part.keepAwake(wanted), () => {}),
    goLive: () => model().look && look((back) => back.live()),
    /** The game before this one, in the viewer. */
    former: () => look((back) => void back.openById(model().former, T.gameBefore)),
    /** @param {() => void} onYes */
    askNewGame: (onYes) => when(import("./askdialog.js"), (part) => part.askNewGame(onYes)),
    games: () =>
      when(import("./gamesdialog.js"), (part) =>
        {
        const { state, mayPlay } = model();
        if (state) part.openGamesDialog(api, { state, mayPlay }, (record, title) => look((back) => back.open(record, title)));
      }),
    share: () => when(import("./sharedialog.js"), share),
    settings: () => when(import("./settingsdialog.js"), (part) => part.openSettingsDialog(settings, useSettings)),
    help: () => when(import("./helpdialog.js"), (part) => part.openHelp(model(), api, resyncs())),
  };
}
