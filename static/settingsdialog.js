// The settings dialog: one group of choices for each setting, each acting at once.
import { make, show } from "./dom.js";
import { openDialog, row } from "./form.js";
import { LATER, SETTING_TEXTS } from "./latertexts.js";
import { CHOICES } from "./settings.js";

/** @typedef {import("./settings.js").Settings} Settings */

/**
 * @param {() => Settings} current
 * @param {(settings: Settings) => boolean} change  Gives back whether it could be kept.
 */
export function openSettingsDialog(current, change) {
  const unkept = make("p", "missing", LATER.unkept);
  show(unkept, false);

  /** @param {keyof Settings} name */
  function group(name) {
    const { title, options } = SETTING_TEXTS[name];
    const set = make("fieldset", "setting");
    set.append(make("legend", "", title));
    CHOICES[name].forEach((value, place) => {
      const input = document.createElement("input");
      input.type = "radio";
      input.name = `setting-${name}`;
      input.value = String(value);
      input.checked = current()[name] === value;
      input.addEventListener("change", () => show(unkept, !change({ ...current(), [name]: value })));
      const label = make("label", "choice");
      label.append(input, make("span", "", options[place]));
      set.append(label);
    });
    return set;
  }

  const names = /** @type {(keyof Settings)[]} */ (Object.keys(CHOICES));
  openDialog(LATER.settings, [row("settings-list", ...names.map(group)), unkept], LATER.close);
}
