// The charts over months: the in-house share, then what it cost and how many trips there were.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { goalSinceText, openNote, sentenceText, stateOf, valueOf, wordOf } from "../text/sentence.js";
import { filterText } from "../shell/filter.js";
import { factsOf, firstFull, goalOf, isNation, isOneMonth, wholeName } from "../shell/numbers.js";
import { provenance } from "../shell/provenance.js";
import { figure, table } from "../charts/figure.js";
import { drawLine, lineText } from "../charts/line.js";
import { drawBars } from "../charts/bars.js";
import { numbersButton } from "../shell/download.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/types.js").MonthSums} MonthSums */
/** @typedef {import("../charts/figure.js").Linked} Linked */

/** How many months a chart has at most. */
const MONTHS = 24;

/**
 * The months of a chart: without gaps, the newest last, without the strays at the beginning.
 * @param {View} view The view.
 * @returns {{month: string, sums: MonthSums | null}[]} The months; `sums` is null of those without trips.
 */
export function monthsOf(view) {
  const { by_month: series } = view.months;
  const newest = series.at(-1)?.month;
  if (!newest) return [];
  const known = new Map(series.map((each) => [each.month, each]));
  const found = [];
  for (let month = lastOf(view, newest); month >= series[0].month && found.length < MONTHS;) {
    found.unshift({ month, sums: known.get(month) ?? null });
    month = format.later(month, -1);
  }
  const chosen = found.findIndex((each) => each.month === view.filter.month);
  const begin = firstFull(found.map((each) => each.sums?.trips));
  return found.slice(chosen < 0 ? begin : Math.min(begin, chosen));
}

/** The last month of a chart: the newest; of a chosen month long ago, one a year after it. @param {View} view @param {string} newest */
function lastOf(view, newest) {
  const { month } = view.filter;
  return isOneMonth(view) && month <= format.later(newest, -MONTHS) ? format.later(month, 12) : newest;
}

/** What says that months before a chart's first have few trips. @param {View} view @param {{month: string}[]} months */
function beginText(view, months) {
  const isCut = months.length < MONTHS && view.months.by_month[0]?.month < months[0]?.month;
  return isCut ? [t("chart-begin", { month: format.monthName(months[0].month) })] : [];
}

/** @param {View} view @param {{month: string}[]} months */
function chosenOf(view, months) {
  const index = months.findIndex((each) => each.month === view.filter.month);
  return index < 0 ? months.length - 1 : index;
}

/** What a month reads, in a word where there is no number. @param {MonthSums | null} sums */
function shareText(sums) {
  return wordOf(stateOf(sums, "in-house")) || format.share(sums?.in_house_pct);
}

/** @param {MonthSums | null} sums */
function exactText(sums) {
  return wordOf(stateOf(sums, "in-house")) || format.exactShare(format.hundredths(sums?.in_house_pct) ?? 0);
}

/** A month at the head of its row. @param {string} month @param {boolean} isOpen */
function rowName(month, isOpen) {
  const name = format.capital(format.monthName(month, "short"));
  return [h("span.row-month", null, name), isOpen ? [h("span.row-dot", null, " · "), h("span.row-month", null, t("open"))] : null];
}

/**
 * A number of a month, as it is passed on.
 * @param {View} view
 * @param {import("../text/sentence.js").Measure} measure
 * @param {string} month
 * @param {string} value
 */
function copiedText(view, measure, month, value) {
  const isOpen = view.months.open_months.includes(month);
  const settlesOn = view.choices?.months.find((each) => each.month === month)?.settles_on ?? null;
  const note = isOpen ? openNote({ open: [month], settlesOn }, measure) : "";
  const where = filterText({ ...view.filter, month }, view.choices, wholeName(view));
  return provenance(t(measure === "in-house" ? "in-house-pct" : measure), value, where, view.months, note);
}

/**
 * The in-house share over months.
 * @param {View} view The view.
 * @param {string[]} where The names of region and trip type.
 * @param {Linked} linked The figures of the same months.
 * @returns {HTMLElement} The figure.
 */
