// The settings of notifications that only a browser knows: whether it allows them, its push service, its time zone.

import { worker } from "./app.js";
import { alerts, keepAlerts } from "./alerts.js";
import { $, all } from "./page.js";

const decoded = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const encoded = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

async function subscribe(form, registration) {
  if (await Notification.requestPermission() !== "granted") return say("denied");
  const old = await registration.pushManager.getSubscription();
  await old?.unsubscribe(); // it may belong to another key
  const found = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decoded(form.dataset.key) });
  form.elements.address.value = found.endpoint;
  form.elements.key.value = encoded(found.getKey("p256dh"));
  form.elements.secret.value = encoded(found.getKey("auth"));
  form.submit();
}

function say(name) {
  $("push-state").textContent = $("push-state").dataset[name];
  $("push-state").hidden = false;
}

async function prepare() {
  const form = $("push-form"), registration = await worker;
  if (!form) return;
  if (!registration?.pushManager || !("Notification" in window)) return say("no");
  if (Notification.permission === "denied") return say("denied");
  $("push-state").hidden = true;
  form.hidden = false;
  $("push-on").addEventListener("click", () => subscribe(form, registration).catch(() => say("no")));
}

async function choose() {
  const boxes = all("[data-alert]");
  if (!worker || !("Notification" in window)) return;
  for (const part of all(".here-only")) part.hidden = false;
  const chosen = alerts();
  for (const box of boxes) {
    box.checked = chosen.includes(box.dataset.alert);
    box.addEventListener("change", async () => {
      if (box.checked && await Notification.requestPermission() !== "granted") box.checked = false;
      keepAlerts(boxes.filter((each) => each.checked).map((each) => each.dataset.alert));
    });
  }
}

const guess = document.querySelector("[data-guess]");
if (guess) guess.value = Intl.DateTimeFormat().resolvedOptions().timeZone || guess.value;
choose();
prepare();
