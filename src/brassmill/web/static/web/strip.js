// The action bar has one height: a text that is too long for it gets smaller letters.

import { $ } from "./page.js";

export function fitStrip() {
  const strip = $("strip");
  strip.classList.remove("tight");
  strip.classList.toggle("tight", strip.scrollHeight > strip.clientHeight + 1);
}

export function watchStrip() {
  addEventListener("resize", fitStrip);
  document.fonts.ready.then(fitStrip); // the first table may be laid out before its typeface is here
}
