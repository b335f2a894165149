// Runs in the page: a look at the state that it is in, by the rules that any page should keep.
"use strict";
window.look = {
  /** What axe finds that is serious, in this palette and theme. */
  faults: async (palette, theme) => {
    look.dress({ palette, theme });
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
  /** Texts that are cut off where nothing says so. */
  freeze: () => {
    const now = Date.now();
    Date.now = () => now;
  },
};
