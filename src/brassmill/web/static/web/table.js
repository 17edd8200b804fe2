// The table in the browser: clicks, menus, keys, and handling of every response.
// The server knows the rules and draws the page; this script adds only interaction.

import { askFirst, asksFirst, confirmed, dismiss } from "./confirm.js";
import { announce } from "./happened.js";
import { foldRounds, watchRounds } from "./log.js";
import { endedDragging, fitOnce, isDragging, keepWhole, nearLit, shapeWanted, smallMap, watchMap, wholeAgain, wholeMap, zoomBy } from "./map.js";
import { heldCard, isNarrowed, kept, putBack, renew, toggle, wantedKind } from "./narrow.js";
import { $, all, CALM, elementsOf, focusOn, hands, LIT, made, middle, moveFocus, offers, offersOf, PHONE, place, table, TARGETS } from "./page.js";
import { digests, whole } from "./parts.js";
import { toggleSound } from "./sound.js";
import { advised, badges, foresee, isTelling, layDraft, show, step, tell } from "./story.js";
import { fitStrip, watchStrip } from "./strip.js";
import { endedHolding, forget, hideTip, point, watchPointing } from "./tips.js";

const ZOOM = 1.4; // per button click or key
const SLOW = 10000; // milliseconds between polls: a hidden page has no event stream
const PATIENCE = 30000; // milliseconds for a response: until then htmx holds back others for the same target

let busy = false; // waiting for the response to a move
let looking = null; // a poll in progress
let late = null; // a poll overtaken by a move: it would bring an older table
let stale = false; // the table changed meanwhile
let newest = ""; // the stamp that the stream sent last
let isHintClosed = false; // until the coach is asked again: its answer may come later

// --- requests ------------------------------------------------------------------------------------

// A held card is discarded for the choice.
function choose(ids, card = heldCard()) {
  if (busy) return;
  const form = $("choose");
  form.elements.choice.value = ids;
  form.elements.card.value = card;
  form.requestSubmit();
}

// A browser is notified of its own moves too: the response to a move has brought that table already.
const isNewest = () => newest === table().dataset.stamp;

function refresh() {
  if (busy || looking) stale = true;
  else if ($("refresh")) htmx.trigger("#refresh", "refresh");
}

const press = (id) => {
  const button = $(id);
  if (button && !button.disabled && !busy) button.click();
};

// Another frame gets another drawing of the map: a cookie tells the server which one. Updates leave out the
// background, so it is taken from the whole page, if that shows the same table.
async function tellShape() {
  if (document.activeElement?.matches("input, textarea")) return; // the keys of a phone make the frame lower for a while
  const shape = shapeWanted(), isIt = (other) => other?.dataset.shape === shape;
  document.cookie = `shape=${shape};path=/;max-age=31536000;samesite=lax`;
  if (isIt(table()) || !document.cookie.includes(`shape=${shape}`)) return;
  const answer = await fetch(location.href).catch(() => null);
  const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : "", "text/html"), fresh = page.getElementById("table");
  if (!isIt(fresh) || fresh.dataset.stamp !== table().dataset.stamp || isIt(table())) return; // the next update asks again
  $("sheet").replaceChildren(page.querySelector("#sheet > svg"));
  table().dataset.shape = shape;
  mark();
  badges();
  const told = document.querySelector("#lines .told.shown");
  if (told) tell(told, $("board").classList.contains("telling"));
  wholeAgain();
}

// What the map shows of the action in progress and of what is held, beside what the server has drawn.
function mark() {
  elementsOf([table()]).forEach((element) => element.classList.add("chosen"));
  layDraft();
  renew();
}

// --- menus, for several choices in one place -----------------------------------------------------

function openMenu(beside, found, heading) {
  const menu = $("choices");
  menu.replaceChildren();
  if (heading) {
    const head = made("p", heading);
    head.setAttribute("role", "none");
    menu.append(head);
  }
  for (const offer of found) menu.append(entry(offer, beside));
  hideTip();
  menu.showPopover();
  place(menu, beside.getBoundingClientRect());
  table().classList.add("listing");
  mean(found);
  menu.querySelector("button").focus();
  menu.opener = beside;
}

