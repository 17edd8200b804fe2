// Notifications by the browser while a table is open in a hidden tab. What is chosen stays in this browser.

import { worker } from "./app.js";
import { $, table } from "./page.js";

const KEY = "alerts";

export const alerts = () => (localStorage.getItem(KEY) || "").split(" ").filter(Boolean);
export const keepAlerts = (chosen) => localStorage.setItem(KEY, chosen.join(" "));

const unread = () => Number.parseInt($("unread")?.textContent, 10) || 0;
const state = () => ({ turn: table().dataset.yours === "1", over: "over" in table().dataset, chat: unread() });

async function tell(event) {
  const registration = await worker;
  if (!registration || !alerts().includes(event) || Notification.permission !== "granted") return;
  const path = location.pathname, [text, title] = table().dataset.title.split(" · ");
  const tag = `${event} ${path.split("/")[2]}`; // as in push messages: one takes the place of the other
  registration.showNotification(title, { body: text, tag, icon: "/icon/192.png", badge: "/icon/badge-96.png", data: { path } });
}

if (document.getElementById("stream") && table()) {
  let last = state();
  document.addEventListener("htmx:after:swap", () => {
    const now = state();
    if (document.hidden) for (const event of Object.keys(now)) if (now[event] > last[event]) tell(event);
    last = now;
  });
}
