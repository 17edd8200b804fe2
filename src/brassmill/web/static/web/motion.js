// Motion that explains an update: cards go to the discard pile, cubes and barrels travel to what uses
// them, tiles are placed and flipped, links are laid, money counts. It plays what the server says has
// happened and knows no rules. Nothing waits for it: the page below has its final state already, and
// a click, a key or the next update ends all motion at once. With reduced motion there is none.

import { $, all, CALM } from "./page.js";

const TIME = 260; // milliseconds
const NEXT = 45; // between things that travel the same way
const LATER = 200; // until something flips, or leaves what has just been built
const READING = 900; // how long the change of a figure is shown beside it
const LINE = 24; // pixels from one change to the next
const EASE = "cubic-bezier(.3,.7,.2,1)";

const running = new Map(); // animations, and the element that goes with each, if it was made for it
const counting = new Map(); // figures and their final text
let before = null; // what the update is about to replace

const canMove = () => !CALM.matches && !document.hidden;

function run(id, element, frames, { made, ...options } = {}) {
  const animation = element.animate(frames, { id, duration: TIME, easing: EASE, ...options });
  running.set(animation, made);
  const done = () => { made?.remove(); running.delete(animation); };
  animation.finished.then(done, done); // rejected when it is cancelled
}

function endAll() {
  for (const [animation, made] of running) {
    made?.remove();
    animation.cancel();
  }
  running.clear();
  for (const [figure, text] of counting) figure.textContent = text;
  counting.clear();
}

// --- before an update ----------------------------------------------------------------------------

const boxesOf = (selector) => all(selector).map((element) => element.getBoundingClientRect());

function look() {
  const hand = $("hand");
  return {
    shape: $("table").dataset.shape,
    cards: new Map(hand ? all(".card", hand).map((card) => [card.id, cardOf(card.closest("svg"))]) : []),
    seat: hand?.dataset.seat,
    faces: new Map(all("#sheet .tile:not(.flipped, .foreseen *, .laid *)").map((tile) => [tile.parentNode.id, tile.cloneNode(true)])),
    cubes: { coal: boxesOf("#coal-market .cube"), iron: boxesOf("#iron-market .cube") },
    figures: new Map(figures().map((figure) => [figure.id, figure.textContent])),
    rows: new Map(all("#players > ol > li").map((row) => [row.id, row.getBoundingClientRect()])),
  };
}

const cardOf = (picture) => ({ box: picture.getBoundingClientRect(), picture: picture.cloneNode(true) });
const figures = () => all("#players b[id], #purse-cash");

// --- where things are ----------------------------------------------------------------------------

const isShown = (box) => box && box.width > 0;
const boxOf = (element) => element && [element.getBoundingClientRect()].find(isShown);
const firstShown = (...selectors) => selectors.map((selector) => boxOf(document.querySelector(selector))).find(Boolean);

const player = (seat) => firstShown(`#player-${seat}`, "#tabs [data-show=players]");
const pile = () => firstShown("#mat [popovertarget=discards-drawer]", "#tabs [data-show=mat]", "[popovertarget=menu]");

// An element by its id; on a phone it may be behind a tab, and mats of others are not shown.
function placeOf(id) {
  const element = $(id);
  if (element?.closest("#sheet")) return inFrame(element.getBoundingClientRect());
  const [kind, seat] = id.split("-");
  return boxOf(element)
    ?? (id.endsWith("-market") ? firstShown("#tabs [data-show=markets]") : undefined)
    ?? (kind === "mat" ? (element && firstShown("#tabs [data-show=mat]")) || player(seat) : undefined);
}

// What is scrolled out of the map's frame comes from its edge.
function inFrame(box) {
  const frame = $("sheet").getBoundingClientRect(), { x, y } = centre(box);
  const within = (value, least, most) => Math.min(Math.max(value, least), most);
  return new DOMRect(within(x, frame.left, frame.right), within(y, frame.top, frame.bottom));
}

const centre = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

// --- the moves -----------------------------------------------------------------------------------

