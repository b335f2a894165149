// The settings dialog, built when it is first opened: one group of choices for each setting, each acting at once.
import { byId, make, show } from "./dom.js";
import { CHOICES } from "./settings.js";
import { SETTING_TEXTS } from "./texts.js";

/** @typedef {import("./settings.js").Settings} Settings */

/**
 * @param {() => Settings} current
 * @param {(settings: Settings) => boolean} change  Gives back whether it could be kept.
 */
export function createSettingsDialog(current, change) {
  const dialog = byId("settings", HTMLDialogElement);
  const list = byId("settings-list", HTMLElement);
  const unkept = byId("settings-unkept", HTMLElement);

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
  return {
    open: () => {
      list.replaceChildren(...names.map(group));
      dialog.showModal();
    },
  };
}
