// Playing with friends: copying invitation links, and the chat.

import { $, all, PHONE } from "./page.js";

// --- links ---------------------------------------------------------------------------------------

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

// --- the chat ------------------------------------------------------------------------------------

const READ = `chat-read-${location.pathname}`; // the newest message read in this browser

const isOpen = () => (PHONE.matches ? document.body.dataset.tab === "chat" : document.body.classList.contains("chatting"));
const isSeen = () => isOpen() && !document.hidden;
const newest = () => Number($("said")?.dataset.newest || 0);

function open(opened) {
  document.body.classList.toggle("chatting", opened);
  document.querySelector(".chat-head").setAttribute("aria-expanded", opened);
  look();
  if (opened) $("saying")?.focus();
}

// Scroll to new messages, or count the unread ones.
function look() {
  const list = $("said");
  if (!list) return;
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
}

const fetchChat = () => { if ($("chat")) htmx.trigger("#chat", "heard"); };

let known = newest();

function swapped(event) {
  const { target, request, response } = event.detail.ctx;
  if (target?.id !== "chat") return;
  if (request.method === "POST" && response.status < 400 && request.action.endsWith("/chat/")) $("saying").value = "";
  const last = all("#said .message:not(.own)").at(-1);
  if (last && Number(last.dataset.message) > known) $("spoken").textContent = last.querySelector("p").textContent;
  known = newest();
  look();
}

// --- event handlers ------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  if (event.target.closest(".chat-head")) open(!isOpen());
  if (event.target.closest("[data-show]")) look();
});
document.addEventListener("htmx:after:swap", swapped);
document.addEventListener("htmx:after:sse:connection", fetchChat);
document.addEventListener("visibilitychange", () => { if (!document.hidden) fetchChat(); });
$("stream")?.addEventListener("said", fetchChat);
$("chat-part")?.addEventListener("keydown", (event) => {
  event.stopPropagation(); // no keyboard shortcuts while typing
  if (event.key === "Escape" && !PHONE.matches) {
    open(false);
    document.querySelector(".chat-head").focus();
  }
});
look();