function show(moves) {
  const travels = new Map(); // how many have left each source already
  const markets = { coal: changed("coal"), iron: changed("iron") };
  const built = new Set(moves.filter(([kind]) => kind === "tile").map(([, , space]) => space));
  for (const [kind, ...words] of moves) MOVES[kind]?.(...words, { travels, markets, built });
}

const MOVES = {
  card(seat, id) {
    const own = seat === before.seat && before.cards.get(id), end = pile();
    if (!end) return;
    if (own && isShown(own.box)) discard(own, end);
    else if (player(seat)) travel("card", "card", [player(seat), end]);
  },
  tile(seat, id) {
    const tile = $(id)?.querySelector(".tile");
    if (tile) run("tile", tile, aroundCentre({ transform: "scale(1.5)", opacity: 0 }, { transform: "none", opacity: 1 }));
  },
  link(seat, id) {
    const line = $(id);
    if (!line?.matches(".built")) return;
    for (const path of all(".case, .link", line)) {
      const length = path.getTotalLength(), strokeDasharray = `${length} ${length}`;
      run("link", path, [{ strokeDasharray, strokeDashoffset: length }, { strokeDasharray, strokeDashoffset: 0 }], { easing: "linear" });
    }
    for (const part of all(".core, .badge, .own", line)) run("link", part, [{ opacity: 0 }, { opacity: 0, offset: .7 }, { opacity: 1 }]);
    lead(line.querySelector(".link"), seat);
  },
  cube(goods, from, to, { travels, markets, built }) {
    const start = (from === `${goods}-market` && markets[goods].gone.shift()) || placeOf(from);
    const end = (to === `${goods}-market` && markets[goods].come.pop()) || placeOf(to);
    if (!start || !end) return;
    const number = travels.get(from) ?? 0;
    travels.set(from, number + 1);
    travel("cube", goods, [start, end], number * NEXT + (built.has(from) ? LATER : 0));
  },
  flip(id) {
    const space = $(id), tile = space?.querySelector(".tile.flipped"), front = before.faces.get(id);
    if (!tile) return;
    run("flip", tile, aroundCentre({ transform: "scaleX(0)" }, { transform: "scaleX(0)", offset: .5 }, { transform: "none" }), { delay: LATER, fill: "backwards" });
    if (!front) return;
    space.append(front); // the side that was up, as long as it still is
    run("flip", front, aroundCentre({ transform: "none" }, { transform: "scaleX(0)", offset: .5 }, { transform: "scaleX(0)" }), { delay: LATER, fill: "both", made: front });
  },
};

const aroundCentre = (...frames) => frames.map((frame) => ({ transformBox: "fill-box", transformOrigin: "center", ...frame }));

// The cubes of a market that left, cheapest first, and those that arrived.
function changed(name) {
  const now = boxesOf(`#${name}-market .cube`).filter(isShown), was = before.cubes[name].filter(isShown);
  const isIn = (boxes) => (box) => boxes.some((other) => Math.hypot(box.x - other.x, box.y - other.y) < 1);
  return { gone: was.filter((box) => !isIn(now)(box)), come: now.filter((box) => !isIn(was)(box)) };
}

// --- things that exist only while they move ------------------------------------------------------

function made(kind) {
  const thing = document.createElement("i");
  thing.className = `flying ${kind}`;
  thing.inert = true;
  document.body.append(thing);
  return thing;
}

function travel(id, kind, [start, end], delay = 0) {
  const thing = made(kind);
  const at = (box) => { const { x, y } = centre(box); return `translate(${x}px,${y}px) translate(-50%,-50%)`; };
  run(id, thing, [{ transform: at(start), opacity: 1 }, { transform: at(end), opacity: 1, offset: .9 }, { transform: at(end), opacity: 0 }],
    { delay, easing: "ease-in-out", fill: "both", made: thing });
}

// The player's own card, as it lay in the hand.
function discard({ box, picture }, pile) {
  for (const part of [picture, ...picture.querySelectorAll("*")]) {
    for (const name of ["id", "role", "tabindex", "aria-pressed", "data-uses", "data-choice", "data-why"]) part.removeAttribute(name);
  }
  const card = made("own-card"), { x, y } = centre(pile);
  card.style.width = `${box.width}px`;
  card.append(picture);
  run("card", card, [
    { transform: `translate(${box.left}px,${box.top}px)`, opacity: 1 },
    { transform: `translate(${x - box.width / 2}px,${y - box.height / 2}px) scale(.3) rotate(-9deg)`, opacity: .9, offset: .9 },
    { transform: `translate(${x - box.width / 2}px,${y - box.height / 2}px) scale(.3) rotate(-9deg)`, opacity: 0 },
  ], { easing: "ease-in-out", fill: "both", made: card });
}

