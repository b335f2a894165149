// How this page is looked at, kept in the browser's storage if there is any.
import { attempt } from "./address.js";
import { loadStyle } from "./dom.js";

/** @typedef {import("./shapes.js").Settings} Settings */

/** The style sheet of the palettes that are not there from the start. @type {Promise<unknown>|null} */
let palettes = null;

const KEY = "serve2048.settings";

/** What each setting may be; the first is the default. */
export const CHOICES = {
  theme: ["system", "light", "dark"],
  palette: ["classic", "colour-blind", "plain"],
  view: ["all", "4", "1"],
  awake: [false, true],
  motion: ["system", "on", "off"],
  labels: ["full", "short"],
  letters: [true, false],
  hold: [false, true],
  pad: ["none", "left", "right"],
};

/**
 * Whatever was stored, what comes out is valid.
 * @param {string|null} text
 * @returns {Settings}
 */
export function parseSettings(text) {
  const stored = attempt(() => JSON.parse(text ?? "{}")) ?? {};
  const valid = Object.entries(CHOICES).map(([name, options]) => {
    const value = stored[name];
    return [name, /** @type {unknown[]} */ (options).includes(value) ? value : options[0]];
  });
  return Object.fromEntries(valid);
}

/** @returns {Settings} */
export const loadSettings = () => parseSettings(attempt(() => localStorage.getItem(KEY)));

/** @param {Settings} settings @returns {boolean} Could it be kept? */
export const keepSettings = (settings) =>
  attempt(() => {
    localStorage.setItem(KEY, JSON.stringify(settings));
    return true;
  }) ?? false;

/** Hands the settings to the style sheet. @param {HTMLElement} root @param {Settings} settings */
export function applySettings(root, settings) {
  if (settings.palette !== "classic") palettes ??= loadStyle("/palettes.css");
  root.dataset["theme"] = settings.theme;
  root.dataset["palette"] = settings.palette;
  root.dataset["motion"] = settings.motion;
  root.dataset["pad"] = settings.pad;
}

/** Does anything move? @param {Settings} settings */
export const moves = (settings) =>
  settings.motion === "on" || (settings.motion === "system" && !matchMedia("(prefers-reduced-motion: reduce)").matches);
