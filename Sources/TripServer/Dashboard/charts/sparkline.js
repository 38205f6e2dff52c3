// A line as small as a word: the shape of many months, and the last of them as a dot.

import { s } from "../shell/dom.js";
import { at } from "./scale.js";

const WIDTH = 72, HEIGHT = 24;

/**
 * Draws one.
 * @param {(number | null)[]} values The months.
 * @param {(number | null)[]} [behind] What stands behind it in grey, such as the nation.
 * @returns {SVGElement} The drawing; it says nothing by itself, its row does.
 */
export function sparkline(values, behind = []) {
  const known = [...values, ...behind].filter((each) => each !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (/** @type {number} */ index) => at(3 + (WIDTH - 6) * index / Math.max(1, values.length - 1));
  const y = (/** @type {number} */ value) =>
    at(HEIGHT - 4 - (HEIGHT - 8) * (high === low ? 0.5 : (value - low) / (high - low)));
  const drawing = s("svg.sparkline", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", focusable: "false" });
  const places = (/** @type {(number | null)[]} */ of) =>
    of.map((value, index) => value === null ? null : `${x(index)},${y(value)}`);
  const grey = places(behind).filter((each) => each !== null);
  if (grey.length > 1) drawing.append(s("polyline.line.line-behind", { points: grey.join(" ") }));
  /** @type {string[]} */
  let run = [];
  for (const place of [...places(values), null]) {
    if (place !== null) run.push(place);
    else if (run.length > 1) drawing.append(s("polyline.line", { points: run.join(" ") }));
    if (place === null) run = [];
  }
  const last = values.findLastIndex((each) => each !== null);
  if (last >= 0) {
    drawing.append(s("circle.line-mark", { cx: x(last), cy: y(/** @type {number} */ (values[last])), r: 2.5 }));
  }
  return drawing;
}
