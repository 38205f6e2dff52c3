// The measures that the pipeline declares beside the numbers that all have: those of the shown trips,
// for readers who see every number. Others get none, and have no such section.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { comparedNode } from "./cards.js";
import { monthText } from "../shell/filter.js";
import { numbersButton } from "../shell/download.js";
import { isFew } from "../text/sentence.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/types.js").DeclaredMeasure} DeclaredMeasure */
/** @typedef {import("../shell/types.js").MeasureValue} MeasureValue */

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
    return measureRow(measure, values[index], before, total.trips, view);
  });
  return h(
    "section.card",
    null,
    h("div.card-head", null, h("h2", null, title), numbersButton(title, "month", { ...view.filter, month: "" })),
    h("ul.bases", null, rows),
  );
}

/**
 * @param {DeclaredMeasure} measure
 * @param {MeasureValue} now
 * @param {MeasureValue | null} before
 * @param {number | null} trips
 * @param {View} view
 */
function measureRow(measure, now, before, trips, view) {
  const change = now.value === null || !before || before.value === null ? null : now.value - before.value;
  const moved = change === null
    ? null
    : { direction: /** @type {-1 | 0 | 1} */ (Math.sign(change)), text: amount(measure, Math.abs(change), true) };
  const isPart = measure.kind !== "count" && trips && now.known_trips < trips;
  const share = isPart ? format.inPercent(Math.floor(now.known_trips * 100 / trips)) : "";
  return h(
    "li.measure",
    null,
    h("span", null, measure.label),
    h("span.measure-value", null, now.value === null ? t("cost-unknown") : amount(measure, now.value)),
    isPart && now.value !== null ? h("span.caption", null, t("measure-known", { share })) : null,
    moved ? comparedNode(moved, false, view) : null,
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
