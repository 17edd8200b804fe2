// Install the service worker, once the page is complete: no page waits for it.

const address = document.querySelector("meta[name=worker]").content;

export const worker = navigator.serviceWorker && new Promise((found) => {
  const install = () => found(navigator.serviceWorker.register(address, { updateViaCache: "none" }).catch(() => null));
  if (document.readyState === "complete") install();
  else addEventListener("load", install, { once: true });
});
