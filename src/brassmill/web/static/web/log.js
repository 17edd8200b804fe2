// The rounds of the log: the latest are open, and those the reader has opened or folded stay so.

import { all } from "./page.js";

const chosen = new Set(); // the ids of rounds

export function watchRounds() {
  document.addEventListener("click", ({ target }) => {
    const round = target.closest?.(".round > summary")?.parentElement;
    if (round) chosen.add(round.id);
  });
}

export function foldRounds() {
  for (const round of all("#lines .round")) {
    if (!chosen.has(round.id)) round.open = round.dataset.open !== undefined;
  }
}
