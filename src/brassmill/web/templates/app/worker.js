// The service worker. It keeps the offline page and the files of that page. Everything else comes from the server, so
// no table is ever out of date.

const { page, kept, name } = {{ setup | tojson }};
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
