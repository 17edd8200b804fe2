// Shown on the map: log lines, the coach's suggestions, and the tile a build would place.

import { $, all, PHONE, hands, elementsOf, meet, focusOn, table } from "./page.js";

const BADGE = 13; // the radius of the number of a suggestion, in the units of its picture

let told = null; // the log line being shown

export const isTelling = () => told !== null;

const lines = () => {
  const fresh = all("#lines .fresh .told");
  return fresh.length ? fresh : all("#lines .told");
};

export function show(elements, dim = true) {
  all(".touched").forEach((element) => element.classList.remove("touched"));
  elements.forEach((element) => element.classList.add("touched"));
  const onMap = elements.some((element) => element.closest("#sheet"));
  $("board").classList.toggle("telling", dim && onMap);
  elements.find((element) => element.closest("#sheet"))?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// Tell a line in the action bar: its title and its figures, with the places it is about lit up. A line
// that the reader asks for dims the rest, and its round is unfolded.
export function tell(line, dim = true) {
  all(".told.shown").forEach((other) => other.classList.remove("shown"));
  told = line ? line.parentElement.id : null;
  const story = $("story");
  if (story) story.hidden = !line;
  show(line ? elementsOf([line]) : [], dim);
  if (!line || !story) return;
  if (dim) line.closest("details").open = true;
  line.classList.add("shown");
  line.scrollIntoView({ block: "nearest" });
  const among = lines().includes(line) ? lines() : all("#lines .told");
  story.querySelector(".place").textContent = `${among.indexOf(line) + 1}/${among.length}`;
  story.querySelector(".title").innerHTML = line.innerHTML;
  story.querySelector(".figures").innerHTML = line.nextElementSibling?.innerHTML ?? "";
}

export function step(by) {
  if (by === "0") return tell(null);
  const current = told && $(told)?.querySelector(".told");
  const among = current && !lines().includes(current) ? all("#lines .told") : lines();
  if (by === "first") return tell(among[0]);
  const next = among[among.indexOf(current) + Number(by)];
  if (next) tell(next);
}

// Show the tile of a build, faintly, where it would be placed, and its price.
export function foresee(offer, space) {
  all(".foreseen").forEach((tile) => tile.remove());
  if (offer && space) ghost(offer.dataset, space, "foreseen");
}

// The same for a build whose card is still to be chosen.
export function layDraft() {
  all(".laid").forEach((tile) => tile.remove());
  const [space] = elementsOf([table()]);
  if (space) ghost(table().dataset, space, "laid");
}

function ghost({ tile: stack, price }, space, kind) {
  const tile = stack && $(stack)?.querySelector(".tile"), floor = space.querySelector(".floor, .face");
  if (!tile || !floor) return;
  const middle = ({ x, y, width }) => [x, y].map((side) => side.baseVal.value + width.baseVal.value / 2);
  const face = tile.querySelector(".face"), scale = .96 * floor.width.baseVal.value / face.width.baseVal.value;
  const copy = tile.cloneNode(true), group = draw("g", { class: kind });
  copy.setAttribute("transform", `translate(${middle(floor)}) scale(${scale}) translate(${middle(face).map((side) => -side)})`);
  group.append(copy);
  if (price) group.append(priceTag(price, middle(floor)[0], floor.y.baseVal.value + floor.height.baseVal.value - 10));
  space.append(group);
}

function priceTag(price, x, y) {
  const width = 9.5 * price.length + 9, tag = draw("g", { class: "price-tag" });
  const text = draw("text", { x, y: y + 5 });
  text.textContent = price;
  tag.append(draw("rect", { x: x - width / 2, y: y - 10, width, height: 20, rx: 5 }), text);
  return tag;
}

function draw(name, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

export function badges() {
  all(".badge-of-hint").forEach((badge) => badge.remove());
  for (const idea of all("#hint .idea")) {
    const [first] = elementsOf([idea]);
    if (first) badge(first, idea.dataset.rank);
  }
}

export function advised() {
  badges();
  const [best] = all("#hint .idea");
  if (best && PHONE.matches) elementsOf([best])[0]?.scrollIntoView({ block: "center" });
  if (best && hands.onKeys) focusOn(best);
}

// Place the number of a suggestion where it hides least, preferably not over another. It is drawn last in
// its picture, so that no label hides it.
function badge(element, rank) {
  const picture = element.ownerSVGElement;
  if (!picture) return;
  const group = draw("g", { class: "badge-of-hint" });
  const text = draw("text", { y: 6 });
  text.textContent = rank;
  group.append(draw("circle", { r: BADGE }), text);
  const boxes = (found) => found.filter((other) => other !== element).map((other) => other.getBoundingClientRect());
  const badges = boxes(all(".badge-of-hint")), others = boxes(all(element.closest("#sheet") ? ".space, .label" : "text", picture));
  picture.append(group);
  const matrix = picture.getScreenCTM().inverse().multiply(element.getScreenCTM());
  let best = null, least = Infinity;
  for (const spot of spots(element)) {
    const { x, y } = new DOMPoint(spot.x, spot.y).matrixTransform(matrix);
    group.setAttribute("transform", `translate(${x} ${y})`);
    const box = group.getBoundingClientRect(), hidden = (found) => found.filter((other) => meet(box, other)).length;
    const cost = 9 * hidden(badges) + hidden(others);
    if (cost < least) [best, least] = [group.getAttribute("transform"), cost];
  }
  group.setAttribute("transform", best);
}

// Along a line, or at the corners of anything else: on the map outside them, where there is room; beside
// the map inside them, or the edge of their panel would cut it.
function spots(element) {
  const path = element.matches(".line") && element.querySelector("path");
  if (path) return [.5, .35, .65, .22, .78].map((share) => path.getPointAtLength(path.getTotalLength() * share));
  const box = element.getBBox(), out = element.closest("#sheet") ? 7 : -BADGE - 1;
  const [left, right, top, bottom] = [box.x - out, box.x + box.width + out, box.y - out, box.y + box.height + out];
  const middle = box.y + box.height / 2; // where a name is above a space, and others are below it
  const places = [[left, top], [right, top], [left, bottom], [right, bottom], [left, middle], [right, middle]];
  return places.map(([x, y]) => ({ x, y }));
}
