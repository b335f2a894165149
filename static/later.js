// What is loaded when it is first wanted: the dialogs, and looking back.

/**
 * @param {object} deps
 * @param {import("./api.js").Api} deps.api
 * @param {import("./address.js").Address} deps.address
 * @param {() => import("./model.js").Model} deps.model
 * @param {(what: import("./model.js").Happening) => void} deps.tell
 * @param {() => import("./settings.js").Settings} deps.settings
 * @param {(settings: import("./settings.js").Settings) => boolean} deps.useSettings
 */
export function createLater({ api, address, model, tell, settings, useSettings }) {
  /** @type {Promise<import("./lookback.js").LookBack>|null} */
  let looking = null;

  /** @param {(back: import("./lookback.js").LookBack) => void} use */
  function look(use) {
    looking ??= import("./lookback.js").then(({ createLookBack }) => createLookBack({ api, model, tell }));
    void looking.then(use);
  }

  /** @type {Promise<void>|null} */
  let transcript = null;

  return {
    look,
    /** The transcript's tab; it stays once it is there. */
    transcript: () => (transcript ??= import("./transcript.js").then((tab) => tab.createTranscript(api, model))),
    goLive: () => model().look && look((back) => back.live()),
    games: async () => {
      const { openGamesDialog } = await import("./gamesdialog.js");
      openGamesDialog(api, address.session, (record, title) => look((back) => back.open(record, title)));
    },
    share: async () => {
      const { openShareDialog } = await import("./sharedialog.js");
      const { state, watchers } = model();
      if (state) openShareDialog(api, address, state, watchers);
    },
    settings: async () => {
      const { openSettingsDialog } = await import("./settingsdialog.js");
      openSettingsDialog(settings, useSettings);
    },
    help: async () => {
      const { openHelp } = await import("./helpdialog.js");
      openHelp(model());
    },
  };
}
