// A bar per month; bars of open months are hollow, since they may still grow.

import { s } from "../shell/dom.js";
import { at, beside, room, roundValues } from "./scale.js";
import { drawMonths } from "./line.js";

/** @typedef {{month: string, value: number | null, isOpen: boolean}} Bar */

/**
 * Draws them.
 * @param {SVGElement} drawing Where; it is in the document and empty.
 * @param {{width: number, height: number}} size Its size.
 * @param {object} what
 * @param {Bar[]} what.bars The months.
 * @param {(value: number) => string} what.written How a value is written.
 * @param {number} what.chosen The index of the month that is marked.
 * @returns {(x: number) => number} The index of the month at a place.
 */
export function drawBars(drawing, { width, height }, { bars, written, chosen }) {
  const values = bars.flatMap(({ value }) => value === null ? [] : [value]);
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  // Parts of a cent or of a trip, and what is written as nothing, help no reader.
  const lines = roundValues(low, high).filter((value) => Number.isInteger(value) && written(value) !== written(0));
  const letters = room(drawing, lines.map(written));
  const box = {
    left: 2,
    right: width - letters.width - 8,
    top: letters.height + 4,
    bottom: height - letters.height - 8,
  };
  const step = (box.right - box.left) / Math.max(1, bars.length);
  const y = (/** @type {number} */ value) => at(box.bottom - (box.bottom - box.top) * (value - low) / (high - low));
  const x = (/** @type {number} */ index) => at(box.left + step * (index + 0.5));
  const wide = at(Math.max(3, step * 0.6));
  for (const value of lines) {
    drawing.append(
      s("line.grid-line", { x1: box.left, x2: box.right, y1: y(value), y2: y(value) }),
      s("text.axis-text", { x: box.right + 6, y: beside(y(value), letters.height, box.bottom) }, written(value)),
    );
  }
  if (bars[chosen]) {
    drawing.append(s("line.chosen-line", { x1: x(chosen), x2: x(chosen), y1: box.top, y2: box.bottom }));
  }
  bars.forEach(({ value, isOpen }, index) => {
    if (value === null) return;
    const [from, to] = [Math.min(y(0), y(value)), Math.max(y(0), y(value))];
    drawing.append(s("rect", {
      class: "bar-mark" + (isOpen ? " bar-open" : "") + (index === chosen ? " bar-chosen" : ""),
      x: at(x(index) - wide / 2),
      y: from,
      width: wide,
      height: Math.max(1, at(to - from)),
    }));
  });
  drawing.append(s("line.axis", { x1: box.left, x2: box.right, y1: y(0), y2: y(0) }));
  drawMonths(drawing, bars.map((each) => each.month), x, height - 4, width);
  return (place) => Math.max(0, Math.min(bars.length - 1, Math.floor((place - box.left) / step)));
}
