// A line over months: the interval as a band, open months dashed and named, a goal from its day on,
// the last value at its end.

import { s } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { at, labelled, room, roundValues } from "./scale.js";

/** @typedef {{month: string, value: number | null, low: number | null, high: number | null, isOpen: boolean}} Point Hundredths. */

/**
 * Draws it.
 * @param {SVGElement} drawing Where; it is in the document and empty.
 * @param {{width: number, height: number}} size Its size.
 * @param {object} what
 * @param {Point[]} what.points The months.
 * @param {(number | null)[]} what.goals The goal of each month, in hundredths.
 * @param {(number | null)[]} [what.nation] What all regions read, in hundredths, where the line is one region's.
 * @param {string} [what.behind] What those regions are called.
 * @param {number} what.chosen The index of the month that is marked.
 * @returns {(x: number) => number} The index of the month at a place.
 */
export function drawLine(drawing, { width, height }, { points, goals, nation = [], behind = "", chosen }) {
  const share = (/** @type {number} */ value) => format.share(value / 100);
  const values = points.flatMap(({ value, low, high }) => [value, low, high].filter((each) => each !== null));
  values.push(...[...goals, ...nation].filter((each) => each !== null));
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max(50, (greatest - least) * 0.12);
  const [bottom, top] = [Math.max(0, least - margin), Math.min(10_000, greatest + margin)];
  const lines = roundValues(bottom, top);
  const last = points.findLastIndex((each) => each.value !== null);
  const lastValue = points[last]?.value ?? null;
  const ending = lastValue === null ? "" : share(lastValue);
  const whole = (/** @type {number} */ value) =>
    value % 100 === 0 ? t("percent", { value: value / 100 }) : share(value);
  const letters = room(drawing, [ending, ...lines.map(whole)], "end-value");
  const box = { left: 4, right: width - letters.width - 12, top: letters.height, bottom: height - letters.height - 6 };
  const x = (/** @type {number} */ index) =>
    at(box.left + 8 + (box.right - box.left - 8) * (points.length < 2 ? 1 : index / (points.length - 1)));
  const y = (/** @type {number} */ value) =>
    at(box.bottom - (box.bottom - box.top) * (value - bottom) / (top - bottom || 1));
  const endY = lastValue === null ? -99 : at(Math.min(box.bottom, Math.max(letters.height / 2, y(lastValue))));

  drawOpen(drawing, points, x, box, letters.height);
  for (const value of lines) {
    drawing.append(s("line.grid-line", { x1: box.left, x2: box.right, y1: y(value), y2: y(value) }));
    // Beside the line's end, where its own value goes before.
    if (Math.abs(y(value) - endY) < letters.height) continue;
    drawing.append(s("text.axis-text", { x: box.right + 6, y: y(value) + letters.height / 3 }, whole(value)));
  }
  for (const run of runs(points, (each) => each.low !== null && each.high !== null)) {
    const above = run.map((index) => `${x(index)},${y(/** @type {number} */ (points[index].high))}`);
    const below = run.map((index) => `${x(index)},${y(/** @type {number} */ (points[index].low))}`).reverse();
    drawing.append(s("polygon.band", { points: [...above, ...below].join(" ") }));
  }
  drawNation(drawing, behind, nation.flatMap((value, index) => value === null ? [] : [{ x: x(index), y: y(value) }]));
  const edges = { left: box.left, right: box.right, top: letters.height };
  drawGoals(drawing, goals, { x: (index) => x(index - 0.5), y, share, ...edges });
  for (const run of runs(points, (each) => each.value !== null)) drawRun(drawing, run, points, x, y);
  if (last >= 0 && lastValue !== null) {
    drawing.append(s("text.end-value", { x: x(last) + 9, y: endY + letters.height / 3 }, ending));
  }
  const mark = points[chosen]?.value ?? null;
  if (mark !== null) {
    drawing.append(
      s("line.chosen-line", { x1: x(chosen), x2: x(chosen), y1: box.top, y2: box.bottom }),
      s("circle.chosen-mark", { cx: x(chosen), cy: y(mark), r: 5 }),
    );
  }
  drawMonths(drawing, points.map((each) => each.month), x, height - 4, width);
  const step = (box.right - box.left - 8) / Math.max(1, points.length - 1);
  return (place) => Math.max(0, Math.min(points.length - 1, Math.round((place - box.left - 8) / step)));
}

/**
 * Shades and names the open months.
 * @param {SVGElement} drawing
 * @param {Point[]} points
 * @param {(index: number) => number} x
 * @param {{left: number, right: number, bottom: number}} box
 * @param {number} height The height of the letters.
 */
