// Mark the tab when it is the player's turn and the page is hidden.

import { $, table } from "./page.js";

const icon = document.querySelector("link[rel=icon]");
const usual = icon.getAttribute("href");

function mark() {
  const { title, yours } = table().dataset;
  const marked = document.hidden && yours === "1";
  document.title = marked ? `● ${title}` : title;
  icon.setAttribute("href", marked ? $("stream").dataset.badge : usual);
}

document.addEventListener("htmx:after:swap", (event) => { if (event.detail.ctx.target?.id === "table") mark(); });
document.addEventListener("visibilitychange", mark);
