// The place that is looked at goes into the address, so that a reload or a link leads back to it.

/** Browsers allow few changes of the address in a row. */
const PAUSE_MS = 500;

/** @param {() => import("./model.js").Model} model */
export function createPlace(model) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { look } = model();
      const where = look ? `?game=${look.game}&at=${look.n}` : "";
      history.replaceState(history.state, "", location.pathname + where);
    }, PAUSE_MS);
  };
}
