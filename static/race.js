// A race: a session for each chosen player, all on one seed, and the view that shows them side by side.
import { attempt, raceKey } from "./address.js";
import { checkbox, field, form, row, submit } from "./form.js";
import { LATER } from "./latertexts.js";
import { titleOf } from "./players.js";

/** So many fit side by side. */
const MOST = 4;

/**
 * @param {import("./types.js").State} state
 * @param {(wish: {name: string, seed: string}) => Promise<string|null>} create
 * @param {(text: string) => void} say
 */
export function raceForm(state, create, say) {
  const boxes = state.agent.players.map((name, place) => checkbox(titleOf(state.agent, name), name, place < 3));
  const seed = field(LATER.seed, { inputMode: "numeric", pattern: "[0-9]*", placeholder: LATER.any });

  async function start() {
    const players = boxes.filter(({ input }) => input.checked).map(({ input }) => input.value);
    if (players.length < 2 || players.length > MOST) return say(LATER.raceSize);
    const shared = seed.input.value.trim() || String(Math.floor(Math.random() * 2 ** 32));
    /** @type {string[]} */
    const ids = [];
    for (const name of players) {
      const id = await create({ name: LATER.raceName(shared, name), seed: shared });
      if (!id) return;
      ids.push(id);
    }
    attempt(() => sessionStorage.setItem(raceKey(ids), players.join(",")));
    location.assign(`/?side=${ids.join(",")}`);
  }

  const parts = [
    row("dialog-row", ...boxes.map(({ label }) => label)),
    row("dialog-row", seed.label, submit(LATER.race, "primary")),
  ];
  return form(parts, () => void start(), "");
}
