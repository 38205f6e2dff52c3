// A line over months: the interval as a band, open months dashed and named, a goal from its day on,
// the last value at its end.

import { s } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { at, beside, labelled, room, roundValues } from "./scale.js";

/** @typedef {{month: string, value: number | null, low: number | null, high: number | null, isOpen: boolean}} Point Hundredths. */

/** @typedef {{x: number, y: number}} Place A place on the drawing. */

/**
 * @typedef {object} Layout What is drawn, as indexes of months and hundredths of a percent.
 * @property {number} bottom The value at the lower edge.
 * @property {number} top The value at the upper edge.
 * @property {number[]} grid The values with a line of the grid.
 * @property {string[]} labels Their texts.
 * @property {number[][]} band The ranges of months with an interval.
 * @property {number[][]} solid The lines through settled months.
 * @property {number[][]} dashed The lines to and through open months.
 * @property {number[]} open The marks of open months.
 * @property {number[]} alone The marks of settled months between gaps.
 * @property {{value: number, first: number, next: number | null}[]} goals Each goal, from its first month up to the next.
 * @property {number | null} firstOpen The first open month.
 * @property {number | null} last The month at the line's end.
 * @property {string} ending Its value.
 */

/** A share. @param {number} value Hundredths. */
const share = (value) => format.share(value / 100);

/**
 * What does not depend on sizes and letters. The monthly report draws by the same rules, and both are tested with the
 * same cases.
 * @param {object} what
 * @param {Point[]} what.points The months; at least one has a value.
 * @param {(number | null)[]} what.goals As of `drawLine`.
 * @param {(number | null)[]} [what.nation] As of `drawLine`.
 * @returns {Layout} What is drawn.
 */
export function layout({ points, goals, nation = [] }) {
  const values = points.flatMap(({ value, low, high }) => [value, low, high]);
  const known = [...values, ...goals, ...nation].filter((each) => each !== null);
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  const margin = Math.max(50, Math.floor((greatest - least) * 12 / 100));
  const [bottom, top] = [Math.max(0, least - margin), Math.min(10_000, greatest + margin)];
  const grid = roundValues(bottom, top);
  const last = points.findLastIndex((each) => each.value !== null);
  const first = points.findIndex((each) => each.isOpen);
  const lines = runs(points, (each) => each.value !== null).map((run) => {
    const settled = run.filter((index) => !points[index].isOpen);
    const open = run.filter((index) => points[index].isOpen);
    // The way to an open month is as unsure as the month.
    return { run, settled, open, dashed: open.length ? [...settled.slice(-1), ...open] : [] };
  });
  return {
    bottom,
    top,
    grid,
    labels: grid.map((value) => value % 100 === 0 ? format.inPercent(value / 100) : share(value)),
    band: runs(points, (each) => each.low !== null && each.high !== null),
    solid: lines.map((each) => each.settled).filter((each) => each.length > 1),
    dashed: lines.map((each) => each.dashed).filter((each) => each.length > 1),
    open: lines.flatMap((each) => each.open),
    alone: lines.flatMap(({ run, settled }) => run.length === 1 ? settled : []),
    goals: goalSteps(goals),
    firstOpen: first < 0 ? null : first,
    last: last < 0 ? null : last,
    ending: last < 0 ? "" : share(/** @type {number} */ (points[last].value)),
  };
}

/**
 * What a line shows, in words.
 * @param {{month: string, value: number | null, isOpen: boolean}[]} points Its months, in hundredths.
 * @param {string} sentence The sentence of what is chosen.
 * @returns {string} The sentence, with the lowest and the highest month where there are two.
 */
