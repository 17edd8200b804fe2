// A finger cannot hover. Its first tap on a highlighted place shows what that would cost, where it hides
// nothing of the map; a second tap there, or the button, does it.

import { $, made, offersOf, table } from "./page.js";
import { foresee } from "./story.js";
import { answerAbout, hideTip } from "./tips.js";

let meant = null; // the place whose bill is shown

// Once an action has begun, the action bar has its bill.
export const asksFirst = (element, { pointerType }) => pointerType === "touch"
  && element !== meant && !!element.closest("#sheet") && table().dataset.asked === "action";

export async function askFirst(element) {
  hideTip();
  dismiss();
  meant = element;
  const [offer] = offersOf(element);
  element.classList.add("meant");
  foresee(offer, element);
  table().classList.add("listing"); // the others fade
  const bill = $("confirm").querySelector(".confirm-bill");
  bill.replaceChildren(Object.assign(made("p", element.getAttribute("aria-label")), { className: "what" }));
  $("confirm").hidden = false;
  const more = await answerAbout(element);
  if (more && meant === element) bill.innerHTML = more;
}

export const confirmed = () => meant;

export function dismiss() {
  if (!meant) return;
  meant.classList.remove("meant");
  table().classList.remove("listing");
  foresee(null);
  meant = null;
  $("confirm").hidden = true;
}
