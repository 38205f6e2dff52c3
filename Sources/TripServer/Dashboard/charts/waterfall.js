// How single parts make up a change: one bar after the other, from what was to what is, largest
// first. A list of rows, so that it reads at 320 px; each row has its number.

import { h, s } from "../shell/dom.js";
import { at } from "./scale.js";

const WIDTH = 300, HEIGHT = 12;

/** @typedef {{name: string, note: string, change: number, written: string}} Step */

/**
 * Makes one.
 * @param {object} what
 * @param {{name: string, written: string}} what.from What was.
 * @param {{name: string, written: string}} what.to What is.
 * @param {number} what.total The whole change.
 * @param {Step[]} what.steps The parts, which sum to it.
 * @returns {HTMLElement} The list.
 */
export function waterfall({ from, to, total, steps }) {
  let sum = 0;
  const sums = [0, ...steps.map((each) => sum += each.change), total];
  const [low, high] = [Math.min(...sums), Math.max(...sums)];
  const x = (/** @type {number} */ value) => at(2 + (WIDTH - 4) * (value - low) / (high - low || 1));
  const bar = (/** @type {number} */ begin, /** @type {number} */ end, /** @type {string} */ kind) =>
    s(
      "svg.fall",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true", focusable: "false" },
      s("line.axis", { x1: x(0), x2: x(0), y1: 0, y2: HEIGHT }),
      s("rect", {
        class: kind,
        x: Math.min(x(begin), x(end)),
        y: 1,
        width: begin === end ? 0 : Math.max(2, at(Math.abs(x(end) - x(begin)))),
        height: HEIGHT - 2,
      }),
    );
  let before = 0;
  const rows = steps.map((each) => {
    const start = before;
    before += each.change;
    return h(
      "li.fall-row",
      null,
      h("span.fall-name", null, each.name, h("span.caption", null, each.note)),
      h("span.fall-value", null, each.written),
      bar(start, before, each.change < 0 ? "fall-down" : "fall-up"),
    );
  });
  return h(
    "ol.falls",
    null,
    h("li.fall-row.fall-end", null, h("span.fall-name", null, from.name), h("span.fall-value", null, from.written)),
    rows,
    h("li.fall-row.fall-end", null, h("span.fall-name", null, to.name), h("span.fall-value", null, to.written)),
  );
}
