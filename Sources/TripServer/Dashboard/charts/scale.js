// Where a value lies on a chart, which lines of a grid help to read it, and how wide a text is.

import { s } from "../shell/dom.js";

/**
 * Values at which lines are drawn: round ones, at most so many.
 * @param {number} low The least value.
 * @param {number} high The greatest value.
 * @param {number} [most] How many at most.
 * @returns {number[]} The values, in order.
 */
export function roundValues(low, high, most = 3) {
  const span = Math.max(1, high - low);
  let power = 10 ** Math.floor(Math.log10(span / most));
  for (;;) {
    for (const factor of [1, 2, 5]) {
      const step = power * factor;
      const first = Math.ceil(low / step) * step;
      const count = Math.floor((high - first) / step) + 1;
      if (count <= most) return Array.from({ length: Math.max(0, count) }, (_, index) => first + index * step);
    }
    power *= 10;
  }
}

/**
 * Which of many places have a label: the last, the first, and some between, evenly.
 * @param {number} count How many places.
 * @param {number} most How many labels at most.
 * @returns {number[]} Their indexes, in order.
 */
export function labelled(count, most) {
  if (count <= most) return Array.from({ length: count }, (_, index) => index);
  const step = Math.ceil((count - 1) / Math.max(1, most - 1));
  const found = [];
  for (let index = count - 1; index >= 0; index -= step) found.unshift(index);
  return found;
}

/**
 * The room that texts take in a drawing, at the reader's own size of letters.
 * @param {SVGElement} drawing The drawing, in the document.
 * @param {string[]} texts The texts.
 * @param {string} [kind] The class of their letters.
 * @returns {{width: number, height: number}} The widest and the highest.
 */
export function room(drawing, texts, kind = "axis-text") {
  const probe = /** @type {SVGTextElement} */ (s("text." + kind));
  drawing.append(probe);
  let width = 0, height = 0;
  for (const text of texts) {
    probe.textContent = text;
    const box = probe.getBBox();
    width = Math.max(width, box.width);
    height = Math.max(height, box.height);
  }
  probe.remove();
  return { width: Math.ceil(width), height: Math.ceil(height) };
}

/**
 * The line of the letters of values beside lines of a grid: in their middle, and all of them above the months.
 * @param {number} y The line of the grid.
 * @param {number} height The height of the letters.
 * @param {number} bottom Where the lowest line may be.
 * @returns {number} The line of the letters.
 */
export const beside = (y, height, bottom) => at(Math.min(bottom, y + height / 3));

/** A number as a drawing has it. @param {number} value */
export const at = (value) => Math.round(value * 10) / 10;

/**
 * Has a drawing made again whenever its place has another size.
 * @param {HTMLElement} place The place.
 * @param {(width: number, height: number) => void} draw Draws.
 */
export function drawInto(place, draw) {
  let known = "";
  const observer = new ResizeObserver(([entry]) => {
    const { width, height } = entry.contentRect;
    const size = `${Math.round(width)} ${Math.round(height)}`;
    if (width < 1 || size === known) return;
    known = size;
    draw(Math.round(width), Math.round(height));
  });
  observer.observe(place);
}