function entry(offer, beside) {
  const { offer: id, price, note } = offer.dataset;
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("role", "menuitem");
  button.textContent = offer.textContent;
  if (note) button.append(made(offer.dataset.wild === undefined ? "small" : "strong", note));
  if (price) button.append(made("b", price));
  button.addEventListener("click", () => { closeMenu(); choose(id); });
  const point = () => {
    const meant = elementsOf([offer]);
    mean([offer]);
    foresee(offer, meant.includes(beside) ? beside : meant[0]);
  };
  button.addEventListener("pointerenter", point);
  button.addEventListener("focus", point);
  return button;
}

function mean(found) {
  all(".meant").forEach((element) => element.classList.remove("meant"));
  elementsOf(found).forEach((element) => element.classList.add("meant"));
}

function closeMenu() {
  const menu = $("choices");
  if (menu.matches(":popover-open")) menu.hidePopover();
}

function menuClosed() {
  table()?.classList.remove("listing");
  mean([]);
  foresee(null);
}

// --- one part at a time on a phone ---------------------------------------------------------------

function showTab(tab) {
  if (document.body.dataset.tab !== tab) keepWhole(() => { document.body.dataset.tab = tab; });
  for (const button of all("#tabs button")) {
    button.setAttribute("aria-pressed", button.dataset.show === tab);
  }
  if (tab === "log") toNewest();
}

function toNewest() {
  const log = $("lines");
  log.scrollTop = log.scrollHeight;
}

function tabs() {
  const lit = new Set(all("section[data-tab] [data-choice]").map((element) => element.closest("section").dataset.tab));
  for (const button of all("#tabs button")) button.classList.toggle("has-lit", lit.has(button.dataset.show));
  const current = document.body.dataset.tab || all("#tabs button")[0].dataset.show;
  const elsewhere = !lit.has(current) && !all("#sheet [data-choice]").length;
  showTab(elsewhere && lit.size ? [...lit][0] : current);
}

// --- clicks --------------------------------------------------------------------------------------

function chosen(element, event) {
  const ids = element.dataset.choice.split(" "), found = offersOf(element);
  if (element.matches("#mat .stack") && table().dataset.asked === "action" && wantedKind() !== "develop") return narrow("tile", element.id);
  const spendsWild = !heldCard() && found.some((offer) => offer.dataset.wild !== undefined);
  if (ids.length === 1 && !spendsWild) return asksFirst(element, event) ? askFirst(element) : choose(ids[0]);
  openMenu(element, found, element.dataset.about);
}

// Take up a card, an action or a tile: only what it can do stays highlighted.
function narrow(part, value) {
  hideTip();
  toggle(part, value);
  narrowed(part !== "card");
}

function narrowed(moves) {
  fitStrip();
  forget();
  tabs();
  if (hands.onKeys && moves && isNarrowed()) focusOn(firstOpen());
}

function clicked(event) {
  if ([endedDragging(), endedHolding()].includes(true)) {
    event.preventDefault();
    return event.stopPropagation();
  }
  const on = (selector) => event.target.closest(selector);
  let element;
  if (on("#menu [popovertarget]")) $("menu").hidePopover(); // what it opens lies over the table alone
  if (on("[data-confirm=yes]")) return choose(confirmed().dataset.choice);
  if (on(".confirm-bill")) return;
  if (confirmed() && !confirmed().contains(event.target) && nearLit(event) !== confirmed()) dismiss();
  if (on("[data-confirm]")) return;
  if ((element = on("[data-choice]"))) return chosen(element, event);
  if ((element = on("[data-uses]"))) return narrow("card", element.id);
  if ((element = on("[data-kind]:not([aria-disabled])")) && element.matches("button")) return narrow("kind", element.dataset.kind);
  if ((element = on("[data-list]"))) return openMenu(element, kept());
  if ((element = on("#develop-it"))) return choose(element.value);
  if (on("#put-back")) return unnarrow();
  if ((element = on("[data-play]"))) return choose(element.dataset.play, "");
  if ((element = on("[data-step]"))) return step(element.dataset.step);
  if ((element = on(".told[data-elements]"))) return tell(element);
  if ((element = on(".idea"))) return show(elementsOf([element]));
  if (on("[data-zoom=whole], [data-zoom=back]")) return showWhole();
  if ((element = on("[data-zoom]"))) return zoomBy(element.dataset.zoom > 0 ? ZOOM : 1 / ZOOM);
  if ((element = on("[data-show]"))) return showTab(document.body.dataset.tab === element.dataset.show ? "none" : element.dataset.show);
  if ((element = on("[data-close]"))) return element.dataset.close === "hint" ? closeHint() : element.dataset.close === "mistake" ? element.closest(".mistake").remove() : closeReasons();
  if (on("#sheet") && !on(".space") && event.detail && (element = nearLit(event))) return chosen(element, event);
  if ((element = on("[data-why], [data-tip]"))) return point(element, 0);
  hideTip();
}

