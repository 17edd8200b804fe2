// The replay: slider, keys and autoplay. The server draws every frame; the next ones are prefetched.
// Without this script the same steps work as links.
(() => {
  "use strict";
  const root = document.querySelector(".replay");
  const { address, game, line } = root.dataset;
  const last = Number(root.dataset.last);
  const stops = root.dataset.stops.split(" ").map(Number);
  const slider = document.getElementById("at");
  const play = document.getElementById("play");
  const pace = document.getElementById("pace");
  const said = document.getElementById("said");
  const log = root.querySelector(".log");
  const narrow = matchMedia("(max-width: 62rem)");
  const frames = new Map(); // promises of text, by URL
  const KEPT = 60;
  const HURRY = 60; // milliseconds to wait for another step
  let at = Number(root.dataset.at);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const PAUSE = 3000; // milliseconds after the end of an era
  let timer = 0;
  let counting = null; // the count of an era

  const shape = () => (narrow.matches ? "tall" : "wide");

  function query(number, more = {}) {
    const words = { at: number, as: root.dataset.as, ...more };
    if (Number(game) > 1) words.game = game;
    if (line) words.line = line;
    return `${address}?${new URLSearchParams(words)}`;
  }

  // The URL of a frame identifies it: action, view and shape.
  const source = (number) => query(number, { frame: shape() });

  function frame(from) {
    if (!frames.has(from)) {
      const text = fetch(from, { headers: { "HX-Request": "true" } }).then((answer) => {
        if (answer.headers.has("HX-Refresh")) location.reload(); // the server has restarted and is not ready
        if (!answer.ok) throw new Error(answer.statusText);
        return answer.text();
      });
      text.catch(() => frames.delete(from));
      frames.set(from, text);
      if (frames.size > KEPT) frames.delete(frames.keys().next().value);
    }
    return frames.get(from);
  }

  const target = {
    first: () => 0,
    "round-before": () => stops.findLast((stop) => stop < at) ?? 0,
    before: () => Math.max(0, at - 1),
    after: () => Math.min(last, at + 1),
    "round-after": () => stops.find((stop) => stop > at) ?? last,
    last: () => last,
  };

  async function show(number) {
    const from = source(number);
    const isWanted = () => at === number && from === source(number);
    const isNext = number === at + 1;
    at = number;
    counting?.stop();
    counting = null;
    mark();
    if (!frames.has(from)) await new Promise((done) => setTimeout(done, HURRY));
    if (!isWanted()) return; // a slider dragged over many fetches only where it stops
    try {
      const text = await frame(from);
      if (!isWanted()) return;
      await htmx.swap({ sourceElement: root, target: "#frame", text, swap: "outerHTML" });
    } catch {
      location.assign(query(number)); // the page shows the error
      return;
    }
    const scene = document.querySelector("#frame.scene");
    if (scene && isNext && !calm.matches) {
      const { count } = await import("./count.js");
      if (scene.isConnected) counting = count(scene);
    }
    const words = document.querySelector("#caption .done").textContent.trim();
    slider.setAttribute("aria-valuetext", words);
    said.textContent = words;
    for (const near of [number + 1, number - 1, target["round-after"](), number + 2]) {
      if (near >= 0 && near <= last) frame(source(near)).catch(() => {});
    }
  }

  // Update everything around the frame: slider, links, log, URL.
  function mark() {
    slider.value = at;
    slider.form.style.setProperty("--played", at / Math.max(1, last));
    history.replaceState(null, "", query(at));
    for (const link of root.querySelectorAll("[data-step]")) {
      const to = target[link.dataset.step]();
      link.href = query(to);
      link.setAttribute("aria-disabled", String(to === at));
    }
    for (const link of root.querySelectorAll("[data-angle]")) {
      link.href = query(at, { as: link.dataset.angle });
    }
    for (const field of document.querySelectorAll("input[name=next]")) field.value = query(at);
    const moment = document.querySelector("#bookmark-form input[name=at]");
    if (moment) moment.value = at;
    log.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const line = log.querySelector(`.game-action[data-at="${at}"]`);
    line?.setAttribute("aria-current", "step");
    follow(line);
  }

  // Keep the current line in sight without moving the page.
  function follow(line) {
    if (!line) {
      log.scrollTop = 0;
      return;
    }
    const inside = line.getBoundingClientRect(), around = log.getBoundingClientRect();
    if (inside.top < around.top + 40 || inside.bottom > around.bottom - 40) {
      log.scrollTop += inside.top - around.top - around.height / 2;
    }
  }

  // Without https there is no clipboard API.
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = document.body.appendChild(document.createElement("textarea"));
      field.value = text;
      field.select();
      document.execCommand("copy");
      field.remove();
    }
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    play.setAttribute("aria-pressed", "false");
  }

  function go(step) {
    const to = target[step]();
    if (to !== at) show(to);
  }

  function run() {
    const wait = Number(pace.querySelector("select").value);
    timer = setTimeout(async () => {
      await show(Math.min(last, at + 1));
      if (document.querySelector("#frame.scene")) {
        await counting?.done;
        await new Promise((done) => setTimeout(done, PAUSE));
      }
      if (timer && at < last) run();
      else pause();
    }, wait);
  }

  function toggle() {
    if (timer) {
      pause();
      return;
    }
    play.setAttribute("aria-pressed", "true");
    if (at === last) show(0);
    run();
  }

  const keys = {
    ArrowLeft: "before",
    ArrowRight: "after",
    ArrowUp: "round-after",
    ArrowDown: "round-before",
    Home: "first",
    End: "last",
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Menus, the log (which scrolls) and the buttons keep their own keys.
    if (event.target.closest("select, textarea, [popover], .log")) return;
    if (event.key === " ") {
      if (event.target.closest("button, summary")) return;
      event.preventDefault();
      toggle();
    } else if (event.key === "Escape") {
      document.getElementById("leave-variation")?.click();
    } else if (keys[event.key]) {
      event.preventDefault();
      pause();
      go(keys[event.key]);
    }
  });

  root.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-step], a[data-at]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    pause();
    if (link.dataset.step) go(link.dataset.step);
    else show(Number(link.dataset.at));
  });

  root.addEventListener("click", async (event) => {
    const link = event.target.closest(".copy-link");
    if (!link) return;
    event.preventDefault();
    await copy(link.href);
    const { copied } = link.dataset, before = link.textContent;
    if (before === copied) return;
    link.textContent = said.textContent = copied;
    setTimeout(() => { link.textContent = before; }, 2000);
  });

  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value));
  });
  play.addEventListener("click", toggle);
  narrow.addEventListener("change", () => show(at));

  play.hidden = pace.hidden = false;
  if (root.dataset.shape === shape()) {
    mark();
    if (at < last) frame(source(at + 1)).catch(() => {});
  } else {
    show(at);
  }
})();
