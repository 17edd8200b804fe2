// Narrow down what can be chosen: to what a held card can do, to an action, to a tile of the mat.
// The server says what each card can be used for; here the rest is only set aside.

import { $, all, offers, table } from "./page.js";

const NOTHING = { card: "", kind: "", tile: "" };
let wanted = { ...NOTHING }; // a card and a tile by their elements, an action by its kind
let since = ""; // the stamp of the table for which it holds

export const heldCard = () => wanted.card;
export const wantedKind = () => wanted.kind;
export const isNarrowed = () => Object.values(wanted).some(Boolean);

// Take up a card, an action or a tile; the same again puts it back.
export function toggle(part, value) {
  want({ ...wanted, ...(part === "kind" && { tile: "" }), [part]: wanted[part] === value ? "" : value });
}

// Put back what was taken up last, as Escape does; false if there was nothing.
export function putBack() {
  const last = ["tile", "kind", "card"].find((part) => wanted[part]);
  if (last) want({ ...wanted, [last]: "" });
  return !!last;
}

function want(next) {
  wanted = next;
  if (isNarrowed() && !kept().length) wanted = { ...NOTHING, card: wanted.card }; // the card does not allow the action
  since = table().dataset.stamp;
  apply();
}

// After a response: a move uses up what was taken up.
export function renew() {
  if (!isNarrowed()) return;
  if (since !== table().dataset.stamp || (wanted.card && !$(wanted.card)?.dataset.uses)) wanted = { ...NOTHING };
  apply();
}

const withCard = () => {
  if (!wanted.card) return offers();
  const uses = new Set($(wanted.card).dataset.uses.split(" "));
  return offers().filter((offer) => uses.has(offer.dataset.offer));
};

// The choices that are left.
export const kept = () => withCard()
  .filter((offer) => !wanted.kind || offer.dataset.kind === wanted.kind)
  .filter((offer) => !wanted.tile || offer.dataset.elements.split(" ").includes(wanted.tile));

// --- on the page ---------------------------------------------------------------------------------

const idsOf = (found) => new Set(found.map((offer) => offer.dataset.offer));

function apply() {
  const usable = withCard(), left = kept();
  const isUsable = idsOf(usable), isLeft = idsOf(left);
  for (const element of all("[data-choice], [data-all]", table())) {
    const choices = (element.dataset.all ??= element.dataset.choice).split(" ");
    const isOpen = element.matches(".game-action") ? isUsable : isLeft; // another action is one click away
    light(element, choices.filter((id) => isOpen.has(id)), choices.some((id) => isUsable.has(id)));
  }
  for (const action of all(".game-action[data-kind]")) count(action, usable.filter((offer) => offer.dataset.kind === action.dataset.kind).length);
  for (const card of all("[data-uses]")) card.setAttribute("aria-pressed", card.id === wanted.card);
  for (const stack of all("#mat .stack")) stack.classList.toggle("wanted", stack.id === wanted.tile);
  table().dataset.held = wanted.card;
  table().dataset.mode = modeOf(left);
  say(left);
}

function light(element, choices, isUsable) {
  const { dataset } = element;
  element.classList.toggle("lit", choices.length > 0);
  element.toggleAttribute("data-why", !choices.length && !isUsable); // only the card speaks against it
  if (choices.length) dataset.choice = choices.join(" ");
  else delete dataset.choice;
  if (element.hasAttribute("tabindex")) element.setAttribute("tabindex", choices.length ? 0 : -1);
  relabel(element, choices);
  if (!isNarrowed()) delete dataset.all;
}

// The label of what stands for several choices names those that are left.
function relabel(element, choices) {
  const { dataset } = element;
  if (!dataset.about) return;
  dataset.label ??= element.getAttribute("aria-label");
  const words = offers().filter((offer) => choices.includes(offer.dataset.offer)).map(labelOf);
  const isWhole = choices.length === dataset.all.split(" ").length;
  const said = words.length > 1 ? `${dataset.about}: ${words.join(" / ")}` : words[0] ?? dataset.about;
  element.setAttribute("aria-label", isWhole ? dataset.label : said);
  if (!isNarrowed()) delete dataset.label;
}

const labelOf = (offer) => [offer.textContent, offer.dataset.price, offer.dataset.note].filter(Boolean).join(", ");

const plural = new Intl.PluralRules(document.documentElement.lang);

function count(action, ways) {
  const { name } = action.dataset;
  const words = action.dataset[plural.select(ways)] ?? action.dataset.other;
  action.classList.toggle("lit", ways > 0);
  action.toggleAttribute("data-why", !ways);
  if (ways) action.removeAttribute("aria-disabled");
  else action.setAttribute("aria-disabled", "true");
  action.setAttribute("aria-pressed", action.dataset.kind === wanted.kind);
  action.setAttribute("aria-label", ways ? `${name}: ${words.replace("{number}", ways)}` : name);
  action.querySelector("small").textContent = ways || "";
}

const modeOf = (left) => {
  if (wanted.tile) return left.some((offer) => offer.dataset.kind === "build") ? "tile" : "tile-only";
  return wanted.kind || (wanted.card && "card");
};

// What is asked now, in the words that the server has sent.
function say(left) {
  const line = $("narrowed");
  if (!line) return;
  const { mode } = table().dataset;
  for (const words of all("[data-when]", line)) words.hidden = words.dataset.when !== mode;
  const held = $("held-card");
  held.hidden = !wanted.card;
  held.textContent = wanted.card ? $(wanted.card).dataset.name : "";
  const develop = $("develop-it"), offer = wanted.tile && left.find((each) => each.dataset.kind === "develop");
  develop.hidden = !offer;
  develop.value = offer ? offer.dataset.offer : "";
  line.hidden = !isNarrowed();
}
