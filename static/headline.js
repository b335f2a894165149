// The header, the numbers and the line over the board.
import { byId, make, setData, setText, show } from "./dom.js";
import { number } from "./texts.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./types.js").State} State */

/** @param {(action: string) => void} onAction */
export function createHeadline(onAction) {
  const dot = byId("link", HTMLElement);
  const phase = byId("phase", HTMLElement);
  const driver = byId("driver", HTMLElement);
  const driverText = byId("driver-text", HTMLElement);
  const driverMark = byId("driver-mark", HTMLElement);
  const line = byId("line", HTMLElement);
  const lineText = byId("line-text", HTMLElement);
  const lineAction = byId("line-action", HTMLButtonElement);
  const numbers = /** @type {const} */ ({ score: "score", best: "best", moves: "moves", merges: "mergeCount", max: "maxTile" });
  const boxes = Object.entries(numbers).map(([id, field]) => ({ node: byId(id, HTMLElement), field }));
  const floats = byId("floats", HTMLElement);
  lineAction.addEventListener("click", () => onAction(lineAction.dataset["name"] ?? ""));

  /** @param {State|null} state @param {View} view @param {import("./types.js").PastState|null} past */
  function render(state, view, past) {
    setData(dot, "dot", view.dot);
    setText(phase, view.phaseText);
    dot.title = view.phaseTip;
    show(driver, Boolean(view.driver?.text));
    setText(driverText, view.driver?.text ?? "");
    setText(driverMark, view.driver?.mark ?? "");
    setData(driver, "colour", view.driver?.colour ?? "human");
    setData(line, "kind", view.line.kind);
    setText(lineText, view.line.text);
    show(lineAction, view.line.action !== null);
    if (view.line.action) {
      setText(lineAction, view.line.action.label);
      setData(lineAction, "name", view.line.action.name);
    }
    for (const { node, field } of boxes) {
      const from = state && past ? { ...state, ...past } : state;
      const text = !from ? "\u2013" : field === "maxTile" ? String(from.maxTile) : number(from[field]);
      setText(node, text);
      node.style.setProperty("--length", String(text.length));
    }
  }

  /** "+8" rising from the score. @param {number} gained */
  function gain(gained) {
    const float = make("span", "float", `+${number(gained)}`);
    floats.replaceChildren(float);
    const rise = [{ transform: "none", opacity: 1 }, { transform: "translateY(-1.6em)", opacity: 0 }];
    float.animate(rise, { duration: 600, easing: "ease-out" }).onfinish = () => float.remove();
  }
  return { render, gain };
}
