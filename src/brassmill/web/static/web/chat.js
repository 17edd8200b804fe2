// The chat: open beside the log where there is room, otherwise one line with the last message.

import { $, all, PHONE } from "./page.js";

const READ = `chat-read-${location.pathname}`; // the newest message read in this browser
const ROOMY = matchMedia("(min-width: 72.01rem) and (min-height: 56.25rem)"); // as in chat.css

let shown = 0; // the newest message that the bubble has shown
let chosen = null; // whether the player has opened or closed it; null: as the screen suggests

const isOpen = () => (PHONE.matches ? document.body.dataset.tab === "chat" : chosen ?? ROOMY.matches);
const isSeen = () => isOpen() && !document.hidden;
const newest = () => Number($("said")?.dataset.newest || 0);

function open(opened) {
  chosen = opened;
  look();
  if (opened) $("saying")?.focus({ preventScroll: true });
}

// Show whether it is open; scroll to new messages, or count the unread ones.
function look() {
  const list = $("said");
  if (!list) return;
  $("chat-part").dataset.open = isOpen() ? "yes" : "no";
  document.querySelector(".chat-head").setAttribute("aria-expanded", isOpen());
  if (isSeen()) {
    list.scrollTop = list.scrollHeight;
    localStorage.setItem(READ, newest());
  }
  const read = Number(localStorage.getItem(READ) || 0);
  const fresh = all(".message:not(.own)", list).filter((message) => Number(message.dataset.message) > read);
  for (const badge of all(".unread")) {
    badge.hidden = !fresh.length;
    badge.textContent = fresh.length;
  }
  const bubble = document.querySelector("#chat-bubble button"), last = Number(fresh.at(-1)?.dataset.message ?? 0);
  bubble.hidden = !fresh.length;
  if (last > shown) for (const fading of bubble.getAnimations()) fading.currentTime = 0; // it shows another message
  shown = Math.max(shown, last);
  tellLast(all(".message", list).at(-1));
}

function tellLast(message) {
  const name = document.createElement("b");
  name.textContent = message?.querySelector("b").textContent ?? "";
  for (const last of all(".chat-last")) last.replaceChildren(...(message ? [name.cloneNode(true), message.querySelector(".words").textContent] : []));
}

const fetchChat = () => { if ($("chat")) htmx.trigger("#chat", "chat-changed"); };

let known = newest();

function swapped(event) {
  const { target, request, response } = event.detail.ctx;
  if (target?.id === "table") look(); // its badges are new
  if (target?.id !== "chat") return;
  if (request.method === "POST" && response.status < 400 && request.action.endsWith("/chat/")) $("saying").value = "";
  const last = all("#said .message:not(.own)").at(-1);
  if (last && Number(last.dataset.message) > known) $("spoken").textContent = last.querySelector("p").textContent;
  known = newest();
  look();
}

document.addEventListener("click", (event) => {
  if (event.target.closest(".chat-head")) open(!isOpen());
  if (event.target.closest("[data-show]")) look();
});
document.addEventListener("htmx:after:swap", swapped);
document.addEventListener("htmx:after:sse:connection", fetchChat);
document.addEventListener("visibilitychange", () => { if (!document.hidden) fetchChat(); });
for (const screen of [ROOMY, PHONE]) screen.addEventListener("change", look);
$("stream")?.addEventListener("said", fetchChat);
$("chat-part")?.addEventListener("keydown", (event) => {
  event.stopPropagation(); // no keyboard shortcuts while typing
  if (event.key === "Escape" && !PHONE.matches) {
    open(false);
    document.querySelector(".chat-head").focus();
  }
});
look();
