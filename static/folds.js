// On a narrow screen the panels are an accordion, one open at a time; on a wide one all are open.

export function followWidth() {
  const narrow = matchMedia("(max-width: 599px)");
  const folds = /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.fold"));
  const follow = () =>
    folds.forEach((fold) => {
      fold.name = narrow.matches ? "panels" : "";
      fold.open = !narrow.matches || fold.id === "decision-fold";
    });
  narrow.addEventListener("change", follow);
  follow();
}