// A boat, or an engine, goes ahead while a link is laid.
function lead(path, seat) {
  const matrix = path.getScreenCTM(), length = path.getTotalLength(), thing = made(`lead of-${seat}`);
  const steps = Array.from({ length: 9 }, (_, n) => path.getPointAtLength(length * n / 8).matrixTransform(matrix));
  run("link", thing, steps.map(({ x, y }) => ({ transform: `translate(${x}px,${y}px) translate(-50%,-50%)` })), { easing: "linear", fill: "both", made: thing });
}

// --- figures and rows ----------------------------------------------------------------------------

const plain = (text) => Number(text.replace("−", "-").replace(/[^\d-]/g, ""));

function count() {
  for (const figure of figures()) {
    const was = before.figures.get(figure.id), now = figure.textContent;
    if (was === undefined || was === now || !boxOf(figure)) continue;
    const change = plain(now) - plain(was);
    if (change && figure.closest("#players")) note(figure, change);
    if (/^£?\d+$/.test(was) && /^£?\d+$/.test(now)) roll(figure, plain(was), plain(now));
  }
}

function roll(figure, from, to) {
  const text = figure.textContent, start = performance.now();
  counting.set(figure, text);
  const step = (time) => {
    if (counting.get(figure) !== text) return; // ended
    const share = Math.min(1, Math.max(0, (time - start) / TIME));
    figure.textContent = text.replace(/\d+/, Math.round(from + (to - from) * share));
    if (share < 1) requestAnimationFrame(step);
    else counting.delete(figure);
  };
  step(start);
}

// The change of a figure, with its symbol or unit, beside the player's row, where it hides no other figure.
function note(figure, change) {
  const player = figure.closest("li"), row = player.getBoundingClientRect(), word = made(`change beside-${player.id}`);
  const amount = `${change > 0 ? "+" : "−"}${figure.textContent.startsWith("£") ? "£" : ""}${Math.abs(change)}`;
  const symbol = figure.parentNode.matches(".figure") && figure.parentNode.querySelector("svg").cloneNode(true);
  const unit = figure.parentNode.matches(".vp") ? figure.nextSibling.textContent : "";
  word.append(symbol || "", amount, unit);
  const above = all(`.beside-${player.id}`).length - 1;
  const at = `translate(max(4px,${row.left - 4}px - 100%),${row.top + 4 + above * LINE}px)`;
  run("change", word, [{ transform: at, opacity: 0 }, { transform: at, opacity: 1, offset: .15 }, { transform: at, opacity: 1, offset: .8 }, { transform: at, opacity: 0 }],
    { duration: READING, fill: "both", made: word });
}

// Players change places.
function slide() {
  for (const row of all("#players > ol > li")) {
    const was = before.rows.get(row.id), now = row.getBoundingClientRect();
    if (!isShown(was) || !isShown(now) || Math.abs(was.top - now.top) < 6) continue;
    run("row", row, [{ transform: `translate(${was.left - now.left}px,${was.top - now.top}px)` }, { transform: "none" }]);
  }
}

// --- around every update -------------------------------------------------------------------------

document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  if (ctx.target?.id !== "table") return;
  endAll();
  before = canMove() ? look() : null;
});

document.addEventListener("happened", ({ detail: { moves } }) => {
  if (!before || !canMove() || before.shape !== $("table").dataset.shape) return;
  const isEra = moves.some(([kind]) => kind === "era" || kind === "end"); // too much changes at once
  if (!isEra) show(moves);
  count(); // at the final positions, so before the rows start to slide
  slide();
  before = null;
});

for (const end of ["pointerdown", "keydown"]) document.addEventListener(end, endAll, true);
document.addEventListener("visibilitychange", endAll);
window.addEventListener("resize", endAll);