export function shareChart(view, where, linked) {
  const months = monthsOf(view);
  const isOpen = (/** @type {string} */ month) => view.months.open_months.includes(month);
  const points = months.map(({ month, sums }) => ({
    month,
    value: format.hundredths(sums?.in_house_pct),
    low: format.hundredths(sums?.in_house_pct_low),
    high: format.hundredths(sums?.in_house_pct_high),
    isOpen: isOpen(month),
  }));
  const goals = goalsOf(view, months);
  const range = (/** @type {number} */ index) => {
    const text = format.range(months[index].sums?.in_house_pct_low, months[index].sums?.in_house_pct_high);
    return text && ` (${text})`;
  };
  const all = new Map(
    view.filter.region ? view.nation?.by_month.map((each) => [each.month, format.hundredths(each.in_house_pct)]) : [],
  );
  const nation = all.size ? months.map((each) => all.get(each.month) ?? null) : [];
  const behind = t(view.nation && wholeName({ ...view, months: view.nation }) ? "yours-together" : "nation");
  const hasGoal = goals.some((each) => each !== null);
  const goalAt = (/** @type {number} */ index) => {
    const goal = goals[index];
    return goal === null ? format.NONE : format.share(goal / 100);
  };
  const hasValues = points.some((each) => each.value !== null);
  return figure({
    title: t("chart-share"),
    description: lineText(points, sentenceText(factsOf(view, where))),
    count: points.length,
    chosen: chosenOf(view, months),
    linked,
    copied: (index) => copiedText(view, "in-house", months[index].month, exactText(months[index].sums) + range(index)),
    readout: (
      index,
    ) => [
      h("b", null, shareText(months[index].sums)),
      range(index),
      h(
        "span.reading-month",
        null,
        format.capital(format.monthName(months[index].month)),
        isOpen(months[index].month) ? ` · ${t("open-high")}` : "",
      ),
    ],
    note: hasValues ? "" : months.some(({ sums }) => sums?.suppressed) ? t("chart-hidden") : t("no-value"),
    draw: (drawing, size, chosen) =>
      hasValues ? drawLine(drawing, size, { points, goals, nation, behind, chosen }) : () => chosen,
    table: () =>
      table(
        t("chart-share"),
        [t("month"), t("in-house-pct"), t("interval-name"), ...(hasGoal ? [t("goal")] : [])],
        months.map(({ month, sums }, index) => [
          rowName(month, isOpen(month)),
          shareText(sums),
          format.range(sums?.in_house_pct_low, sums?.in_house_pct_high) || format.NONE,
          ...(hasGoal ? [goalAt(index)] : []),
        ]).reverse(),
      ),
    save: () => numbersButton(t("chart-share"), "month", { ...view.filter, month: "" }),
    legend: format.capital(
      [
        t("chart-open-legend"),
        t("chart-band-legend"),
        ...goalTexts(view, months, goals),
        ...beginText(view, months),
      ].join(" · "),
    ),
  });
}

/**
 * The goal of each month, in hundredths.
 * @param {View} view
 * @param {{month: string}[]} months
 * @returns {(number | null)[]}
 */
function goalsOf(view, months) {
  const { trends } = view;
  if (!isNation(view)) return months.map(() => null);
  // Until all of them are there, the goal of the chosen month stands for those since its beginning.
  if (!trends) {
    const goal = goalOf(view);
    return months.map(({ month }) => goal && month >= goal.since ? format.hundredths(goal.in_house_pct) : null);
  }
  // A month without trips has the goal of the one before it.
  return months.map(({ month }) =>
    format.hundredths(trends.goal_pct[trends.months.findLastIndex((each) => each <= month)])
  );
}

/**
 * The goals of a chart, each with its first month where that is known; of a part of the nation, that it has none.
 * @param {View} view
 * @param {{month: string, sums: MonthSums | null}[]} months
 * @param {(number | null)[]} goals
 */
function goalTexts(view, months, goals) {
  if (view.month?.goal && !isNation(view)) return [t("goal-nation")];
  const declared = goalOf(view);
  const chosen = chosenOf(view, months);
  return goals.flatMap((value, first) => {
    if (value === null || value === goals[first - 1]) return [];
    const next = goals.findIndex((each, index) => index > first && each !== value);
    const isDeclared = declared !== null && first <= chosen && (next < 0 || chosen < next);
    // It began before the chart, or in a month without trips before it.
    const isBefore = first === 0 || !months[first - 1].sums;
    return [goalSinceText({
      in_house_pct: value / 100,
      since: isDeclared ? declared.since : isBefore ? null : months[first].month,
    })];
  });
}

/**
 * Cost and trips over months.
 * @param {View} view The view.
 * @param {Linked} linked The figures of the same months.
 * @returns {(() => HTMLElement)[]} What makes the figures.
 */
export function volumeCharts(view, linked) {
  const months = monthsOf(view);
  /** @type {["vendor-cost" | "trips", (value: number) => string, (value: number | null) => string][]} */
  const kinds = [["vendor-cost", format.money, format.exactMoney], ["trips", format.count, format.count]];
  return kinds.map(([measure, short, exact]) => () => {
    const [name, title] = [t(measure), t("by-month", { name: t(measure) })];
    const bars = months.map(({ month, sums }) => ({
      month,
      value: valueOf(sums, measure),
      isOpen: view.months.open_months.includes(month),
    }));
    const word = (/** @type {number} */ index) =>
      wordOf(stateOf(months[index].sums, measure)) || exact(bars[index].value);
    return figure({
      title,
      description: `${name}: ${word(chosenOf(view, months))}, ${
        format.monthName(bars[chosenOf(view, months)].month)
      }.`,
      count: bars.length,
      chosen: chosenOf(view, months),
      isSmall: true,
      linked,
      copied: (index) => copiedText(view, measure, bars[index].month, word(index)),
      readout: (
        index,
      ) => [
        h("b", null, word(index)),
        h(
          "span.reading-month",
          null,
          format.capital(format.monthName(bars[index].month)),
          bars[index].isOpen ? ` · ${t("open-low")}` : "",
        ),
      ],
      note: bars.some((each) => each.value !== null) ? "" : t("chart-hidden"),
      save: () => numbersButton(title, "month", { ...view.filter, month: "" }),
      draw: (drawing, size, chosen) => drawBars(drawing, size, { bars, written: short, chosen }),
      table: () =>
        table(
          title,
          [t("month"), name],
          bars.map((each, index) => [rowName(each.month, each.isOpen), word(index)])
            .reverse(),
        ),
    });
  });
}
