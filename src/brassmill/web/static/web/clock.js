// Clocks count down in the browser; the server sends the time left with every table.

import { all } from "./page.js";

const DAY = 86400, SHORT = 60; // seconds

const two = (number) => String(number).padStart(2, "0");

function words(seconds) {
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60, rest = two(seconds % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

let ends = new Map(); // when each dial's time is up, by the clock of this machine

function read() {
  ends = new Map(all(".dial[data-left]").map((dial) => [dial, Date.now() + dial.dataset.left * 1000]));
  tick();
}

function tick() {
  for (const [dial, end] of ends) {
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    if (left < DAY) dial.textContent = words(left);
    dial.classList.toggle("short", left < SHORT || dial.classList.contains("short"));
  }
}

document.addEventListener("htmx:after:swap", (event) => {
  const { target, response } = event.detail.ctx;
  if (target?.id === "table" && response?.status !== 204) read(); // otherwise the page's times are old
});
setInterval(tick, 1000);
read();
