// Shared by the scripts of the table: finding and placing elements.

export const $ = (id) => document.getElementById(id);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];
export const table = () => $("table");
export const PHONE = matchMedia("(max-width: 72rem), (max-height: 30rem)"); // a phone or a tablet, as in table.css
export const CALM = matchMedia("(prefers-reduced-motion: reduce)");
export const LIT = '[data-choice], [data-kind]:not([aria-disabled]), [data-uses], #primary, [data-play]';
export const TARGETS = `${LIT}, [data-why], [data-tip]`;
// Was the keyboard used last? Is it the page that moves the focus just now, and no key?
export const hands = { onKeys: false, areStill: false };

export function made(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

// The open choices in words, one line each.
export const offers = () => all("#offers > li");
export const offersOf = (element) => {
  const ids = (element.dataset.choice || "").split(" ");
  return offers().filter((offer) => ids.includes(offer.dataset.offer));
};

export const elementsOf = (holders) => holders
  .flatMap((holder) => (holder.dataset.elements || "").split(" "))
  .map((id) => id && $(id)).filter(Boolean);

export function place(box, beside) {
  const { width, height } = box.getBoundingClientRect();
  const margin = 8;
  const left = Math.min(Math.max(margin, beside.left + beside.width / 2 - width / 2), innerWidth - width - margin);
  const above = beside.top - height - margin, below = beside.bottom + margin;
  const top = above >= margin ? above : Math.min(below, innerHeight - height - margin);
  box.style.left = `${left}px`;
  box.style.top = `${Math.max(margin, top)}px`;
}

export const meet = (one, two) => one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;

export function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

export function focusOn(element) {
  element?.focus({ preventScroll: false });
}

// Move the focus after an update: nobody has asked about its new place yet, so it opens no tooltip.
export function moveFocus(element) {
  hands.areStill = true;
  focusOn(element);
  hands.areStill = false;
}
