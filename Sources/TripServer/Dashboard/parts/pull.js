// Pulling a list down from its top refreshes it; the page scrolls as it always does, and no gesture
// is taken from the browser.

/** How far a finger goes, in pixels. */
const FAR = 72;

/**
 * Follows it.
 * @param {HTMLElement} node The list's screen.
 * @param {HTMLElement} sign What shows while it is pulled.
 * @param {() => void} refresh Refreshes.
 * @returns {() => void} Ends it.
 */
export function followPull(node, sign, refresh) {
  /** @type {number | null} */
  let begin = null;
  let isFar = false;
  const started = (/** @type {TouchEvent} */ event) => {
    begin = scrollY <= 0 && event.touches.length === 1 ? event.touches[0].clientY : null;
  };
  const moved = (/** @type {TouchEvent} */ event) => {
    if (begin === null) return;
    isFar = event.touches[0].clientY - begin > FAR && scrollY <= 0;
    sign.classList.toggle("pulled", isFar);
  };
  const ended = () => {
    sign.classList.remove("pulled");
    if (isFar) refresh();
    begin = null;
    isFar = false;
  };
  node.addEventListener("touchstart", started, { passive: true });
  node.addEventListener("touchmove", moved, { passive: true });
  node.addEventListener("touchend", ended);
  node.addEventListener("touchcancel", ended);
  document.documentElement.classList.add("pulls");
  return () => document.documentElement.classList.remove("pulls");
}
