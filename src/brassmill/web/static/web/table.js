// The table in the browser: clicks, keys, and words beside what is pointed at.
// The server knows the rules and draws the page; here is only what a page cannot do by itself.
"use strict";

(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const table = () => $("table");
  const PHONE = matchMedia("(max-width: 46rem)");
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  const LIT = '[data-choice], [data-kind], #primary, [data-play]';
  const REACH = { touch: 24, pen: 16, mouse: 10 }; // pixels between a pointer and what it means
  const SLOW = 10000; // milliseconds after which a page looks for news in any case: a hidden one has no stream
  const TARGETS = `${LIT}, [data-why]`;

  let busy = false; // the answer to something that was done is awaited
  let looking = null; // a look for news that is on its way: nobody waits for it
  let stale = false; // something moved meanwhile
  let byKeys = false; // the last thing that was done was done with keys

  // --- asking the server -------------------------------------------------------------------------

  function choose(ids) {
    if (busy) return;
    const form = $("choose");
    form.elements.choice.value = ids;
    form.requestSubmit();
  }

  function refresh() {
    if (busy || looking) stale = true;
    else if ($("refresh")) htmx.trigger("#refresh", "refresh");
  }

  const press = (id) => {
    const button = $(id);
    if (button && !button.disabled && !busy) button.click();
  };

  // The map of a phone is another drawing: the server is told by a cookie which one is wanted.
  function tellShape() {
    const shape = PHONE.matches ? "tall" : "wide";
    document.cookie = `shape=${shape};path=/;max-age=31536000;samesite=lax`;
    if (table().dataset.shape !== shape && document.cookie.includes(`shape=${shape}`)) location.reload();
  }

  // --- menus: several choices in one place -------------------------------------------------------

  const offers = () => all("#offers > li");

  function openMenu(beside, found, heading) {
    const menu = $("choices");
    menu.replaceChildren();
    if (heading) {
      const head = made("p", heading);
      head.setAttribute("role", "none");
      menu.append(head);
    }
    for (const offer of found) menu.append(entry(offer));
    hideTip();
    menu.showPopover();
    place(menu, beside.getBoundingClientRect());
    table().classList.add("listing");
    mean(found);
    menu.querySelector("button").focus();
    menu.opener = beside;
  }

  function entry(offer) {
    const { offer: id, price, note } = offer.dataset;
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("role", "menuitem");
    button.textContent = offer.textContent;
    if (note) button.append(made("small", note));
    if (price) button.append(made("b", price));
    button.addEventListener("click", () => { closeMenu(); choose(id); });
    const point = () => mean([offer]);
    button.addEventListener("pointerenter", point);
    button.addEventListener("focus", point);
    return button;
  }

  function made(name, text) {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  }

  function mean(found) {
    all(".meant").forEach((element) => element.classList.remove("meant"));
    elementsOf(found).forEach((element) => element.classList.add("meant"));
  }

  const elementsOf = (holders) => holders
    .flatMap((holder) => (holder.dataset.elements || "").split(" "))
    .map((id) => id && $(id)).filter(Boolean);

  function closeMenu() {
    const menu = $("choices");
    if (menu.matches(":popover-open")) menu.hidePopover();
  }

  function menuClosed() {
    table()?.classList.remove("listing");
    mean([]);
  }

  function place(box, beside) {
    const { width, height } = box.getBoundingClientRect();
    const margin = 8;
    const left = Math.min(Math.max(margin, beside.left + beside.width / 2 - width / 2), innerWidth - width - margin);
    const above = beside.top - height - margin, below = beside.bottom + margin;
    const top = above >= margin ? above : Math.min(below, innerHeight - height - margin);
    box.style.left = `${left}px`;
    box.style.top = `${Math.max(margin, top)}px`;
  }

  // --- words beside what is pointed at -----------------------------------------------------------

  let pointed = null, waiting = 0;
  const known = new Map(); // answers for the table as it is

  function point(element, delay) {
    if (element === pointed) return;
    hideTip();
    pointed = element;
    waiting = setTimeout(() => showTip(element), delay);
  }

  async function showTip(element) {
    const tip = $("tip");
    const ids = (element.dataset.choice || "").split(" ");
    const several = ids.length > 1 ? offers().filter((offer) => ids.includes(offer.dataset.offer)) : [];
    const { about } = element.dataset;
    const head = (several.length && about) || element.getAttribute("aria-label") || element.textContent.trim();
    tip.replaceChildren(Object.assign(made("p", head), { className: "head" }), ...several.map(line));
    tip.hidden = false;
    place(tip, element.getBoundingClientRect());
    const more = await ask(element);
    if (pointed !== element || !element.isConnected || !more) return;
    tip.innerHTML = more.includes('class="what"') ? more : tip.innerHTML + more;
    place(tip, element.getBoundingClientRect());
    if (byKeys && "why" in element.dataset) $("spoken").textContent = tip.textContent;
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
      if (answer?.status !== 200) return ""; // the server is away, or knows nothing of it
      known.set(key, await answer.text());
    }
    return known.get(key);
  }

  function hideTip() {
    clearTimeout(waiting);
    pointed = null;
    $("tip").hidden = true;
  }

  // --- what happened: lines of the log and ideas, shown on the map -------------------------------

  let told = null; // the line that is being shown

  const lines = () => {
    const fresh = all("#lines .fresh .told");
    return fresh.length ? fresh : all("#lines .told");
  };

  function show(elements, dim = true) {
    all(".touched").forEach((element) => element.classList.remove("touched"));
    elements.forEach((element) => element.classList.add("touched"));
    const onMap = elements.some((element) => element.closest("#sheet"));
    $("board").classList.toggle("telling", dim && onMap);
    elements.find((element) => element.closest("#sheet"))?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function tell(line, dim = true) {
    all(".told.shown").forEach((other) => other.classList.remove("shown"));
    told = line ? line.parentElement.id : null;
    const story = $("story");
    story.hidden = !line;
    show(line ? elementsOf([line]) : [], dim);
    if (!line) return;
    line.classList.add("shown");
    line.scrollIntoView({ block: "nearest" });
    const among = lines().includes(line) ? lines() : all("#lines .told");
    story.querySelector(".place").textContent = `${among.indexOf(line) + 1}/${among.length}`;
    story.querySelector(".words").innerHTML = line.innerHTML;
    const frame = $("board").getBoundingClientRect();
    const high = elementsOf([line]).some((element) => middle(element).y < frame.top + frame.height / 3);
    story.classList.toggle("low", high);
  }

  function step(by) {
    if (by === "0") return tell(null);
    const current = told && $(told)?.querySelector(".told");
    const among = current && !lines().includes(current) ? all("#lines .told") : lines();
    if (by === "first") return tell(among[0]);
    const next = among[among.indexOf(current) + Number(by)];
    if (next) tell(next);
  }

  function badges() {
    all(".badge-of-hint").forEach((badge) => badge.remove());
    for (const idea of all("#hint .idea")) {
      const [first] = elementsOf([idea]);
      if (first) badge(first, idea.dataset.rank);
    }
  }

  function advised() {
    badges();
    const [best] = all("#hint .idea");
    if (best && PHONE.matches) elementsOf([best])[0]?.scrollIntoView({ block: "center" });
    if (best && byKeys) focusOn(best);
  }

  // The ranks of ideas lie where they hide least, and never over each other.
  function badge(element, rank) {
    if (!element.ownerSVGElement) return;
    const draw = (name, attributes) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      return node;
    };
    const group = draw("g", { class: "badge-of-hint" });
    const text = draw("text", { y: 6 });
    text.textContent = rank;
    group.append(draw("circle", { r: 13 }), text);
    const boxes = (found) => found.filter((other) => other !== element).map((other) => other.getBoundingClientRect());
    const badges = boxes(all(".badge-of-hint")), others = boxes(all(".space, .label", element.parentNode));
    element.parentNode.append(group);
    let best = null, least = Infinity;
    for (const { x, y } of spots(element)) {
      group.setAttribute("transform", `translate(${x} ${y})`);
      const box = group.getBoundingClientRect(), hidden = (found) => found.filter((other) => meet(box, other)).length;
      const cost = 9 * hidden(badges) + hidden(others);
      if (cost < least) [best, least] = [group.getAttribute("transform"), cost];
    }
    group.setAttribute("transform", best);
  }

  const meet = (one, two) => one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;

  // Along a line, or at the corners of anything else: outside on the map, where there is room.
  function spots(element) {
    const path = element.matches(".line") && element.querySelector("path");
    if (path) return [.5, .35, .65, .22, .78].map((share) => path.getPointAtLength(path.getTotalLength() * share));
    const box = element.getBBox(), out = element.closest("#sheet") ? 7 : -4;
    const [left, right, top, bottom] = [box.x - out, box.x + box.width + out, box.y - out, box.y + box.height + out];
    return [[left, top], [right, top], [left, bottom], [right, bottom]].map(([x, y]) => ({ x, y }));
  }

  // --- the map: larger, smaller, drawn along -----------------------------------------------------

  let zoom = 1;

  function zoomTo(wanted, x, y) {
    const sheet = $("sheet");
    const frame = sheet.getBoundingClientRect();
    const before = zoom;
    zoom = Math.min(4, Math.max(1, wanted));
    const dx = (x ?? frame.left + frame.width / 2) - frame.left, dy = (y ?? frame.top + frame.height / 2) - frame.top;
    const left = (sheet.scrollLeft + dx) * zoom / before - dx, top = (sheet.scrollTop + dy) * zoom / before - dy;
    document.documentElement.style.setProperty("--zoom", zoom);
    sheet.scrollTo(left, top);
    hideTip();
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

  // A finger is broader than a canal: what is lit and near is meant.
  function nearLit(event) {
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

  // --- one part at a time on a phone -------------------------------------------------------------

  function showTab(tab) {
    document.body.dataset.tab = tab;
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
    const current = document.body.dataset.tab || "hand";
    const elsewhere = !lit.has(current) && !all("#sheet [data-choice]").length;
    showTab(elsewhere && lit.size ? [...lit][0] : current);
  }

  // --- clicks ------------------------------------------------------------------------------------

  function chosen(element) {
    const ids = element.dataset.choice.split(" ");
    if (ids.length === 1) return choose(ids[0]);
    openMenu(element, offers().filter((offer) => ids.includes(offer.dataset.offer)), element.dataset.about);
  }

  let held = 0, wasHeld = false;

  function clicked(event) {
    if (dragged || wasHeld) {
      dragged = wasHeld = false;
      event.preventDefault();
      return event.stopPropagation();
    }
    const on = (selector) => event.target.closest(selector);
    let element;
    if ((element = on("[data-choice]"))) return chosen(element);
    if ((element = on("[data-kind]")) && element.matches("button")) return list(element);
    if ((element = on("[data-play]"))) return choose(element.dataset.play);
    if ((element = on("[data-step]"))) return step(element.dataset.step);
    if ((element = on(".told[data-elements]"))) return tell(element);
    if ((element = on(".idea"))) return show(elementsOf([element]));
    if ((element = on("[data-zoom]"))) return zoomTo(zoom * (element.dataset.zoom > 0 ? 1.4 : 1 / 1.4));
    if ((element = on("[data-show]"))) return showTab(document.body.dataset.tab === element.dataset.show ? "none" : element.dataset.show);
    if ((element = on("[data-close]"))) return closeHint();
    if (on("#sheet") && event.detail && (element = nearLit(event))) return chosen(element);
    if ((element = on("[data-why]"))) return point(element, 0);
    hideTip();
  }

  function list(button) {
    const { kind } = button.dataset;
    openMenu(button, offers().filter((offer) => kind === "*" || offer.dataset.kind === kind));
  }

  function closeHint() {
    $("hint").hidden = true;
    $("hint").querySelector("ol").replaceChildren();
    badges();
    show([]);
  }

  // --- keys --------------------------------------------------------------------------------------

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const KEYS = {
    u: () => press("undo"),
    r: () => press("reset"),
    e: () => press("primary"),
    h: () => press("ask-hint"),
    n: () => step(told ? "1" : "first"),
    l: () => { if (offers().length) openMenu($("question"), offers()); },
    "+": () => zoomTo(zoom * 1.4),
    "-": () => zoomTo(zoom / 1.4),
    "?": () => $("keys").togglePopover(),
  };

  function keyed(event) {
    byKeys = true;
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea")) return;
    if (key === "Escape") return escaped();
    if (target.closest("#choices")) return inMenu(event);
    if (document.querySelector(".drawer:popover-open") && key !== "?") return;
    if (ARROWS[key]) return move(event);
    if ((key === "Enter" || key === " ") && target.matches("g[role=button]")) {
      event.preventDefault();
      return target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
    const act = KEYS[key];
    if (!act || event.repeat) return;
    event.preventDefault();
    act();
  }

  function escaped() {
    hideTip();
    closeMenu();
    if (told) return tell(null);
    if ($("hint") && !$("hint").hidden) closeHint();
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

  // To the nearest thing in a direction: near, and rather ahead than aside.
  function move(event) {
    if (event.target.closest("#lines, .drawer")) return;
    event.preventDefault();
    const [dx, dy] = ARROWS[event.key];
    const wanted = all(event.shiftKey ? TARGETS : LIT, table()).filter((element) => element.getClientRects().length && !element.closest("#offers"));
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

  function middle(element) {
    const box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }

  function focusOn(element) {
    element?.focus({ preventScroll: false });
  }

  const firstOpen = () => $("show-hand")
    || all("#primary:not([data-choice])")[0]
    || all("#hand [data-choice], #sheet [data-choice], #mat [data-choice], #markets [data-choice]").find((element) => element.getClientRects().length)
    || $("primary") || all(LIT, table())[0];

  // --- after an answer ---------------------------------------------------------------------------

  let lastLine = "";

  function settled() {
    document.title = table().dataset.title;
    closeMenu();
    known.clear();
    hideTip();
    tabs();
    badges();
    toNewest();
    const last = all("#lines .told").at(-1);
    const news = last && last.parentElement.id !== lastLine;
    lastLine = last ? last.parentElement.id : "";
    if (table().dataset.yours === "1") {
      tell(null);
      reveal();
    } else if (news && all("#lines .fresh").length) tell(last, false);
    if (byKeys && !table().contains(document.activeElement)) focusOn(firstOpen() || $("question"));
    else if (byKeys && document.activeElement?.matches("[data-why], :not([data-choice])") && table().dataset.yours === "1") focusOn(firstOpen());
    for (const drawer of all(".drawer:popover-open .drawn")) htmx.trigger(drawer, "fetch");
  }

  // On a phone the map is longer than its frame: what can be chosen comes into sight.
  function reveal() {
    if (!PHONE.matches) return;
    const frame = $("sheet").getBoundingClientRect();
    const lit = all("#sheet [data-choice]");
    const seen = lit.some((element) => {
      const { y } = middle(element);
      return y > frame.top && y < frame.bottom;
    });
    if (!seen) lit[0]?.scrollIntoView({ block: "center", behavior: CALM.matches ? "auto" : "smooth" });
  }

  // --- everything together -----------------------------------------------------------------------

  function begin() {
    htmx.config.morphIgnore.push("open");
    document.addEventListener("click", clicked, true);
    document.addEventListener("keydown", keyed);
    document.addEventListener("pointerdown", (event) => {
      byKeys = false;
      grab(event);
      const element = event.target.closest(TARGETS);
      if (event.pointerType === "mouse" || !element) return;
      held = setTimeout(() => { wasHeld = true; pointed = null; point(element, 0); }, 450);
    });
    document.addEventListener("pointermove", (event) => {
      pull(event);
      if (event.pointerType !== "mouse" && Math.hypot(event.movementX, event.movementY) > 3) clearTimeout(held);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      document.addEventListener(end, () => { clearTimeout(held); letGo(); });
    }
    document.addEventListener("contextmenu", (event) => { if (wasHeld) event.preventDefault(); });
    document.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse" || drag) return;
      const element = event.target.closest?.(TARGETS);
      if (element && !element.closest("#choices, #hint, .acts")) point(element, 320);
      else if (!byKeys) hideTip();
    });
    document.addEventListener("focusin", (event) => {
      const element = event.target.closest?.(TARGETS);
      if (byKeys && element && !element.closest("#choices, #hint, .acts")) point(element, 120);
      else if (byKeys) hideTip();
    });
    $("choices").addEventListener("toggle", (event) => {
      if (event.newState !== "closed") return;
      menuClosed();
      if (byKeys && event.target.opener?.isConnected) focusOn(event.target.opener);
    });
    document.addEventListener("toggle", (event) => {
      if (event.newState === "open" && event.target.dataset?.drawer) htmx.trigger(event.target.querySelector(".drawn"), "fetch");
    }, true);
    document.addEventListener("wheel", (event) => {
      if (!event.target.closest?.("#sheet") || !(event.ctrlKey || zoom > 1 || !PHONE.matches)) return;
      event.preventDefault();
      zoomTo(zoom * Math.exp(-event.deltaY / 500), event.clientX, event.clientY);
    }, { passive: false });
    document.addEventListener("touchmove", (event) => {
      if (event.touches.length !== 2 || !event.target.closest("#sheet")) { pinch = null; return; }
      event.preventDefault();
      const [one, two] = event.touches;
      pinch ??= { apart: apart([one, two]), zoom };
      zoomTo(pinch.zoom * apart([one, two]) / pinch.apart, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
    }, { passive: false });
    document.addEventListener("pointerover", (event) => {
      const idea = event.target.closest?.(".idea");
      if (idea) show(elementsOf([idea]));
    });

    document.addEventListener("htmx:before:request", (event) => {
      const { ctx } = event.detail;
      if (ctx.target?.id !== "table") return;
      if (ctx.request.method === "GET") { looking = ctx; return; }
      busy = true;
      if (looking) { looking = null; stale = true; } // it would bring an older table than this
    });
    document.addEventListener("htmx:finally:request", (event) => {
      const { ctx } = event.detail;
      if (ctx.target?.id !== "table") return;
      if (ctx === looking) looking = null;
      if (ctx.request.method !== "GET") busy = false;
      if (stale && !busy) { stale = false; refresh(); }
    });
    document.addEventListener("htmx:before:swap", (event) => {
      const { target, response, request } = event.detail.ctx;
      if (target?.id === "table" && request.method === "GET" && event.detail.ctx !== looking) event.preventDefault();
      if (!response || response.status < 400) return;
      event.preventDefault(); // a page of an error is not a table
      if (request.method === "POST") location.reload();
    });
    document.addEventListener("htmx:after:swap", (event) => {
      const { target, response } = event.detail.ctx;
      if (response?.status === 204) return; // there was nothing new
      if (target?.id === "table") settled();
      if (target?.id === "hint") advised();
    });
    document.addEventListener("htmx:after:sse:message", refresh);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
    setInterval(refresh, SLOW);
    PHONE.addEventListener("change", tellShape);
    tellShape();
    settled();
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
