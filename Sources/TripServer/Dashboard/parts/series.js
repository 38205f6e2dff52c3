// The charts over months: the in-house share, then what it cost and how many trips there were.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { kindOf, sentenceText } from "../text/sentence.js";
import { factsOf } from "../shell/numbers.js";
import { figure, table } from "../charts/figure.js";
import { drawLine } from "../charts/line.js";
import { drawBars } from "../charts/bars.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/types.js").MonthSums} MonthSums */

/** How many months a chart has at most. */
const MONTHS = 24;

/**
 * The months of a chart: without gaps, the newest last.
 * @param {View} view
 * @returns {{month: string, sums: MonthSums | null}[]}
 */
function monthsOf(view) {
  const { series } = view.months;
  const newest = series.at(-1)?.month;
  if (!newest) return [];
  const known = new Map(series.map((each) => [each.month, each]));
  const found = [];
  let [year, number] = newest.split("-").map(Number);
  while (found.length < MONTHS) {
    const month = `${year}-${String(number).padStart(2, "0")}`;
    if (month < series[0].month) break;
    found.unshift({ month, sums: known.get(month) ?? null });
    number -= 1;
    if (number === 0) [year, number] = [year - 1, 12];
  }
  return found;
}

/** @param {View} view @param {{month: string}[]} months */
function chosenOf(view, months) {
  const index = months.findIndex((each) => each.month === view.filter.month);
  return index < 0 ? months.length - 1 : index;
}

/** What a month reads, in a word where there is no number. @param {MonthSums | null} sums */
function shareText(sums) {
  const words = {
    value: format.share(sums?.in_house_pct),
    hidden: t("hidden"),
    undetermined: t("not-decided"),
    empty: t("no-value"),
  };
  return words[kindOf(sums)];
}

/** @param {boolean} isOpen */
const openText = (isOpen) => isOpen ? ` · ${t("open")}` : "";

/**
 * The in-house share over months.
 * @param {View} view The view.
 * @param {string[]} where The names of region and trip type.
 * @returns {HTMLElement} The figure.
 */
export function shareChart(view, where) {
  const months = monthsOf(view);
  const isOpen = (/** @type {string} */ month) => view.months.open_months.includes(month);
  const points = months.map(({ month, sums }) => ({
    month,
    value: format.hundredths(sums?.in_house_pct),
    low: format.hundredths(sums?.in_house_pct_low),
    high: format.hundredths(sums?.in_house_pct_high),
    isOpen: isOpen(month),
  }));
  const declared = view.month?.goal ?? null;
  const goal = declared
    ? { value: /** @type {number} */ (format.hundredths(declared.in_house_pct)), since: declared.since }
    : null;
  const range = (/** @type {number} */ index) => {
    const text = format.range(months[index].sums?.in_house_pct_low, months[index].sums?.in_house_pct_high);
    return text && ` (${text})`;
  };
  const all = new Map(
    view.filter.region ? view.nation?.series.map((each) => [each.month, format.hundredths(each.in_house_pct)]) : [],
  );
  const nation = all.size ? months.map((each) => all.get(each.month) ?? null) : [];
  const hasValues = points.some((each) => each.value !== null);
  return figure({
    title: t("chart-share"),
    description: description(view, where, points),
    count: points.length,
    chosen: chosenOf(view, months),
    readout: (
      index,
    ) => [
      h("b", null, shareText(months[index].sums)),
      range(index),
      h(
        "span.reading-month",
        null,
        format.monthName(months[index].month),
        openText(isOpen(months[index].month)),
      ),
    ],
    note: hasValues ? "" : months.some(({ sums }) => sums?.suppressed) ? t("chart-hidden") : t("no-value"),
    draw: (drawing, size, chosen) =>
      hasValues ? drawLine(drawing, size, { points, goal, nation, chosen }) : () => chosen,
    table: () =>
      table(
        t("chart-share"),
        [t("month"), t("in-house-pct"), t("interval-name")],
        months.map(({ month, sums }) => [
          format.monthName(month, "short") + openText(isOpen(month)),
          shareText(sums),
          format.range(sums?.in_house_pct_low, sums?.in_house_pct_high) || format.NONE,
        ]).reverse(),
      ),
    legend: [
      t("chart-open-legend"),
      " · ",
      t("chart-band-legend"),
      declared
        ? [" · ", t("goal-since", { goal: format.share(declared.in_house_pct), day: format.day(declared.since) })]
        : "",
    ],
  });
}

/** @param {View} view @param {string[]} where @param {{month: string, value: number | null}[]} points */
function description(view, where, points) {
  const known = points.filter((each) => each.value !== null);
  const sentence = sentenceText(factsOf(view, where));
  if (known.length < 2) return sentence;
  const by = [...known].sort((one, other) => /** @type {number} */ (one.value) - /** @type {number} */ (other.value));
  const [low, high] = [by[0], by[by.length - 1]];
  const share = (/** @type {{value: number | null}} */ each) => format.share(/** @type {number} */ (each.value) / 100);
  return t("chart-description", {
    count: known.length,
    sentence,
    lowMonth: format.monthName(low.month),
    low: share(low),
    highMonth: format.monthName(high.month),
    high: share(high),
  });
}

/**
 * Cost and trips over months.
 * @param {View} view The view.
 * @returns {HTMLElement[]} The figures.
 */
export function volumeCharts(view) {
  const months = monthsOf(view);
  /** @type {[string, (sums: MonthSums | null) => number | null, (value: number) => string, (value: number | null) => string][]} */
  const kinds = [
    [t("vendor-cost"), (sums) => sums?.contracted_cost_cents ?? null, format.money, format.exactMoney],
    [t("trips"), (sums) => sums?.trips ?? null, format.count, format.count],
  ];
  return kinds.map(([title, valueOf, short, exact]) => {
    const bars = months.map(({ month, sums }) => ({
      month,
      value: valueOf(sums),
      isOpen: view.months.open_months.includes(month),
    }));
    const word = (/** @type {number} */ index) => {
      const { value } = bars[index];
      return value === null ? months[index].sums?.suppressed ? t("hidden") : t("cost-unknown") : exact(value);
    };
    return figure({
      title,
      description: `${title}: ${word(chosenOf(view, months))}, ${
        format.monthName(bars[chosenOf(view, months)].month)
      }.`,
      count: bars.length,
      chosen: chosenOf(view, months),
      isSmall: true,
      readout: (
        index,
      ) => [
        h("b", null, word(index)),
        h("span.reading-month", null, format.monthName(bars[index].month), bars[index].isOpen ? ` · ${t("open")}` : ""),
      ],
      note: bars.some((each) => each.value !== null) ? "" : t("chart-hidden"),
      draw: (drawing, size, chosen) => drawBars(drawing, size, { bars, written: short, chosen }),
      table: () =>
        table(
          title,
          [t("month"), title],
          bars.map((each, index) => [format.monthName(each.month, "short") + openText(each.isOpen), word(index)])
            .reverse(),
        ),
    });
  });
}
