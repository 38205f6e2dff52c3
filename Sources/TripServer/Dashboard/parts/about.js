// What a press on a number tells: to the last digit, against what, and where it comes from; it is
// copied with that.

import { h, icon } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { comparisonKind, contractedChange, goalSinceText, isFew, openNote, sentenceText } from "../text/sentence.js";
import { filterText } from "../shell/filter.js";
import { factsOf, goalOf, isOneMonth, totalOf, whereOf, wholeName } from "../shell/numbers.js";
import { overlay } from "../shell/overlay.js";
import { copy, provenance } from "../shell/provenance.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("./cards.js").Card} Card */

/**
 * Opens it.
 * @param {Card} card The number.
 * @param {View} view The view it is of.
 */
export function about(card, view) {
  const source = view.month ?? view.months;
  const comparison = view.month?.comparison ?? null;
  const goal = card.name === "in-house" ? goalOf(view) : null;
  const where = filterText(view.filter, view.choices, wholeName(view));
  const name = t(card.name === "in-house" ? "in-house-pct" : card.name);
  const value = [card.exact, card.sure && `(${card.sure})`].filter(Boolean).join(" ");
  const facts = factsOf(view, whereOf(view));
  const open = card.note ? "" : openNote(facts, card.name);
  /** @type {[string, string][]} */
  const rows = [
    [t("exact"), value],
    ...(card.name === "trips" ? classRows(view) : []),
    ...(comparison && card.change
      ? [/** @type {[string, string]} */ ([t("compared-with"), comparedWith(comparison, view)])]
      : []),
    ...(goal ? [/** @type {[string, string]} */ ([t("goal"), goalSinceText(goal)])] : []),
    [t("filters"), format.capital(where)],
    [t("data-through"), source.data_through ? format.day(source.data_through) : format.NONE],
    [t("generation"), `${source.generation}, ${t("published").toLowerCase()} ${format.moment(source.as_of)}`],
  ];
  overlay({
    title: name,
    kind: "sheet",
    content: (close) => [
      h("p.big", null, card.value),
      card.note ? h("p", null, card.note) : null,
      h("p", null, t(`about-${card.name}`)),
      open ? h("p", null, open) : null,
      h("dl.facts", null, rows.map(([term, fact]) => [h("dt", null, term), h("dd", null, fact)])),
      card.name === "in-house" ? h("p", null, sentenceText(facts)) : null,
      h(
        "button.button",
        {
          type: "button",
          onclick: () => {
            close();
            copy(provenance(name, value, where, source, open));
          },
        },
        icon("copy"),
        t("copy"),
      ),
    ],
  });
}

/** How many of the trips are of each class, where that is shown. @param {View} view @returns {[string, string][]} */
function classRows(view) {
  const total = totalOf(view);
  const classes = /** @type {const} */ (["in_house", "contracted", "undetermined"]);
  return total?.trips
    ? classes.map((each) => {
      const trips = total[/** @type {const} */ (`${each}_trips`)];
      const more = each === "contracted" ? contractedText(view) : "";
      return [t(`class-${each}`), trips === null ? t("hidden") : format.count(trips) + more];
    })
    : [];
}

/** How many more were contracted than in the month of the comparison; empty where that says nothing. @param {View} view */
function contractedText(view) {
  const [total, comparison] = [totalOf(view), view.month?.comparison ?? null];
  const change = contractedChange(total, comparison);
  if (!change || !comparison || isFew(total?.trips) || isFew(comparison.trips)) return "";
  const { now, before, isUnsure } = change;
  const age = comparison.kind === "same_age" ? t("at-the-same-age") : "";
  const key = now === before
    ? "contracted-count-same"
    : now > before
    ? "contracted-count-more"
    : "contracted-count-fewer";
  const text = t(key, {
    month: format.monthName(comparison.month) + age,
    before: format.count(before),
    trips: format.count(Math.abs(now - before)),
  });
  return isUnsure ? `${text} ${t("sentence-unsure")}` : text;
}

/** @param {import("../shell/types.js").Comparison} comparison @param {View} view */
function comparedWith(comparison, view) {
  const month = format.monthName(comparison.month);
  const kind = comparisonKind(comparison, isOneMonth(view) ? view.filter.month : null);
  if (kind !== "same-age") return format.capital(t(`compared-${kind}`, { month }));
  const days = comparison.age_days;
  const age = days === 0
    ? t("at-its-end")
    : t(days > 0 ? "after-its-end" : "before-its-end", { count: Math.abs(days) });
  return format.capital(t("same-age-note", { month, age, day: format.day(comparison.as_of.slice(0, 10)) }));
}