export function lineText(points, sentence) {
  const known = points.filter((each) => each.value !== null);
  if (known.length < 2) return sentence;
  const by = [...known].sort((one, other) => /** @type {number} */ (one.value) - /** @type {number} */ (other.value));
  const [low, high] = [by[0], by[by.length - 1]];
  const name = (/** @type {{month: string, isOpen: boolean}} */ { month, isOpen }) =>
    isOpen ? t("open-month", { month: format.monthName(month) }) : format.monthName(month);
  return t("chart-description", {
    count: known.length,
    sentence,
    lowMonth: name(low),
    low: share(/** @type {number} */ (low.value)),
    highMonth: name(high),
    high: share(/** @type {number} */ (high.value)),
  });
}

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
  const drawn = layout({ points, goals, nation });
  const { bottom, top, last, ending } = drawn;
  const letters = room(drawing, [ending, ...drawn.labels], "end-value");
  const box = { left: 4, right: width - letters.width - 12, top: letters.height, bottom: height - letters.height - 6 };
  const x = (/** @type {number} */ index) =>
    at(box.left + 8 + (box.right - box.left - 8) * (points.length < 2 ? 1 : index / (points.length - 1)));
  const y = (/** @type {number} */ value) =>
    at(box.bottom - (box.bottom - box.top) * (value - bottom) / (top - bottom || 1));
  const value = (/** @type {number} */ index) => /** @type {number} */ (points[index].value);
  const place = (/** @type {number} */ index) => `${x(index)},${y(value(index))}`;
  const endLine = last === null
    ? -99
    : beside(Math.max(letters.height / 2, y(value(last))), letters.height, box.bottom);

  drawOpen(drawing, drawn.firstOpen, points.length < 2 ? 24 : x(1) - x(0), x, box, letters.height);
  drawn.grid.forEach((value, index) => {
    drawing.append(s("line.grid-line", { x1: box.left, x2: box.right, y1: y(value), y2: y(value) }));
    // Beside the line's end, where its own value goes before.
    const line = beside(y(value), letters.height, box.bottom);
    if (Math.abs(line - endLine) < letters.height) return;
    drawing.append(s("text.axis-text", { x: box.right + 6, y: line }, drawn.labels[index]));
  });
  for (const run of drawn.band) {
    const above = run.map((index) => `${x(index)},${y(/** @type {number} */ (points[index].high))}`);
    const below = run.map((index) => `${x(index)},${y(/** @type {number} */ (points[index].low))}`).reverse();
    drawing.append(s("polygon.band", { points: [...above, ...below].join(" ") }));
  }
  const places = (/** @type {(number | null)[]} */ values) =>
    values.flatMap((value, index) => value === null ? [] : [{ x: x(index), y: y(value) }]);
  drawNation(drawing, behind, places(nation), places(points.map((each) => each.value)), box);
  const edges = { left: box.left, right: box.right, top: letters.height };
  drawGoals(drawing, drawn.goals, { x: (index) => x(index - 0.5), y, ...edges });
  for (const run of drawn.solid) drawing.append(s("polyline.line", { points: run.map(place).join(" ") }));
  for (const run of drawn.dashed) drawing.append(s("polyline.line.line-open", { points: run.map(place).join(" ") }));
  for (const index of drawn.open) drawing.append(s("circle.open-mark", { cx: x(index), cy: y(value(index)), r: 3 }));
  for (const index of drawn.alone) drawing.append(s("circle.line-mark", { cx: x(index), cy: y(value(index)), r: 3 }));
  if (last !== null) {
    drawing.append(
      s(points[last].isOpen ? "text.end-value.end-open" : "text.end-value", { x: x(last) + 9, y: endLine }, ending),
    );
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
 * @param {number | null} first
 * @param {number} step How wide a month is.
 * @param {(index: number) => number} x
 * @param {{left: number, right: number, bottom: number}} box
 * @param {number} height The height of the letters.
 */
function drawOpen(drawing, first, step, x, box, height) {
  if (first === null) return;
  const start = at(x(first) - step / 2);
  const name = at(Math.min(start + 4, box.right - room(drawing, [t("open")]).width));
  drawing.append(
    s("rect.open-months", { x: start, y: 0, width: at(box.right - start + 4), height: box.bottom }),
    s("text.axis-text.plain-text", { x: name, y: height - 3 }, t("open")),
  );
}

/**
 * The line of all regions, and its name where no line strikes it.
 * @param {SVGElement} drawing
 * @param {string} name
 * @param {Place[]} places Its months.
 * @param {Place[]} others The months of the line before it.
 * @param {{left: number, right: number, top: number, bottom: number}} box
 */
function drawNation(drawing, name, places, others, box) {
  if (places.length < 2) return;
  const { width, height } = room(drawing, [name]);
  const free = places.flatMap((each) => [each.y - 4, each.y + height].map((line) => ({ x: each.x, y: line })))
    .filter(({ x, y }) => x + width <= box.right && y - height >= box.top && y <= box.bottom)
    .find(({ x, y }) =>
      [places, others].every((line) => !strikes(line, { left: x, right: x + width, top: y - height + 3, bottom: y + 1 }))
    );
  const { x, y } = free ?? { x: box.left, y: places[0].y - 4 };
  drawing.append(
    s("polyline.line.line-behind", { points: places.map((each) => `${each.x},${each.y}`).join(" ") }),
    s("text.axis-text.nation-text", { x: at(x), y: at(y) }, name),
  );
}

/**
 * Whether a line goes through a box.
 * @param {Place[]} line
 * @param {{left: number, right: number, top: number, bottom: number}} box
 */
function strikes(line, { left, right, top, bottom }) {
  return line.some((from, index) => {
    const to = line[index + 1];
    if (!to || to.x < left || from.x > right) return false;
    const [one, other] = [Math.max(left, from.x), Math.min(right, to.x)].map((x) =>
      from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x || 1)
    );
    return Math.min(one, other) <= bottom && Math.max(one, other) >= top;
  });
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
 * Each goal, from its first month up to where the next one begins.
 * @param {(number | null)[]} goals
 * @returns {Layout["goals"]}
 */
function goalSteps(goals) {
  return goals.flatMap((value, first) => {
    if (value === null || value === goals[first - 1]) return [];
    const next = goals.findIndex((each, index) => index > first && each !== value);
    return [{ value, first, next: next < 0 ? null : next }];
  });
}

/**
 * A line for each goal; the last is named. A month begins half a step before its point.
 * @param {SVGElement} drawing
 * @param {Layout["goals"]} goals
 * @param {{x: (index: number) => number, y: (value: number) => number, left: number, right: number, top: number}} scale
 */
function drawGoals(drawing, goals, { x, y, left, right, top }) {
  for (const { value, first, next } of goals) {
    const start = Math.max(left, x(first));
    drawing.append(s("line.goal", { x1: start, x2: next === null ? right : x(next), y1: y(value), y2: y(value) }));
    if (next !== null) continue;
    const text = t("goal-line", { goal: share(value) });
    drawing.append(s("text.axis-text.goal-text", {
      x: at(Math.max(left, Math.min(start, right - room(drawing, [text]).width))),
      y: at(Math.max(top, y(value) - 4)),
    }, text));
  }
}
