// Playing with friends: sending invitation links.

import { $, table } from "./page.js";

async function copy(button) {
  const link = $(button.dataset.copy);
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
  } catch {
    document.execCommand("copy"); // without https there is no clipboard API
  }
  const word = button.querySelector(".copy-word"), before = word.textContent;
  if (before === button.dataset.copied) return;
  word.textContent = $("spoken").textContent = button.dataset.copied;
  setTimeout(() => { word.textContent = before; }, 2000);
}

// The share sheet of the device; a browser without one shows no such button.
async function share({ dataset }) {
  try {
    await navigator.share({ text: dataset.words, url: $(dataset.share).value });
  } catch (error) {
    if (error.name !== "AbortError") throw error; // closed without choosing anyone
  }
}

// The menu is not part of the updates, but the host may allow hints until the game starts.
function tellHints() {
  const words = $("menu-hints");
  if (words) words.textContent = table().dataset.hints;
}

document.documentElement.classList.toggle("can-share", "share" in navigator);
document.addEventListener("click", (event) => {
  const copying = event.target.closest("[data-copy]"), sharing = event.target.closest("[data-share]");
  if (copying) copy(copying);
  if (sharing) share(sharing);
});
document.addEventListener("htmx:after:swap", (event) => { if (event.detail.ctx.target?.id === "table") tellHints(); });