function showWhole() {
  wholeMap();
  tellShape();
  if (hands.onKeys) focusOn(all(".zoom button").find((button) => button.getClientRects().length));
}

function unnarrow() {
  const was = putBack();
  if (was) narrowed(false);
  return was;
}

function closeReasons() {
  const reasons = $("reasons"), was = reasons && !reasons.hidden;
  if (was) reasons.hidden = true;
  return was;
}

function closeHint() {
  isHintClosed = true;
  $("hint").hidden = true;
  $("hint").querySelector("ol").replaceChildren();
  badges();
  show([]);
}

// --- keys ----------------------------------------------------------------------------------------

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEYS = {
  u: () => press("undo"),
  r: () => press("reset"),
  e: () => press("primary"),
  h: () => press("ask-hint"),
  n: () => step(isTelling() ? "1" : "first"),
  l: () => { if (kept().length) openMenu($("question"), kept()); },
  "+": () => zoomBy(ZOOM),
  "-": () => zoomBy(1 / ZOOM),
  m: toggleSound,
  ",": () => press("step-before"), // on an analysis board
  ".": () => press("step-after"),
  "?": () => $("keys").togglePopover(),
};

// Shortcuts can be turned off, for speech input or against stray keys; the browser remembers it.
const lettersAreKeys = () => localStorage.getItem("letters") !== "off";

