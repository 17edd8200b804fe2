// Tooltips: what a choice costs, or why something cannot be chosen.

import { heldCard } from "./narrow.js";
import { $, all, hands, made, meet, offersOf, table, TARGETS } from "./page.js";
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
  const head = (several.length && about) || element.dataset.tip || element.getAttribute("aria-label") || element.textContent.trim();
  tip.replaceChildren(Object.assign(made("p", head), { className: "head" }), ...several.map(line));
  tip.hidden = false;
  element.setAttribute("aria-describedby", "tip");
  beside(element, tip);
  const more = await ask(element);
  if (pointed !== element || !element.isConnected || !more) return;
  const isPreview = more.includes('class="what"');
  tip.innerHTML = isPreview ? more : tip.innerHTML + more;
  if (isPreview && about) tip.append(Object.assign(made("p", about), { className: "about" }));
  beside(element, tip);
  // Screen readers have read the label on focus, but not what was added later.
  if (hands.onKeys) $("spoken").textContent = all("#tip > :not(.head, .what)").map((part) => part.textContent).join(" ");
}

// --- where a tooltip hides nothing that can be chosen --------------------------------------------

const GAP = 8, STEPS = [GAP, 48, 110, 190]; // pixels between an element and its tooltip

function beside(element, tip) {
  const { width, height } = tip.getBoundingClientRect(), box = element.getBoundingClientRect();
  const lit = all("#sheet .lit, #mat .lit, #hand .lit, #markets .lit").filter((other) => other !== element).flatMap(boxesOf);
  let best = null, least = Infinity;
  for (const { x, y } of spots(box, width, height)) {
    const left = Math.max(GAP, Math.min(x, innerWidth - width - GAP)), top = Math.max(GAP, Math.min(y, innerHeight - height - GAP));
    const spot = { left, top, right: left + width, bottom: top + height };
    const hidden = lit.filter((other) => meet(spot, other)).length + 99 * meet(spot, box);
    if (hidden < least) [best, least] = [spot, hidden];
    if (!hidden) break;
  }
  tip.style.left = `${best.left}px`;
  tip.style.top = `${best.top}px`;
}

// Above, below and beside the element, then farther away, at last over the column at the side.
function* spots(box, width, height) {
  const x = box.left + box.width / 2 - width / 2, y = box.top + box.height / 2 - height / 2;
  for (const gap of STEPS) {
    yield { x, y: box.top - height - gap };
    yield { x, y: box.bottom + gap };
    yield { x: box.right + gap, y };
    yield { x: box.left - width - gap, y };
  }
  const side = $("side").getBoundingClientRect();
  if (side.width) yield { x: side.left + GAP, y };
}

// A line is as wide as its stroke, not as the box around it.
function boxesOf(element) {
  const path = element.matches(".line") && element.querySelector("path");
  if (!path) return [element.getBoundingClientRect()];
  const length = path.getTotalLength(), matrix = path.getScreenCTM(), half = 6;
  return [.1, .3, .5, .7, .9].map((share) => {
    const { x, y } = path.getPointAtLength(length * share).matrixTransform(matrix);
    return { left: x - half, right: x + half, top: y - half, bottom: y + half };
  });
}

function line(offer) {
  const words = Object.assign(made("p", `${offer.textContent} `), { className: "how" });
  words.append(made("b", offer.dataset.price));
  return words;
}

function ask(element) {
  const { whyUrl, previewUrl, stamp } = table().dataset;
  const { choice, why } = element.dataset;
  const held = heldCard() && `&card=${encodeURIComponent(heldCard())}`;
  if (choice && /^\d+$/.test(choice)) return fetched(`${previewUrl}?choice=${choice}${held}`, stamp);
  if (why !== undefined) return fetched(`${whyUrl}?on=${encodeURIComponent(element.id)}${held}`, stamp);
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

// After a click the pointer rests on something else than before: no tooltip until it has moved.
let rest = null;
const isResting = ({ clientX, clientY }) => rest !== null && Math.hypot(clientX - rest.clientX, clientY - rest.clientY) < 4;

export function watchPointing(isDragging) {
  const over = (event) => {
    if (event.pointerType !== "mouse" || isDragging() || isResting(event)) return;
    rest = null;
    const element = event.target.closest?.(TARGETS);
    if (hasTip(element)) point(element, 320);
    else if (!hands.onKeys) hideTip();
  };
  document.addEventListener("pointerover", over);
  document.addEventListener("pointermove", (event) => { if (rest) over(event); });
  document.addEventListener("focusin", (event) => {
    const element = event.target.closest?.(TARGETS);
    if (hands.onKeys && hasTip(element)) point(element, 120);
    else if (hands.onKeys) hideTip();
  });
  document.addEventListener("pointerdown", (event) => {
    const element = event.target.closest(TARGETS);
    wasHeld = false; // not every browser sends a click after a long press
    if (event.pointerType === "mouse") { hideTip(); rest = event; }
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
