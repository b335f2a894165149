// Keys and fingers: what was pressed, asked of the key table and the swipe rule, goes to one function.
import { createChord, directionOf, isEditable, match } from "./keys.js";
import { createSwipe } from "./swipe.js";

/**
 * @param {object} deps
 * @param {HTMLElement} deps.area  Where a swipe may start: the board and its margin.
 * @param {HTMLElement} deps.board
 * @param {() => {letters: boolean, hold: boolean, mayPlay: boolean, exploring: boolean, history: boolean}} deps.rules
 * @param {(action: string, key: string) => void} deps.act
 * @param {(x: number, y: number) => void} deps.onTap  Where on the board, as parts of its width and height.
 */
export function listen({ area, board, rules, act, onTap }) {
  const chord = createChord();
  let heldAt = 0;

  addEventListener("keydown", (event) => {
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    const found = match(event, {
      editable: isEditable({ tagName: target.tagName, isContentEditable: target.isContentEditable, role: target.getAttribute("role") }),
      onBoard: target === document.body || board.contains(target),
      dialog: document.querySelector("dialog[open]") !== null,
      ...rules(),
    });
    if (!found || event.defaultPrevented) return;
    event.preventDefault();
    if (directionOf(found.action)) {
      const alone = chord.press(event.code);
      if (!alone || (event.repeat && !mayRepeat(event.timeStamp))) return;
      heldAt = event.timeStamp;
    } else if (event.repeat) return;
    act(found.action, event.key);
  });
  addEventListener("keyup", (event) => chord.release(event.code));
  addEventListener("blur", chord.clear);

  /** At most eight moves a second from a key that is held, and only if the settings say so. @param {number} time */
  const mayRepeat = (time) => rules().hold && time - heldAt >= 125;

  const swipe = createSwipe();
  area.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" || event.target instanceof HTMLButtonElement) return;
    swipe.down(event.pointerId, event.clientX, event.clientY);
    area.setPointerCapture(event.pointerId);
  });
  area.addEventListener("pointermove", (event) => {
    const direction = swipe.move(event.pointerId, event.clientX, event.clientY, board.clientWidth);
    if (direction && rules().mayPlay) act(direction, "");
  });
  area.addEventListener("pointerup", (event) => {
    const { left, top, width, height } = board.getBoundingClientRect();
    if (swipe.up(event.pointerId)) onTap((event.clientX - left) / width, (event.clientY - top) / height);
  });
  area.addEventListener("pointercancel", (event) => swipe.up(event.pointerId));
}
