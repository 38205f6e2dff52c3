// What the dashboard says and draws of the cases beside, as JSON, one list for each file. Tests of the monthly report
// read the same files: two programs, one set of words and rules.
//
// deno run --allow-read answers.js

import { loadTexts } from "../../../Sources/TripServer/Dashboard/text/text.js";
import { later, monthName } from "../../../Sources/TripServer/Dashboard/text/dates.js";
import { goalSinceText, sentenceText } from "../../../Sources/TripServer/Dashboard/text/sentence.js";
import { layout, lineText } from "../../../Sources/TripServer/Dashboard/charts/line.js";
import { labelled, roundValues } from "../../../Sources/TripServer/Dashboard/charts/scale.js";

/** @param {string} name */
const read = (name) => JSON.parse(Deno.readTextFileSync(new URL(name, import.meta.url)));

/**
 * What texts read of a group of trips.
 * @param {(number | null)[] | null} share Its value, low and high, in hundredths.
 * @param {object} [more] Other members.
 * @returns {any} The group, with percentages.
 */
function group(share, more = {}) {
  const [value, low, high] = (share ?? [null, null, null]).map((each) => each === null ? null : each / 100);
  return { in_house_pct: value, in_house_pct_low: low, in_house_pct_high: high, ...more };
}

/** @param {any} facts */
function spoken({ month, where = [], trips = 1000, hidden = false, share = null, open = [], ...rest }) {
  const { settles_on = null, comparison = null, goal = null, settled = null } = rest;
  return sentenceText({
    month,
    where,
    total: trips === 0 ? null : group(share, { trips, suppressed: hidden }),
    open,
    settlesOn: settles_on,
    comparison: comparison && group(comparison.share, comparison),
    goal: goal && { in_house_pct: goal.hundredths / 100, verdict: goal.verdict, since: goal.since },
    settled: settled && { goal: null, ...settled, total: group(settled.share, { trips: settled.trips ?? 1000, suppressed: false }) },
  });
}

/** @param {any} chart */
function drawn({ first, shares, open, goals, most, sentence }) {
  const points = shares.map((/** @type {(number | null)[] | null} */ share, /** @type {number} */ index) => {
    const [value, low, high] = share ?? [null, null, null];
    return { month: later(first, index), value, low, high, isOpen: index >= shares.length - open };
  });
  const { bottom: _bottom, top: _top, ...shown } = layout({ points, goals });
  return {
    ...shown,
    months: labelled(points.length, most).map((index) => monthName(points[index].month, "tiny")),
    description: lineText(points, sentence),
  };
}

const sentences = read("sentence-cases.json");
const charts = read("chart-cases.json");
// What of a browser the texts look at: its languages, the page's language, and today.
const Clock = Date;
Object.defineProperty(navigator, "languages", { value: ["en-US"] });
Object.assign(globalThis, {
  document: { documentElement: {} },
  Date: class extends Clock {
    /** @param {...any} of */
    constructor(...of) {
      super(...(/** @type {[any]} */ (of.length ? of : [sentences.today])));
    }
  },
});
await loadTexts();

console.log(JSON.stringify({
  sentences: sentences.sentences.map(spoken),
  goals: sentences.goals.map((/** @type {{hundredths: number, since: string}} */ goal) =>
    goalSinceText({ in_house_pct: goal.hundredths / 100, since: goal.since })
  ),
  charts: charts.charts.map(drawn),
  grids: charts.grids.map((/** @type {{low: number, high: number}} */ { low, high }) => roundValues(low, high)),
  labels: charts.labels.map((/** @type {{count: number, most: number}} */ { count, most }) => labelled(count, most)),
}));
