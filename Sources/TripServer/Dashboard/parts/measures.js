// The measures that the pipeline declares beside the numbers that all have: those of the shown trips,
// for readers who see every number. Others get none, and have no such section.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { comparedNode, movedNodes } from "./cards.js";
import { monthText } from "../shell/filter.js";
import { numbersButton } from "../shell/download.js";
import { isFew } from "../text/sentence.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/types.js").DeclaredMeasure} DeclaredMeasure */
/** @typedef {import("../shell/types.js").MeasureValue} MeasureValue */
/** @typedef {import("../shell/types.js").MeasureOfChange} MeasureOfChange */

/**
 * The measures.
 * @param {View} view The view, its month there.
 * @returns {HTMLElement | null} The list; null where there is none.
 */
export function measuresCard(view) {
  const { measures = [], total, comparison } = view.month ?? {};
  const values = total?.measures ?? [];
  if (!total || !measures.length || !values.length) return null;
  // Of few trips, now or then, no change says anything.
  const isCompared = comparison && !isFew(total.trips) && !isFew(comparison.trips);
  const earlier = isCompared ? comparison.measures ?? [] : [];
  const title = `${t("measures")}, ${monthText(view.filter)}`;
  const rows = measures.map((measure, index) => {
    const before = earlier.find((each) => each.name === measure.name) ?? null;
    const moved = before && movement(measure, change(values[index].value, before.value));
    return measureRow(measure, values[index], total.trips, moved && comparedNode(moved, false, view));
  });
  return h(
    "section.card",
    null,
    h("div.card-head", null, h("h2", null, title), numbersButton(title, "month", { ...view.filter, month: "" })),
    h("ul.bases", null, rows),
  );
}

/**
 * The measures of two generations: what each reads now, and by how much that moved.
 * @param {MeasureOfChange[]} measures The measures.
 * @param {number} trips The trips now.
 * @returns {HTMLElement} The list.
 */
export function movedMeasures(measures, trips) {
  const rows = measures.map((each) => {
    const { comparison, after, after_known_trips: known } = each;
    const moved = movement(each, each.change);
    const tail = comparison === "same" ? moved && movedNodes(moved, false) : t(OTHERWISE[comparison]);
    // What is no longer declared has no value now.
    const now = known === null ? null : { value: after, known_trips: known };
    return measureRow(each, now, trips, tail ? h("span.caption.change", null, tail) : null);
  });
  return h("ul.bases", null, rows);
}

/** Why two generations of a measure cannot be compared. @type {Record<string, import("../text/text.js").Key>} */
const OTHERWISE = {
  declared_since: "measure-since",
  no_longer_declared: "measure-gone",
  declared_otherwise: "measure-otherwise",
};

/** @param {number | null} now @param {number | null} before */
const change = (now, before) => now === null || before === null ? null : now - before;

/**
 * A difference as it is shown; null where there is none.
 * @param {DeclaredMeasure} measure
 * @param {number | null} by
 */
function movement(measure, by) {
  if (by === null) return null;
  return { direction: /** @type {-1 | 0 | 1} */ (Math.sign(by)), text: amount(measure, Math.abs(by), true) };
}

/**
 * @param {DeclaredMeasure} measure
 * @param {{value: number | null, known_trips: number} | null} now Null where it has no value to show.
 * @param {number | null} trips
 * @param {HTMLElement | null} tail What moved it.
 */
function measureRow(measure, now, trips, tail) {
  const value = now?.value ?? null;
  const isPart = now && measure.kind !== "count" && trips && now.known_trips < trips;
  const share = isPart ? format.inPercent(Math.floor(now.known_trips * 100 / trips)) : "";
  return h(
    "li.measure",
    null,
    h("span", null, measure.label),
    now && h("span.measure-value", null, value === null ? t("cost-unknown") : amount(measure, value)),
    isPart && value !== null ? h("span.caption", null, t("measure-known", { share })) : null,
    tail,
  );
}

/**
 * An amount as it is read, with its unit.
 * @param {DeclaredMeasure} measure
 * @param {number} value
 * @param {boolean} [isChange] Whether it is the difference of two, which shows every decimal.
 */
function amount(measure, value, isChange = false) {
  const isOfOne = measure.kind === "mean" || measure.kind === "median";
  const unit = measure.unit ? `\u00a0${measure.unit}` : "";
  if (measure.kind !== "count" && measure.amount === "cents") return money(value, isOfOne);
  if (measure.kind !== "count" && measure.amount === "hundredths") return format.miles(value);
  if (!isOfOne) return format.count(value) + unit;
  const hundredths = Math.round(value * 100);
  return (isChange ? format.twoDecimals(hundredths) : format.tenths(hundredths)) + unit;
}

/** What is of one trip to the cent, what is of all of them short. @param {number} cents @param {boolean} isOfOne */
function money(cents, isOfOne) {
  return isOfOne ? format.exactMoney(cents) : format.money(cents);
}
