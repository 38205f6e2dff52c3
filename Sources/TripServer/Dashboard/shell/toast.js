// Short news at the bottom: what was done, read out once, gone after three seconds.

import { h, icon } from "./dom.js";
import { t } from "../text/text.js";

const place = h("div.toasts", { role: "status", "aria-live": "polite" });
const urgent = h("p.unseen", { role: "status", "aria-live": "polite" });

/** Puts the place of toasts into the document. */
export function placeToasts() {
  document.body.append(place, urgent);
}

/**
 * Shows a toast.
 * @param {string} text What it says.
 * @param {{action?: string, act?: () => void, isKept?: boolean}} [options] A button of it, and whether it stays
 *   until it is closed.
 */
export function toast(text, options = {}) {
  const close = () => made.remove();
  const made = h(
    "div.toast",
    null,
    h("span", null, text),
    options.action
      ? h("button.toast-action", {
        type: "button",
        onclick: () => {
          close();
          options.act?.();
        },
      }, options.action)
      : null,
    options.isKept
      ? h("button.icon-button", { type: "button", "aria-label": t("close"), onclick: close }, icon("close"))
      : null,
  );
  place.append(made);
  if (!options.isKept) setTimeout(close, 3000);
}

/**
 * Says something to screen readers alone, such as that the numbers have changed.
 * @param {string} text What.
 */
export function say(text) {
  urgent.textContent = "";
  requestAnimationFrame(() => {
    urgent.textContent = text;
  });
}
