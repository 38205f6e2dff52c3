// Copies a number with where it comes from: a long press on it, its context menu (the menu key on a
// keyboard as well), or the button of its section.

import { h } from "./dom.js";
import { t } from "../text/text.js";
import { overlay } from "./overlay.js";
import { copy } from "./provenance.js";

/** @typedef {{name: string, value: string, text: string}} Copied What it is, as it is seen, as it is copied. */

/** How long a press is that copies, in milliseconds. */
const HELD = 500;
/** How far a finger may move meanwhile, in pixels. */
const STILL = 12;

/** @type {WeakMap<Element, () => string>} */
const texts = new WeakMap();
/** The press that lasts. @type {{node: Element, x: number, y: number, at: number} | null} */
let press = null;
/** Whether the press was a copy, and is none of what its place does otherwise. */
let wasCopy = false;

/**
 * Has a number copied by a long press or by its context menu.
 * @template {Element} Node
 * @param {Node} node Where it stands.
 * @param {() => string} text What is copied.
 * @returns {Node} The same.
 */
export function copyable(node, text) {
  texts.set(node, text);
  node.classList.add("copyable");
  return node;
}

/**
 * The button of a section: copies its number, or lets the reader choose which.
 * @param {string} title The section.
 * @param {() => Copied[]} numbers Its numbers.
 * @returns {HTMLElement} The button.
 */
export function copyButton(title, numbers) {
  const open = () => {
    const found = numbers();
    if (found.length === 1) return copy(found[0].text);
    overlay({
      title: t("copy-which"),
      kind: "sheet",
      content: (close) => [
        h("ul.choose-copy", null, found.map((each) => h("li", null, choice(each, close)))),
      ],
    });
  };
  const label = { type: "button", "aria-label": `${t("copy")}: ${title}`, onclick: open };
  return h("button.text-button", label, t("copy"));
}

/** @param {Copied} number @param {() => void} close */
function choice({ name, value, text }, close) {
  const chosen = () => {
    close();
    copy(text);
  };
  return h(
    "button.row",
    { type: "button", onclick: chosen },
    h("span.row-line", null, h("span.row-main", null, name), value),
  );
}

/** @param {Event} event */
const nodeOf = (event) => /** @type {Element} */ (event.target).closest?.(".copyable") ?? null;

addEventListener("pointerdown", (event) => {
  const node = nodeOf(event);
  wasCopy = false;
  press = node && event.pointerType === "touch"
    ? { node, x: event.clientX, y: event.clientY, at: event.timeStamp }
    : null;
});
addEventListener("pointercancel", () => {
  press = null;
});
// Browsers let a page copy when a finger is lifted, and not while it lies there.
addEventListener("pointerup", (event) => {
  const begun = press;
  press = null;
  if (!begun || event.timeStamp - begun.at < HELD) return;
  if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > STILL) return;
  wasCopy = true;
  copy(texts.get(begun.node)?.() ?? "");
});
addEventListener("click", (event) => {
  if (!wasCopy || !nodeOf(event)) return;
  wasCopy = false;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });
addEventListener("contextmenu", (event) => {
  const node = nodeOf(event);
  if (!node) return;
  event.preventDefault();
  // That of a long press is followed by the finger that is lifted.
  if (!press) copy(texts.get(node)?.() ?? "");
});
