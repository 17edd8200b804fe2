// Animations that explain what a swap has changed. Tiles are placed and flipped, links are drawn,
// cubes travel, markers and players change places. Nothing here knows the rules: it compares the
// pictures before and after by the ids of their parts. With reduced motion it does nothing.
"use strict";

(() => {
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  const QUICK = 240, SLOW = 420;
  const EASE = "cubic-bezier(.3,.7,.2,1)";
  const GOODS = { coal: "coal", iron: "iron", brewery: "beer" };
  const all = (selector) => [...document.querySelectorAll(selector)];

  let before = null;

  // --- snapshots ---------------------------------------------------------------------------------

  function look() {
    const board = document.getElementById("sheet");
    if (!board) return null;
    return {
      shape: document.getElementById("table").dataset.shape,
      spaces: new Map(all("#sheet .space").map((space) => [space.id, tile(space)])),
      lines: new Set(all("#sheet .line.built").map((line) => line.id)),
      barrels: new Map(all("#sheet .merchant").map((merchant) => [merchant.id, merchant.querySelectorAll(".barrel").length])),
      markets: new Map(["coal", "iron"].map((name) => [name, all(`#${name}-market .cube`).length])),
      figures: new Map(all("#players b[id]").map((figure) => [figure.id, figure.textContent])),
      boxes: new Map(all("#players > ol > li, .marker[id]").map((part) => [part.id, part.getBoundingClientRect()])),
    };
  }

  function tile(space) {
    const found = space.querySelector(".tile:not(.foreseen *, .laid *)");
    return {
      face: found ? found.getAttribute("class").replace(" flipped", "") : "",
      flipped: !!found?.classList.contains("flipped"),
      goods: GOODS[Object.keys(GOODS).find((name) => found?.classList.contains(name))],
      cubes: found ? found.querySelectorAll(".cube, .barrel").length : 0,
    };
  }

  // --- animations --------------------------------------------------------------------------------

  function play(from, to) {
    if (from.shape !== to.shape) return;
    const laid = [], gave = [];
    for (const [id, now] of to.spaces) {
      const was = from.spaces.get(id);
      if (!was) continue;
      const space = document.getElementById(id);
      if (now.face && now.face !== was.face) { laid.push(space); lay(space); }
      else if (now.flipped && !was.flipped) flip(space);
      if (was.face === now.face && now.cubes < was.cubes) gave.push([space, was.goods, was.cubes - now.cubes]);
    }
    for (const id of to.lines) {
      if (from.lines.has(id)) continue;
      const line = document.getElementById(id);
      laid.push(line);
      draw(line);
    }
    for (const [id, now] of to.barrels) {
      const was = from.barrels.get(id) ?? 0;
      if (now < was) gave.push([document.getElementById(id), "beer", was - now]);
    }
    carry(from, to, laid, gave);
    count(from, to); // at the final positions, so before the panels start to slide
    slide(from, to);
  }

  const centred = (element) => {
    element.style.transformBox = "fill-box";
    element.style.transformOrigin = "center";
    return element;
  };

  function lay(space) {
    centred(space.querySelector(".tile")).animate(
      [{ transform: "scale(1.7)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }],
      { duration: SLOW, easing: EASE });
  }

  function flip(space) {
    const turned = centred(space.querySelector(".tile"));
    turned.animate(
      [{ transform: "scaleX(1) scaleY(1)" }, { transform: "scaleX(0) scaleY(1.12)" }, { transform: "scaleX(1) scaleY(1)" }],
      { duration: SLOW, delay: QUICK, easing: "ease-in-out" });
  }

  function draw(line) {
    for (const path of line.querySelectorAll(".case, .link")) {
      const length = path.getTotalLength();
      path.animate(
        [{ strokeDasharray: `${length} ${length}`, strokeDashoffset: length }, { strokeDasharray: `${length} ${length}`, strokeDashoffset: 0 }],
        { duration: SLOW, easing: EASE });
    }
    for (const part of line.querySelectorAll(".core, .badge, .own")) {
      part.animate([{ opacity: 0 }, { opacity: 0, offset: .6 }, { opacity: 1 }], { duration: SLOW });
    }
  }

  // Cubes fly from their source to what was built, or between a tile and the market.
  function carry(from, to, laid, gave) {
    for (const [name, now] of to.markets) {
      const was = from.markets.get(name), market = document.getElementById(`${name}-market`);
      if (now < was && laid.length) fly(market, laid.at(-1), name, was - now);
      if (now > was) {
        const source = gave.find(([, goods]) => goods === name)?.[0] || laid.find((space) => space.querySelector(`.tile.${name}`));
        if (source) fly(source, market, name, now - was);
      }
    }
    const site = laid.at(-1);
    if (site) gave.forEach(([space, goods, number]) => fly(space, site, goods, number));
  }

  function fly(source, site, goods, number) {
    if (!goods || source === site) return;
    const [start, end] = [source, site].map((element) => element.getBoundingClientRect());
    const point = (box) => `translate(${box.left + box.width / 2 - 7}px,${box.top + box.height / 2 - 7}px)`;
    for (let n = 0; n < Math.min(number, 6); n++) {
      const cube = document.createElement("i");
      cube.className = `flying ${goods}`;
      document.body.append(cube);
      cube.animate(
        [{ transform: point(start), opacity: 1 }, { transform: point(end), opacity: 1, offset: .9 }, { transform: point(end), opacity: 0 }],
        { duration: SLOW + QUICK, delay: n * 70, easing: "ease-in-out", fill: "both" },
      ).finished.finally(() => cube.remove());
    }
  }

  // Player panels and markers slide to their new places.
  function slide(from, to) {
    for (const [id, now] of to.boxes) {
      const was = from.boxes.get(id);
      if (!was || !now.width || !was.width) continue;
      const dx = was.left - now.left, dy = was.top - now.top;
      if (Math.hypot(dx, dy) < 6) continue;
      const part = document.getElementById(id);
      const scale = part.ownerSVGElement ? part.getScreenCTM().a : 1;
      part.animate([{ transform: `translate(${dx / scale}px,${dy / scale}px)` }, { transform: "none" }], { duration: SLOW, easing: EASE });
    }
  }

  // Changes of money, income and VP appear beside the number.
  function count(from, to) {
    for (const [id, now] of to.figures) {
      const was = from.figures.get(id);
      if (was === undefined || was === now) continue;
      const change = plain(now) - plain(was);
      const figure = document.getElementById(id);
      if (!change || !figure.getClientRects().length) continue;
      const { left, top } = figure.getBoundingClientRect();
      const word = document.createElement("span");
      word.className = "change";
      word.textContent = change > 0 ? `+${change}` : `−${-change}`;
      document.body.append(word);
      word.animate(
        [{ transform: `translate(${left}px,${top}px)`, opacity: 0 }, { opacity: 1, offset: .2 }, { transform: `translate(${left}px,${top - 26}px)`, opacity: 0 }],
        { duration: 1400, easing: "ease-out", fill: "both" },
      ).finished.finally(() => word.remove());
    }
  }

  const plain = (words) => Number(words.replace("−", "-").replace(/[^\d-]/g, ""));

  // --- around every swap -------------------------------------------------------------------------

  const isTable = (event) => event.detail.ctx?.target?.id === "table" && !CALM.matches;

  document.addEventListener("htmx:before:swap", (event) => { if (isTable(event)) before = look(); });
  document.addEventListener("htmx:after:swap", (event) => {
    if (!isTable(event) || !before) return;
    const after = look();
    if (after) play(before, after);
    before = null;
  });
})();
