// Parts of the dialogs that are made when they are first opened.
import { loadStyle, make } from "./dom.js";

/** Their style sheet comes with the first of them. @type {Promise<unknown>|null} */
let styled = null;

/**
 * A dialog with a title; it leaves the page when it is closed.
 * @param {string} title
 * @param {HTMLElement[]} content
 * @param {string} close
 * @param {...HTMLElement} more  Further buttons beside the one that closes it.
 */
export function openDialog(title, content, close, ...more) {
  const dialog = /** @type {HTMLDialogElement} */ (make("dialog"));
  const heading = make("h2", "", title);
  heading.id = "dialog-title";
  dialog.setAttribute("aria-labelledby", heading.id);
  const done = button(close, more.length > 0 ? "" : "primary");
  done.dataset["close"] = "";
  dialog.append(heading, ...content, row("dialog-actions", done, ...more));
  closable(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  styled ??= loadStyle("/dialogs.css");
  void styled.then(() => dialog.showModal());
  return dialog;
}

/** A dialog closes by its own close button and by a click beside it; focus goes back by itself. @param {HTMLDialogElement} dialog */
function closable(dialog) {
  dialog.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target === dialog || target.closest("[data-close]")) dialog.close();
  });
}

/** @param {string} text @param {string} [className] @param {() => void} [onClick] */
export function button(text, className = "", onClick) {
  const made = /** @type {HTMLButtonElement} */ (make("button", className, text));
  made.type = "button";
  if (onClick) made.addEventListener("click", onClick);
  return made;
}

/** @param {string} className @param {...HTMLElement} parts */
export function row(className, ...parts) {
  const made = make("div", className);
  made.append(...parts);
  return made;
}

/**
 * A text field under its label.
 * @param {string} text
 * @param {Record<string, string|number|boolean>} [how]
 */
export function field(text, how = {}) {
  const input = Object.assign(document.createElement("input"), how);
  const label = make("label", "", `${text} `);
  label.append(input);
  return { label, input };
}

/** @param {string} text @param {string} value @param {boolean} checked */
export function checkbox(text, value, checked) {
  const input = Object.assign(document.createElement("input"), { type: "checkbox", value, checked });
  const label = make("label", "check");
  label.append(input, make("span", "", text));
  return { label, input };
}

/** @param {HTMLElement[]} parts @param {() => void} onSubmit @param {string} [className] */
export function form(parts, onSubmit, className = "dialog-row") {
  const made = /** @type {HTMLFormElement} */ (make("form", className));
  made.append(...parts);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    onSubmit();
  });
  return made;
}

/** A button that sends its form. @param {string} text @param {string} [className] */
export const submit = (text, className) => Object.assign(button(text, className), { type: "submit" });
