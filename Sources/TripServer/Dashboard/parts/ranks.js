// Which regions and trip types are ranked, by what, and of which month.

import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { isFew, stateOf, wordOf } from "../text/sentence.js";
import { app } from "../shell/app.js";
import { regionName } from "../shell/filter.js";
import { settings } from "../shell/memory.js";
import { firstFull, isOneMonth, lastSettled, openOf } from "../shell/numbers.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/types.js").Trend} Trend */
/** @typedef {import("../shell/types.js").Sums & {label: string, region?: string, trip_type?: string}} Row */
/** @typedef {"region" | "trip_type"} Dimension */
/**
 * The month of the numbers, and the one of their change; empty for none.
 * @typedef {{now: string, before: string}} Base
 */
/**
 * A region or a trip type in the month that is ranked.
 * @typedef {object} Group
 * @property {string} code
 * @property {string} name
 * @property {number | null} trips
 * @property {string} word What stands in place of a share; empty where there is one.
 * @property {number | null} share Hundredths.
 * @property {number | null} change Hundredths, against the year before.
 * @property {boolean} isFew Whether its change is of few trips.
 * @property {boolean} isRest Whether it is no region or type of its own.
 * @property {boolean} isOwn
 * @property {string} price Of one trip, where trip types are ranked; empty of regions.
 * @property {(number | null)[]} line
 */

/**
 * Which month is ranked: the shown one, or the newest settled one where it is open, since an open month reads high;
 *   and the one a year before.
 * @param {View} view
 * @returns {Base}
 */
export function baseOf(view) {
  const months = view.trends?.months ?? [];
  if (!isOneMonth(view)) return { now: "", before: "" };
  const settled = openOf(view).length ? lastSettled(view)?.month ?? "" : view.filter.month;
  // Without the months of the groups there are those of the shown one alone.
  const now = months.includes(settled) ? settled : view.filter.month;
  const before = format.later(now, -12);
  return { now, before: months.includes(before) ? before : "" };
}

/** @param {View} view @param {Dimension} dimension @param {Base} base @returns {Group[]} */
export function groupsOf(view, dimension, base) {
  const isRegion = dimension === "region";
  const rows = /** @type {Row[]} */ (isRegion ? view.month?.by_region ?? [] : view.month?.by_trip_type ?? []);
  /** @type {({region?: string, trip_type?: string, label: string} & Trend)[]} */
  const trends = (isRegion ? view.trends?.regions : view.trends?.trip_types) ?? [];
  const own = isRegion ? [...app.me?.regions ?? [], settings().region] : [];
  const months = view.trends?.months ?? [];
  const isShown = base.now === "" || base.now === view.filter.month;
  const [now, before] = [months.indexOf(base.now), months.indexOf(base.before)];
  const common = (/** @type {string} */ code, /** @type {string} */ label) => ({
    code,
    name: isRegion ? regionName(code, label) : label,
    isRest: isRegion ? code === "UNKNOWN" : code === "OTHER",
    isOwn: own.includes(code),
  });
  const priceOf = (/** @type {number | null | undefined} */ price, /** @type {number | null | undefined} */ cost) =>
    isRegion ? "" : priceText(price ?? null, cost ?? null);
  const changeOf = (/** @type {Trend | undefined} */ trend) => {
    const [value, old] = [now, before].map((each) => format.hundredths(trend?.in_house_pct[each]));
    const hasFew = [now, before].some((each) => isFew(trend?.trips[each]));
    const change = value === null || old === null ? null : value - old;
    return { change, isFew: change !== null && hasFew, line: lineOf(view, trend) };
  };
  if (isShown) {
    return rows.map((row) => ({
      ...common(row[dimension] ?? "", row.label),
      trips: row.trips,
      word: wordOf(stateOf(row, "in-house")),
      share: format.hundredths(row.in_house_pct),
      price: priceOf(row.cost_per_trip_cents, row.cost_cents),
      ...changeOf(trends.find((each) => each[dimension] === row[dimension])),
    }));
  }
  return trends.filter((each) => each.trips[now] !== 0).map((trend) => {
    const [trips, share] = [trend.trips[now], format.hundredths(trend.in_house_pct[now])];
    const isHidden = trips === null || trend.suppressed;
    return {
      ...common(trend[dimension] ?? "", trend.label),
      trips,
      word: share !== null ? "" : wordOf(isHidden ? "hidden" : "undetermined"),
      share,
      price: priceOf(trend.cost_per_trip_cents?.[now], trend.cost_cents[now]),
      ...changeOf(trend),
    };
  });
}

/**
 * The known costs of the trips that are ranked, and those of them that vendors were paid.
 * @param {View} view
 * @param {Base} base
 * @returns {{cost: number | null, bought: number | null}} Both in cents; null where hidden or not known.
 */
export function costsOf({ filter, month, trends }, { now }) {
  const at = trends?.months.indexOf(now) ?? -1;
  const [total, trend] = [month?.total, trends?.total];
  return now === "" || now === filter.month
    ? { cost: total?.cost_cents ?? null, bought: total?.contracted_cost_cents ?? null }
    : { cost: trend?.cost_cents[at] ?? null, bought: trend?.contracted_cost_cents[at] ?? null };
}

/**
 * What a trip cost; where no trip has a known cost, the sum of known costs is 0.
 * @param {number | null} price
 * @param {number | null} cost
 */
function priceText(price, cost) {
  if (price !== null) return t("price", { money: format.wholeMoney(price) });
  return t(cost === 0 ? "price-unknown" : "price-hidden");
}

/**
 * The settled months, as open ones read high and would flatten the rest.
 * @param {View} view
 * @param {Trend} [trend]
 */
export function lineOf({ trends }, trend) {
  if (!trends || !trend) return [];
  const count = trends.months.filter((month) => !trends.open_months.includes(month)).length;
  return trend.in_house_pct.slice(firstFull(trends.total.trips), count);
}

/**
 * Those of one's own first; what is no group of its own, and changes of few trips, last.
 * @param {Group[]} groups
 * @param {boolean} isByChange
 */
export function orderOf(groups, isByChange) {
  const place = (/** @type {Group} */ { isRest, isFew, share, change }) => {
    if (isRest) return -3;
    if (!isByChange) return share ?? -1;
    return change === null ? -2 : isFew ? -1 : Math.abs(change);
  };
  const sorted = [...groups].sort((one, other) => place(other) - place(one));
  return [...sorted.filter((each) => each.isOwn), ...sorted.filter((each) => !each.isOwn)];
}

/**
 * The place of a group among all; 0 where it has none.
 * @param {Group} group
 * @param {Group[]} groups
 * @param {boolean} isByChange
 */
export function rankOf(group, groups, isByChange) {
  const isRanked = (/** @type {Group} */ each) =>
    !each.isRest && (isByChange ? each.change !== null && !each.isFew : each.share !== null);
  if (!isRanked(group)) return 0;
  const value = (/** @type {Group} */ each) => isByChange ? Math.abs(each.change ?? 0) : each.share ?? 0;
  return 1 + groups.filter((each) => isRanked(each) && value(each) > value(group)).length;
}