function drawOpen(drawing, points, x, box, height) {
  const first = points.findIndex((each) => each.isOpen);
  if (first < 0) return;
  const half = points.length < 2 ? 12 : (x(1) - x(0)) / 2;
  const start = at(x(first) - half);
  const name = at(Math.min(start + 4, box.right - room(drawing, [t("open")]).width));
  drawing.append(
    s("rect.open-months", { x: start, y: 0, width: at(box.right - start + 4), height: box.bottom }),
    s("text.axis-text.plain-text", { x: name, y: height - 3 }, t("open")),
  );
}

/** @param {SVGElement} drawing @param {string} name @param {{x: number, y: number}[]} places */
function drawNation(drawing, name, places) {
  if (places.length < 2) return;
  drawing.append(
    s("polyline.line.line-behind", { points: places.map((each) => `${each.x},${each.y}`).join(" ") }),
    s("text.axis-text", { x: 4, y: at(places[0].y - 4) }, name),
  );
}

/**
 * Names some months below a chart.
 * @param {SVGElement} drawing Where.
 * @param {string[]} months All months.
 * @param {(index: number) => number} x The middle of each.
 * @param {number} y The line of the letters.
 * @param {number} width The width of the drawing.
 */
export function drawMonths(drawing, months, x, y, width) {
  const names = months.map((month) => format.monthName(month, "tiny"));
  const wide = room(drawing, names).width;
  const most = Math.max(2, Math.min(width < 500 ? 4 : 8, Math.floor(width / (wide + 16))));
  for (const index of labelled(months.length, most)) {
    const middle = Math.min(width - wide / 2, Math.max(wide / 2, x(index)));
    drawing.append(s("text.axis-text", { x: at(middle), y, "text-anchor": "middle" }, names[index]));
  }
}

/**
 * Ranges of neighbouring months that have something.
 * @param {Point[]} points
 * @param {(each: Point) => boolean} has
 * @returns {number[][]}
 */
function runs(points, has) {
  /** @type {number[][]} */
  const found = [];
  points.forEach((each, index) => {
    if (!has(each)) return;
    const before = found.at(-1);
    if (before && before.at(-1) === index - 1) before.push(index);
    else found.push([index]);
  });
  return found;
}

/**
 * @param {SVGElement} drawing
 * @param {number[]} run
 * @param {Point[]} points
 * @param {(index: number) => number} x
 * @param {(value: number) => number} y
 */
function drawRun(drawing, run, points, x, y) {
  const place = (/** @type {number} */ index) => `${x(index)},${y(/** @type {number} */ (points[index].value))}`;
  const settled = run.filter((index) => !points[index].isOpen);
  const open = run.filter((index) => points[index].isOpen);
  if (settled.length > 1) drawing.append(s("polyline.line", { points: settled.map(place).join(" ") }));
  // The way to an open month is as unsure as the month.
  const dashed = settled.length ? [settled[settled.length - 1], ...open] : open;
  if (dashed.length > 1) drawing.append(s("polyline.line.line-open", { points: dashed.map(place).join(" ") }));
  for (const index of open) {
    drawing.append(s("circle.open-mark", { cx: x(index), cy: y(/** @type {number} */ (points[index].value)), r: 3 }));
  }
  if (run.length === 1 && settled.length) {
    drawing.append(s("circle.line-mark", { cx: x(run[0]), cy: y(/** @type {number} */ (points[run[0]].value)), r: 3 }));
  }
}

/**
 * A line for each goal, up to where the next one begins; the last is named. A month begins half a step before its
 * point.
 * @param {SVGElement} drawing
 * @param {(number | null)[]} goals
 * @param {{x: (index: number) => number, y: (value: number) => number, left: number, right: number, top: number,
 *   share: (value: number) => string}} scale
 */
function drawGoals(drawing, goals, { x, y, left, right, top, share }) {
  goals.forEach((value, first) => {
    if (value === null || value === goals[first - 1]) return;
    const next = goals.findIndex((each, index) => index > first && each !== value);
    const start = Math.max(left, x(first));
    drawing.append(s("line.goal", { x1: start, x2: next < 0 ? right : x(next), y1: y(value), y2: y(value) }));
    if (next >= 0) return;
    const text = t("goal-line", { goal: share(value) });
    drawing.append(s("text.axis-text.goal-text", {
      x: at(Math.max(left, Math.min(start, right - room(drawing, [text]).width))),
      y: at(Math.max(top, y(value) - 4)),
    }, text));
  });
}
