// Tooltips: what a choice costs, or why something cannot be chosen.

import { heldCard } from "./narrow.js";
import { $, all, hands, made, meet, offersOf, table, TARGETS } from "./page.js";
import { foresee } from "./story.js";

let pointed = null, waiting = 0;
let pinned = false, leaving = 0; // a click on something dark pins its tooltip, so that the links in it can be clicked
const LINGER = 700; // milliseconds that the pointer may need to get there
const known = new Map(); // answers about the current table

export function point(element, delay) {
  if (element === pointed) return;
  hideTip();
  pointed = element;
  pin(!delay && element.matches("[data-why]:not([data-choice])"));
  const builds = offersOf(element).filter((offer) => offer.dataset.tile);
  if (builds.length === 1) foresee(builds[0], element);
  waiting = setTimeout(() => showTip(element), delay);
}

function pin(isPinned) {
  clearTimeout(leaving);
  pinned = isPinned;
  $("tip").classList.toggle("pinned", isPinned);
}

async function showTip(element) {
  const tip = $("tip");
  const found = offersOf(element), several = found.length > 1 ? found : [];
  const { about, does, name } = element.dataset;
  const head = (several.length && about) || element.dataset.tip || element.getAttribute("aria-label") || element.textContent.trim();
  const label = does && name ? [name, does, head.slice(`${name}: `.length)] : [head, does]; // an action says what it does, then how often
  tip.replaceChildren(...label.filter(Boolean).map((words, n) => Object.assign(made("p", words), { className: n ? "more" : "head" })), ...several.map(line));
  tip.hidden = false;
  element.setAttribute("aria-describedby", "tip");
  beside(element, tip);
  const more = await answerAbout(element);
  if (pointed !== element || !element.isConnected || !more) return;
  const isPreview = more.includes('class="what"');
  tip.innerHTML = isPreview ? more : tip.innerHTML + more;
  if (isPreview && (about || does)) tip.append(Object.assign(made("p", about || does), { className: "about" }));
  beside(element, tip);
  // Screen readers have read the label on focus, but not what was added later.
  if (hands.onKeys) $("spoken").textContent = all("#tip > :not(.head, .what)").map((part) => part.textContent).join(" ");
}

// --- where a tooltip hides nothing that can be chosen --------------------------------------------

const GAP = 8, STEP = 24; // pixels between an element and its tooltip, and between two places to try
const HALF = 7; // half the width of a line, in pixels

// The nearest place where it hides nothing; if there is none, the one where it hides least. Most find
// room right beside their element; only the others look through the whole window.
function beside(element, tip) {
  const { width, height } = tip.getBoundingClientRect(), box = element.getBoundingClientRect();
  const lit = all("#table .lit").filter((other) => other !== element && other.getClientRects().length).flatMap(boxesOf);
  let best = { left: GAP, top: GAP, right: GAP + width, bottom: GAP + height }, least = Infinity; // larger than the window
  for (const places of [near, anywhere]) {
    if (!least) break;
    for (const spot of spots(box, width, height, places)) {
      const hidden = lit.filter((other) => meet(spot, other)).length;
      if (hidden < least) [best, least] = [spot, hidden];
      if (!hidden) break;
    }
  }
  tip.style.left = `${best.left}px`;
  tip.style.top = `${best.top}px`;
  lead(tip, box, best);
}

// Those of the places that are in the window, the nearest first; above and below rather than beside.
function spots(box, width, height, places) {
  const found = [], right = innerWidth - width - GAP, bottom = innerHeight - height - GAP;
  const x = box.left + box.width / 2 - width / 2, y = box.top + box.height / 2 - height / 2;
  const around = { left: box.left - GAP, right: box.right + GAP, top: box.top - GAP, bottom: box.bottom + GAP };
  for (const [left, top] of places({ x, y, width, height, around, right, bottom })) {
    const spot = { left, top, right: left + width, bottom: top + height };
    if (left < GAP || left > right || top < GAP || top > bottom || meet(spot, around)) continue;
    const away = Math.hypot(apart(spot.left, spot.right, box.left, box.right), apart(spot.top, spot.bottom, box.top, box.bottom));
    found.push({ ...spot, cost: away + Math.hypot(left - x, top - y) / 8 });
  }
  return found.sort((one, other) => one.cost - other.cost);
}

const pairs = (lefts, tops) => lefts.flatMap((left) => tops.map((top) => [left, top]));
const near = ({ x, y, width, height, around }) => pairs([x, around.left - width, around.right], [y, around.top - height, around.bottom]);
const anywhere = ({ right, bottom }) => pairs(steps(right), steps(bottom));
const steps = (end) => Array.from({ length: Math.max(0, Math.floor((end - GAP) / STEP) + 1) }, (_, n) => GAP + n * STEP);
const apart = (start, end, from, to) => Math.max(from - end, start - to, 0);

// A tooltip that had to go farther away is tied to its element by a line.
function lead(tip, box, spot) {
  const within = (start, end, value) => Math.max(start, Math.min(end, value));
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  const fromX = within(spot.left + GAP, spot.right - GAP, x), fromY = within(spot.top, spot.bottom, y);
  const length = Math.hypot(x - fromX, y - fromY), line = $("leader");
  line.hidden = length - Math.hypot(box.width, box.height) / 2 < 3 * GAP;
  line.style.left = `${fromX}px`;
  line.style.top = `${fromY}px`;
  line.style.width = `${length}px`;
  line.style.rotate = `${Math.atan2(y - fromY, x - fromX)}rad`;
}

// A line is as wide as its stroke, not as the box around it: small boxes follow it from end to end.
function boxesOf(element) {
  const path = element.matches(".line") && element.querySelector("path");
  if (!path) return [element.getBoundingClientRect()];
  const length = path.getTotalLength(), matrix = path.getScreenCTM();
  const count = Math.ceil(length * matrix.a / HALF / 2);
  return Array.from({ length: count + 1 }, (_, n) => {
    const { x, y } = path.getPointAtLength(length * n / count).matrixTransform(matrix);
    return { left: x - HALF, right: x + HALF, top: y - HALF, bottom: y + HALF };
  });
}

function line(offer) {
  const words = Object.assign(made("p", `${offer.textContent} `), { className: "how" });
  words.append(made("b", offer.dataset.price));
  return words;
}

// What a single choice would cost, or why something cannot be chosen.
export function answerAbout(element) {
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
  pin(false);
  pointed?.removeAttribute("aria-describedby");
  pointed = null;
  foresee(null);
  $("tip").hidden = $("leader").hidden = true;
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
    clearTimeout(leaving);
    if (pinned) {
      if (element !== pointed && !event.target.closest?.("#tip")) leaving = setTimeout(() => { pin(false); over(event); }, LINGER);
      return;
    }
    if (hasTip(element)) point(element, 320);
    else if (!hands.onKeys) hideTip();
  };
  document.addEventListener("pointerover", over);
  document.addEventListener("pointermove", (event) => { if (rest) over(event); });
  document.addEventListener("focusin", (event) => {
    const element = event.target.closest?.(TARGETS);
    if (hands.onKeys && hasTip(element) && !hands.areStill) point(element, 120);
    else if (hands.onKeys) hideTip();
  });
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("#tip")) return;
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
