// The service worker. It keeps the offline page and the files of that page. Everything else comes from the server, so
// no table is ever out of date.

const { page, kept, name, icon, badge } = {{ setup | tojson }};
const own = kept.map((path) => new URL(path, location.origin).href);

// Without cookies: the page is the same for everyone.
const fresh = (path) => new Request(path, { credentials: "omit", cache: "reload" });

async function keep() {
  const cache = await caches.open(name);
  await cache.addAll([page, ...kept].map(fresh));
  await self.skipWaiting();
}

async function begin() {
  const old = (await caches.keys()).filter((other) => other.startsWith("offline-") && other !== name);
  await Promise.all(old.map((other) => caches.delete(other)));
  await self.registration.navigationPreload?.enable(); // a page need not wait for this script to start
  await self.clients.claim();
}

async function shown(event) {
  try {
    return (await event.preloadResponse) || (await fetch(event.request));
  } catch {
    return caches.match(page, { ignoreVary: true });
  }
}

async function loaded(request) {
  try {
    return await fetch(request);
  } catch (fault) {
    const found = await caches.match(request, { ignoreVary: true });
    if (found) return found;
    throw fault;
  }
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(shown(event));
  else if (own.includes(request.url)) event.respondWith(loaded(request));
});

// --- push messages -------------------------------------------------------------------------------

async function tell({ title, text, path, tag }) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isSeen = pages.some((page) => page.visibilityState === "visible" && new URL(page.url).pathname === path);
  if (isSeen) return;
  await self.registration.showNotification(title, { body: text, tag, renotify: true, icon, badge, data: { path } });
}

async function open(path) {
  const url = new URL(path, location.origin);
  if (url.origin !== location.origin) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((each) => new URL(each.url).pathname === url.pathname);
  await (page ? page.focus() : self.clients.openWindow(url.href));
}

self.addEventListener("push", (event) => event.waitUntil(tell(event.data.json())));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});
