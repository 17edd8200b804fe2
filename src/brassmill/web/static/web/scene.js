// The end of an era, once in each browser: a scene over the table, which goes on underneath. Browsers remember
// how far they have shown each game, so players who come back later do not miss it.

import { count } from "./count.js";
import { $, all, CALM, table } from "./page.js";

const MEMORY = "stages", KEPT = 60; // in the browser: how far each of the last games has been shown
const STAGES = ["canal", "rail", "end"];
const UPRIGHT = matchMedia("(orientation: portrait)"); // as in scene.css

const dialog = $("scene"), { url } = dialog.dataset;
let counting = null;

const stage = () => (table().hasAttribute("data-over") ? "end" : table().dataset.era);

function stages() {
  try {
    return JSON.parse(localStorage.getItem(MEMORY)) || {};
  } catch {
    return {};
  }
}

function remember(now) {
  const others = Object.entries(stages()).filter(([game]) => game !== url);
  localStorage.setItem(MEMORY, JSON.stringify(Object.fromEntries([...others.slice(1 - KEPT), [url, now]])));
}

// Has an era ended since this browser showed the game? A new visitor starts where the game is.
function look() {
  const now = stage(), was = stages()[url];
  if (now === was || document.body.dataset.scene) return;
  if (STAGES.indexOf(was) >= 0 && STAGES.indexOf(now) > STAGES.indexOf(was)) show(now === "end" ? "end" : "canal", now);
  else remember(now);
}

async function show(scene, now = stage()) {
  document.body.dataset.scene = "coming";
  try {
    const shape = UPRIGHT.matches ? "square" : "wide";
    const answer = await fetch(`${url}?${new URLSearchParams({ of: scene, shape })}`, { headers: { "HX-Request": "true" } });
    const text = await answer.text();
    if (answer.headers.has("HX-Refresh") || answer.status >= 500) throw new Error(answer.statusText); // not ready: later
    remember(now);
    if (answer.status !== 200) return clear(); // the game ended without a count
    dialog.innerHTML = text;
    document.body.dataset.scene = "open";
    for (const open of all("[popover]:popover-open")) open.hidePopover();
    dialog.showModal();
    begin();
  } catch {
    clear(); // the next change of the table tries again
  }
}

function begin() {
  const skip = dialog.querySelector("[data-scene=skip]"), on = dialog.querySelector(".primary");
  if (CALM.matches) return on.focus();
  skip.hidden = false;
  skip.focus(); // not the button that closes it: the key that ended the turn may be pressed twice
  counting = count(dialog.querySelector(".scene"));
  counting.done.then(() => {
    const isFocused = document.activeElement === skip;
    skip.hidden = true;
    if (isFocused) on.focus();
  });
}

function clear() {
  counting?.stop();
  counting = null;
  dialog.replaceChildren();
  delete document.body.dataset.scene;
}

dialog.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-scene]");
  if (button?.dataset.scene === "skip") counting.finish();
  if (button?.dataset.scene === "close") dialog.close();
});
dialog.addEventListener("close", () => {
  clear();
  look(); // the game may have ended meanwhile
});
document.addEventListener("click", ({ target }) => {
  const button = target.closest("#show-scene");
  if (!button) return;
  $("menu").hidePopover();
  show(""); // the latest
});
document.addEventListener("htmx:after:swap", (event) => {
  if (event.detail.ctx.target?.id === "table") look();
});
look();
