// The tab calls when it is one's turn and nobody looks at the page.

import { $, table } from "./page.js";

const icon = document.querySelector("link[rel=icon]");
const usual = icon.getAttribute("href");

function mark() {
  const { title, yours } = table().dataset;
  const calls = document.hidden && yours === "1";
  document.title = calls ? `● ${title}` : title;
  icon.setAttribute("href", calls ? $("stream").dataset.badge : usual);
}

document.addEventListener("htmx:after:swap", (event) => { if (event.detail.ctx.target?.id === "table") mark(); });
document.addEventListener("visibilitychange", mark);
