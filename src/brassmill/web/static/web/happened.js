// What has happened since the last update: the server lists the last few moves, alike for everyone.
// An event tells them to `motion.js`, which shows them, and to `sound.js`.

import { all, table } from "./page.js";

const read = () => all("#happened > li").map(({ dataset: { part, moves } }) => ({
  part: Number(part),
  moves: moves ? moves.split(";").map((move) => move.split(" ")) : [],
}));

let known = read();
let wasYours = table().dataset.yours === "1";

// The moves that are new. Nothing after an undo, nor if more was missed than the list holds.
function news(now) {
  const last = known.at(-1) ?? { part: -1, moves: [] };
  if (!now.length || now[0].part > last.part + 1) return [];
  return now
    .filter(({ part }) => part >= last.part)
    .flatMap(({ part, moves }) => (part === last.part ? moves.slice(last.moves.length) : moves));
}

// After every update, when the page is in order.
export function announce(request) {
  const now = read(), moves = news(now), isYours = table().dataset.yours === "1";
  const turnCame = isYours && !wasYours && request?.method === "GET"; // not by a click of the player
  [known, wasYours] = [now, isYours];
  document.dispatchEvent(new CustomEvent("happened", { detail: { moves, turnCame } }));
}
