// A lesson at the table: whoever clicks something else is told what the step is about, and what the
// panel speaks of comes into view.

import { $, all, PHONE, table } from "./page.js";

function nudge(event) {
  const wrong = event.target.closest?.("#table [data-why]"), words = $("nudge");
  if (!wrong || !words) return;
  words.hidden = false;
  words.classList.remove("again");
  void words.offsetWidth; // begin the animation again
  words.classList.add("again");
}

// On a phone, a part is behind its tab; in the column at the side, it may be further down.
function bringIntoView() {
  const parts = table().dataset.points.split(" ");
  const tab = PHONE.matches && all("#tabs button").find((button) => parts.includes(button.dataset.show));
  if (tab && tab.getAttribute("aria-pressed") !== "true") tab.click();
  $("side").scrollTop = 0;
  const meant = all("#side [data-choice]")[0] || $(parts[0]);
  if (meant?.closest("#side") && !PHONE.matches) meant.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", nudge, true);
document.addEventListener("htmx:after:swap", (event) => {
  if (event.detail.ctx.target?.id === "table") bringIntoView();
});
bringIntoView();