function keyed(event) {
  hands.onKeys = true;
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea")) return;
  if (document.querySelector("dialog:modal")) return; // it has its own keys
  if (key === "Escape") return escaped();
  if (target.closest("#choices")) return inMenu(event);
  if (document.querySelector("[popover]:popover-open") && key !== "?") return; // it handles its own keys
  if (ARROWS[key]) return move(event);
  if ((key === "Enter" || key === " ") && target.matches("g[role=button]")) {
    event.preventDefault();
    return target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
  const act = KEYS[key];
  if (!act || event.repeat || !lettersAreKeys()) return;
  event.preventDefault();
  act();
}

function escaped() {
  const isOverTable = document.querySelector("[popover]:popover-open");
  hideTip();
  dismiss();
  closeMenu();
  if (closeReasons()) return;
  if (isTelling()) return tell(null);
  if ($("hint") && !$("hint").hidden) closeHint();
  else if (!isOverTable) unnarrow();
  show([]);
}

function inMenu(event) {
  const entries = all("#choices button");
  const here = entries.indexOf(document.activeElement);
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: entries.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  entries[(next + entries.length) % entries.length].focus();
}

// Move the focus to the nearest element in a direction, preferring those straight ahead.
function move(event) {
  if (event.target.closest("#lines, .drawer")) return;
  event.preventDefault();
  const [dx, dy] = ARROWS[event.key];
  const wanted = all(event.shiftKey ? TARGETS : LIT, table()).filter((element) => element.getClientRects().length && !element.closest("#offers, #lines"));
  const here = document.activeElement;
  if (!wanted.includes(here)) return focusOn(firstOpen() || wanted[0]);
  const from = middle(here);
  let best = null, least = Infinity;
  for (const element of wanted) {
    const to = middle(element);
    const ahead = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    const cost = ahead + 2.2 * aside;
    if (element !== here && ahead > 2 && cost < least) [best, least] = [element, cost];
  }
  focusOn(best);
}

const firstOpen = () => $("show-hand")
  || all("#primary:not([data-choice])")[0]
  || all("#hand [data-choice], #sheet [data-choice], #mat [data-choice], #markets [data-choice]").find((element) => element.getClientRects().length)
  || $("primary") || all(LIT, table())[0];

// --- after a response ----------------------------------------------------------------------------

let lastLine = "";

function settled() {
  if (isHintClosed) $("hint").hidden = true;
  document.title = table().dataset.title;
  closeMenu();
  dismiss();
  mark();
  fitStrip();
  forget();
  tabs();
  badges();
  for (const pace of all("#menu [name=pace]")) pace.setAttribute("aria-pressed", pace.value === table().dataset.pace);
  foldRounds();
  toNewest();
  const last = all("#lines .told").at(-1);
  const news = last && last.parentElement.id !== lastLine;
  lastLine = last ? last.parentElement.id : "";
  fitOnce(table().dataset.yours === "1");
  if (table().dataset.yours === "1" && !all("#sheet [data-choice]").length) smallMap(); // what is asked is elsewhere
  tellShape();
  if (table().hasAttribute("data-over")) tell(null); // who has won is what matters now
  else if (table().dataset.yours === "1") {
    tell(null);
    reveal();
  } else if (news && last.closest(".fresh")) tell(last, false);
  if ($("cover")) moveFocus($("show-hand"));
  else if (hands.onKeys && !table().contains(document.activeElement)) moveFocus(firstOpen() || $("question"));
  else if (hands.onKeys && document.activeElement?.matches("[data-why], :not([data-choice])") && table().dataset.yours === "1") moveFocus(firstOpen());
  for (const drawer of all(".drawer:popover-open .drawn")) htmx.trigger(drawer, "fetch");
}

// A map seen from close by: scroll to what can be chosen.
function reveal() {
  if (!PHONE.matches) return;
  const frame = $("sheet").getBoundingClientRect();
  const lit = all("#sheet [data-choice]");
  const seen = lit.some((element) => {
    const { x, y } = middle(element);
    return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
  });
  if (!seen) lit[0]?.scrollIntoView({ block: "center", inline: "center", behavior: CALM.matches ? "auto" : "smooth" });
}

// --- event handlers ------------------------------------------------------------------------------

function begin() {
  htmx.config.morphIgnore.push("open");
  htmx.config.defaultTimeout = PATIENCE;
  document.addEventListener("click", clicked, true);
  document.addEventListener("keydown", keyed);
  document.addEventListener("pointerdown", () => { hands.onKeys = false; });
  $("letters").checked = lettersAreKeys();
  $("letters").addEventListener("change", ({ target }) => localStorage.setItem("letters", target.checked ? "on" : "off"));
  watchMap();
  watchRounds();
  watchStrip();
  watchPointing(isDragging);
  $("choices").addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    menuClosed();
    if (hands.onKeys && event.target.opener?.isConnected) focusOn(event.target.opener);
  });
  document.addEventListener("toggle", (event) => {
    if (event.newState === "open" && event.target.dataset?.drawer) htmx.trigger(event.target.querySelector(".drawn"), "fetch");
  }, true);
  document.addEventListener("pointerover", (event) => {
    const idea = event.target.closest?.(".idea");
    if (idea) show(elementsOf([idea]));
  });

  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.sourceElement?.id === "stream" && document.hidden) event.preventDefault();
    if (ctx.sourceElement?.id === "ask-hint") isHintClosed = false;
    if (ctx.sourceElement?.id === "hint" && isHintClosed) event.preventDefault();
    if (ctx.target?.id !== "table") return;
    ctx.request.headers["Brass-Parts"] = digests();
    if (ctx.request.method === "GET") { looking = ctx; return; }
    busy = true;
    if (looking) { late = looking; stale = true; }
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.target?.id !== "table" || ctx.response.status !== 200) return;
    ctx.text = whole(ctx.text);
    if (ctx.text !== null) return;
    event.preventDefault(); // a part is missing
    location.reload();
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.target?.id !== "table") return;
    if (ctx === looking) looking = null;
    if (ctx.request.method !== "GET") busy = false;
    if (stale && !busy && !looking) { stale = false; if (!isNewest()) refresh(); }
  });
  document.addEventListener("htmx:before:swap", (event) => {
    const { target, response, request } = event.detail.ctx;
    if (event.detail.ctx === late) event.preventDefault();
    if (!response || response.status < 400 || target?.id === "chat") return; // the chat shows its own errors
    event.preventDefault(); // an error page is not a table
    if (request.method === "POST") location.reload();
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const { target, request, response } = event.detail.ctx;
    if (response?.status === 204) return; // nothing new
    // With their confirmation.
    if (/\/(leave|concede|ask)\/$/.test(request?.action)) for (const open of all("[popover]:popover-open")) open.hidePopover();
    if (target?.id === "table") { settled(); announce(request); }
    if (target?.id === "hint") isHintClosed ? closeHint() : advised();
    if (target?.id === "reasons" && hands.onKeys) focusOn($("reasons"));
  });
  $("stream")?.addEventListener("moved", (event) => {
    newest = event.detail.data;
    if (!isNewest()) refresh();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  setInterval(refresh, SLOW);
  addEventListener("resize", tellShape);
  settled();
}

begin();
