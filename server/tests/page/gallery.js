// Runs in the page: a look at the state that it is in, by the rules that any page should keep.
"use strict";
window.look = {
  /** What axe finds that is serious, in this palette and theme. */
  faults: async (palette, theme) => {
    // What an AI moves meanwhile does not move: half-faded numbers are nobody's fault.
    look.dress({ palette, theme, motion: "off" });
    while (document.querySelector(".float")) await new Promise((done) => setTimeout(done, 50));
    // The style sheet of a palette comes when it is first chosen.
    const sheet = document.querySelector('link[href="/palettes.css"]');
    if (sheet && !sheet.sheet) await new Promise((done) => sheet.addEventListener("load", done));
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`);
  },
  /** Settings as the dialog would set them. */
  dress: (settings) => {
    localStorage.setItem("serve2048.settings", JSON.stringify(settings));
    dispatchEvent(new Event("storage"));
  },
  /** How far the page can be moved sideways, and what sticks out. */
  sideways: () => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const out = [...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > innerWidth + 1);
    return wide > 0 ? `${wide} px: ${out.map((node) => node.id || node.className || node.tagName).slice(0, 5)}` : "";
  },
  /** What is smaller than a finger. */
  small: () => {
    const all = [...document.querySelectorAll("button, select, input:not([type=radio], [type=checkbox]), a[href], summary, .choice, .check")];
    const seen = all.filter((node) => node.checkVisibility() && (!document.querySelector("dialog[open]") || node.closest("dialog")));
    return seen.flatMap((node) => {
      const { width, height } = node.getBoundingClientRect();
      return height < 43.5 || width < 43.5 ? [`${node.id || node.textContent || node.className}: ${Math.round(width)} x ${Math.round(height)}`] : [];
    });
  },
  /** Tiles whose number does not fit, or is too small to be read. */
  cut: () =>
    [...document.querySelectorAll(".face")].flatMap((face) => {
      const range = document.createRange();
      range.selectNodeContents(face);
      const fits = range.getBoundingClientRect().width <= 0.9 * face.getBoundingClientRect().width;
      return fits && parseFloat(getComputedStyle(face).fontSize) >= 12 ? [] : [face.textContent];
    }),
  /** Messages that go after some seconds stay. */
  freeze: () => {
    const now = Date.now();
    Date.now = () => now;
  },
};
