// The map: zooming, panning, and finding what a finger means.

import { $, all, PHONE, table } from "./page.js";
import { hideTip } from "./tips.js";

const STEP = 120; // pixels per step of the wheel
const CLOSE = 1.8; // how much larger the map is from close by
const SURELY = .04; // how far beyond a limit a frame is before its map is drawn in another shape
const REACH = { touch: 24, pen: 16, mouse: 10 }; // pixels from the pointer to what it may mean

let zoom = 1;

// The shape of the map that is drawn largest in its frame (`svg/layouts.py`). A tall one only where it has the whole
// screen: otherwise its frame is too low. Near a limit the shape stays as it is.
export function shapeWanted() {
  const { clientWidth, clientHeight } = $("sheet"), now = table().dataset.shape, high = clientHeight / clientWidth;
  if (!clientHeight) return now;
  const over = (limit, lower) => high > limit + (now === lower ? SURELY : -SURELY);
  if (document.body.dataset.map === "large" && over(1.6, "square")) return "tall";
  return over(.76, "wide") ? "square" : "wide";
}

export const zoomBy = (factor) => zoomTo(zoom * factor);

function zoomTo(wanted, x, y) {
  const sheet = $("sheet");
  const frame = sheet.getBoundingClientRect();
  const before = zoom;
  zoom = Math.min(4, Math.max(least(), wanted));
  const dx = (x ?? frame.left + frame.width / 2) - frame.left, dy = (y ?? frame.top + frame.height / 2) - frame.top;
  const margin = (scale) => Math.max(0, 1 - scale) * frame.width / 2; // beside a map narrower than its frame
  const left = (sheet.scrollLeft + dx - margin(before)) * zoom / before + margin(zoom) - dx, top = (sheet.scrollTop + dy) * zoom / before - dy;
  document.documentElement.style.setProperty("--zoom", zoom);
  sheet.scrollTo(left, top);
  hideTip();
}

// The zoom at which the whole map is seen: a tall map is as wide as its frame, and may be higher.
function least() {
  const { clientWidth, clientHeight } = $("sheet"), { width, height } = $("sheet").querySelector("svg").viewBox.baseVal;
  return isTall() ? Math.min(1, clientHeight / clientWidth * width / height) : 1;
}

const isTall = () => table().dataset.shape === "tall";

// After another drawing has taken the place of the map.
export const wholeAgain = () => zoomTo(least());

// Show the whole map; if it is shown, a part of it from close by.
// On a phone, the whole map has the whole screen.
export function wholeMap() {
  if (PHONE.matches) return document.body.dataset.map === "large" ? smallMap() : largeMap();
  const isWhole = zoom < least() + .01;
  zoomTo(isWhole ? CLOSE * least() : least());
}

function largeMap() {
  document.body.dataset.map = "large";
  lay();
}

export function smallMap() {
  if (document.body.dataset.map !== "large") return;
  delete document.body.dataset.map;
  lay();
}

function lay() {
  localStorage.removeItem("map");
  zoomTo(least());
}

// On a small screen your turn begins with the whole map, or from close by if you left it so: once, for during the
// turn it stays as you zoom it. A lesson begins with what it is about.
let wasYours = false;
export function fitOnce(isYours) {
  const begins = isYours && !wasYours && PHONE.matches && !$("lesson"), isClose = localStorage.getItem("map") === "close";
  if (begins && !isClose) zoomTo(least());
  else if (begins && zoom < least() + .01) zoomTo(CLOSE * least());
  wasYours = isYours;
}

// Change the frame of the map: a map that is seen as a whole fills the new frame, too.
export function keepWhole(change) {
  const wasWhole = zoom < least() + .01;
  change();
  if (wasWhole && zoom !== least()) zoomTo(least());
}

let drag = null, dragged = false, pinch = null;

function grab(event) {
  const sheet = event.target.closest("#sheet");
  dragged = false;
  if (!sheet || event.pointerType !== "mouse" || event.button) return;
  drag = { x: event.clientX, y: event.clientY, left: sheet.scrollLeft, top: sheet.scrollTop };
}

function pull(event) {
  if (!drag) return;
  const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
  if (!dragged && Math.hypot(dx, dy) < 6) return;
  dragged = true;
  $("sheet").classList.add("dragged");
  $("sheet").scrollTo(drag.left - dx, drag.top - dy);
}

function letGo() {
  drag = null;
  $("sheet")?.classList.remove("dragged");
}

const apart = ([one, two]) => Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);

// A finger is wider than a canal: pick the nearest highlighted element.
export function nearLit(event) {
  let best = null, least = REACH[event.pointerType] ?? 0;
  for (const element of all("#sheet [data-choice]")) {
    const away = element.matches(".line") ? fromLine(element, event) : fromBox(element, event);
    if (away < least) [best, least] = [element, away];
  }
  return best;
}

function fromBox(element, { clientX: x, clientY: y }) {
  const box = element.getBoundingClientRect();
  return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
}

function fromLine(element, event) {
  const path = element.querySelector("path"), matrix = path.getScreenCTM();
  const length = path.getTotalLength();
  let least = Infinity;
  for (let n = 0; n <= 20; n++) {
    const at = path.getPointAtLength(length * n / 20).matrixTransform(matrix);
    least = Math.min(least, Math.hypot(at.x - event.clientX, at.y - event.clientY));
  }
  return least;
}

export const isDragging = () => drag !== null;

// Was this click the end of a drag?
export function endedDragging() {
  const was = dragged;
  dragged = false;
  return was;
}

export function watchMap() {
  document.addEventListener("pointerdown", grab);
  document.addEventListener("pointermove", pull);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, letGo);
  document.addEventListener("wheel", (event) => {
    if (!event.target.closest?.("#sheet") || !(event.ctrlKey || zoom > 1 || !isTall())) return;
    event.preventDefault();
    const turned = Math.max(-STEP, Math.min(STEP, event.deltaY)); // some wheels send many steps at once
    zoomTo(zoom * Math.exp(-turned / 500), event.clientX, event.clientY);
  }, { passive: false });
  document.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2 || !event.target.closest("#sheet")) { pinch = null; return; }
    event.preventDefault();
    const [one, two] = event.touches;
    pinch ??= { apart: apart([one, two]), zoom };
    zoomTo(pinch.zoom * apart([one, two]) / pinch.apart, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
    localStorage.setItem("map", zoom > least() + .01 ? "close" : "whole"); // the next turns begin like this
  }, { passive: false });
}
