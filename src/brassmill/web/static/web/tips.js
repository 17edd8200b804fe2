// Tooltips: what a choice costs, or why something cannot be chosen.

import { $, all, hands, made, offersOf, place, table, TARGETS } from "./page.js";
import { foresee } from "./story.js";

let pointed = null, waiting = 0;
const known = new Map(); // answers about the current table

export function point(element, delay) {
  if (element === pointed) return;
  hideTip();
  pointed = element;
  const builds = offersOf(element).filter((offer) => offer.dataset.tile);
  if (builds.length === 1) foresee(builds[0], element);
  waiting = setTimeout(() => showTip(element), delay);
}

async function showTip(element) {
  const tip = $("tip");
  const found = offersOf(element), several = found.length > 1 ? found : [];
  const { about } = element.dataset;
  const head = (several.length && about) || element.getAttribute("aria-label") || element.textContent.trim();
  tip.replaceChildren(Object.assign(made("p", head), { className: "head" }), ...several.map(line));
  tip.hidden = false;
  element.setAttribute("aria-describedby", "tip");
  place(tip, element.getBoundingClientRect());
  const more = await ask(element);
  if (pointed !== element || !element.isConnected || !more) return;
  tip.innerHTML = more.includes('class="what"') ? more : tip.innerHTML + more;
  place(tip, element.getBoundingClientRect());
  // Screen readers have read the label on focus, but not what was added later.
  if (hands.onKeys) $("spoken").textContent = all("#tip > :not(.head, .what)").map((part) => part.textContent).join(" ");
}

function line(offer) {
  const words = Object.assign(made("p", `${offer.textContent} `), { className: "how" });
  words.append(made("b", offer.dataset.price));
  return words;
}

function ask(element) {
  const { whyUrl, previewUrl, stamp } = table().dataset;
  const { choice, why } = element.dataset;
  if (choice && /^\d+$/.test(choice)) return fetched(`${previewUrl}?choice=${choice}`, stamp);
  if (why !== undefined) return fetched(`${whyUrl}?on=${encodeURIComponent(element.id)}`, stamp);
  return "";
}

async function fetched(address, stamp) {
  const key = `${stamp} ${address}`;
  if (!known.has(key)) {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (answer?.status !== 200) return ""; // no connection, or nothing to say
    known.set(key, await answer.text());
  }
  return known.get(key);
}

export function hideTip() {
  clearTimeout(waiting);
  pointed?.removeAttribute("aria-describedby");
  pointed = null;
  foresee(null);
  $("tip").hidden = true;
}

// The answers do not hold for the next table.
export function forget() {
  known.clear();
  hideTip();
}

// --- pointing with mouse, keys or finger ---------------------------------------------------------

let held = 0, wasHeld = false;

const hasTip = (element) => element && !element.closest("#choices, #hint, .acts");

export function watchPointing(isDragging) {
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || isDragging()) return;
    const element = event.target.closest?.(TARGETS);
    if (hasTip(element)) point(element, 320);
    else if (!hands.onKeys) hideTip();
  });
  document.addEventListener("focusin", (event) => {
    const element = event.target.closest?.(TARGETS);
    if (hands.onKeys && hasTip(element)) point(element, 120);
    else if (hands.onKeys) hideTip();
  });
  document.addEventListener("pointerdown", (event) => {
    const element = event.target.closest(TARGETS);
    wasHeld = false; // not every browser sends a click after a long press
    if (event.pointerType === "mouse" || !element) return;
    held = setTimeout(() => { wasHeld = true; pointed = null; point(element, 0); }, 450);
  });
  document.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" && Math.hypot(event.movementX, event.movementY) > 3) clearTimeout(held);
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(held));
  document.addEventListener("contextmenu", (event) => { if (wasHeld) event.preventDefault(); });
}

// Was this click the end of a long press, which only opens the tooltip?
export function endedHolding() {
  const was = wasHeld;
  wasHeld = false;
  return was;
}
