// What comes after the numbers of the first screen: the parts below them, in two columns that a
// phone shows one below the other, and what a press opens. Each part is made by itself, so that
// drawing all of them holds up no press.

import { basisCard } from "./basis.js";
import { measuresCard } from "./measures.js";
import { ranked } from "./groups.js";
import { monthsOf, shareChart, volumeCharts } from "./series.js";
import { actions, passingOn, worth } from "./ways.js";

export { about } from "./about.js";
export { openFilter } from "../screens/filter.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {() => import("../shell/dom.js").Child} Maker */

/**
 * The parts.
 * @param {View} view The view, its month there.
 * @param {string[]} where The names of region and trip type.
 * @param {(changes: Partial<import("../shell/filter.js").Filter>) => void} choose Filters everything.
 * @returns {[Maker[], Maker[], Maker[]]} Those of the first column, of the second, and below both.
 */
export function details(view, where, choose) {
  /** @type {import("../charts/figure.js").Linked} */
  const linked = new Set();
  const months = monthsOf(view).map((each) => each.month);
  const volumes = volumeCharts(view, linked);
  // One region is no ranking.
  const { region, trip_type: type } = view.filter;
  return [
    [
      () => shareChart(view, where, linked),
      () => actions(view, months, linked),
      ...volumes,
      () => worth(view),
      () => measuresCard(view),
      () => basisCard(view),
    ],
    [
      () => region ? null : ranked(view, "region", (value) => choose({ region: value })),
      () => type ? null : ranked(view, "trip_type", (value) => choose({ trip_type: value })),
    ],
    [() => passingOn(view)],
  ];
}
