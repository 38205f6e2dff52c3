// The sentence that answers the first question: what the share was, how sure, against what, and
// whether it may still move. Screen, charts and copies take it from here.

import { t } from "./text.js";
import * as format from "./format.js";

/** @typedef {import("../shell/types.js").Sums} Sums */
/** @typedef {import("../shell/types.js").Comparison} Comparison */
/** @typedef {import("../shell/types.js").Goal} Goal */

/**
 * @typedef {object} Facts
 * @property {string | null} month The month; null for all.
 * @property {Sums | null} total Its numbers; null where it has no trips.
 * @property {boolean} isOpen Whether it may still grow.
 * @property {string | null} settlesOn The day it is settled.
 * @property {Comparison | null} comparison What it is compared with.
 * @property {Goal | null} goal What was declared.
 * @property {string[]} where Labels of the region and the trip type that are chosen.
 */

/** @typedef {"value" | "hidden" | "undetermined" | "empty"} Kind */

/**
 * Which of the things a share can be: four that are no number must not look alike.
 * @param {Sums | null} total The numbers.
 * @returns {Kind} Its kind.
 */
export function kindOf(total) {
  if (!total || total.trips === 0) return "empty";
  if (total.in_house_pct !== null) return "value";
  return total.suppressed ? "hidden" : "undetermined";
}

/**
 * The sentence, in parts.
 * @param {Facts} facts What is known.
 * @returns {{lead: string, rest: string[]}} What it is about with the number, and what is added to it.
 */
export function sentence(facts) {
  const { total, comparison, goal } = facts;
  const name = [facts.month ? format.monthName(facts.month) : t("all-months"), ...facts.where].join(" · ");
  const kind = kindOf(total);
  if (!total || kind === "empty") return { lead: t("sentence-empty", { name }), rest: [] };
  const ending = facts.isOpen
    ? [facts.settlesOn ? t("sentence-open-until", { day: format.day(facts.settlesOn) }) : t("sentence-open")]
    : [];
  if (kind === "hidden") return { lead: t("sentence-hidden", { name }), rest: ending };
  if (kind === "undetermined") return { lead: t("sentence-undetermined", { name }), rest: ending };
  const lead = t("sentence-lead", {
    name,
    share: format.share(total.in_house_pct),
    range: format.range(total.in_house_pct_low, total.in_house_pct_high),
  });
  const rest = [];
  const change = comparison ? difference(total, comparison) : null;
  if (comparison && change !== null) rest.push(comparedText(change, comparison, isWithin(total, comparison)));
  else if (facts.isOpen && facts.month) rest.push(t("sentence-incomparable"));
  rest.push(...ending);
  if (goal) rest.push(goalText(goal));
  return { lead, rest };
}

/**
 * The sentence as one text.
 * @param {Facts} facts What is known.
 * @returns {string} The text.
 */
export function sentenceText(facts) {
  const { lead, rest } = sentence(facts);
  return rest.length === 0 ? lead + "." : `${lead}${t("sentence-comma")}${rest.join("; ")}.`;
}

/**
 * What a goal's verdict says; it respects the interval.
 * @param {Goal} goal The goal.
 * @returns {string} As in “above the goal of 45.0 %”.
 */
export function goalText(goal) {
  return t(`goal-${goal.verdict}`, { goal: format.share(goal.in_house_pct) });
}

/**
 * The change of the share.
 * @param {Sums} total Now.
 * @param {Comparison} comparison Before.
 * @returns {number | null} Hundredths of a percent; null where one of them is not known.
 */
export function difference(total, comparison) {
  const [now, before] = [format.hundredths(total.in_house_pct), format.hundredths(comparison.in_house_pct)];
  return now === null || before === null ? null : now - before;
}

/**
 * Whether the undetermined trips alone could make up the difference.
 * @param {Sums} total Now.
 * @param {Comparison} comparison Before.
 * @returns {boolean} Whether the intervals overlap.
 */
export function isWithin(total, comparison) {
  const values = [
    total.in_house_pct_low,
    total.in_house_pct_high,
    comparison.in_house_pct_low,
    comparison.in_house_pct_high,
  ];
  const [low, high, lowBefore, highBefore] = values.map((each) => format.hundredths(each) ?? NaN);
  return low <= highBefore && lowBefore <= high;
}

/** @param {number} change @param {Comparison} comparison @param {boolean} isUnsure */
function comparedText(change, comparison, isUnsure) {
  const month = format.monthName(comparison.month);
  const age = comparison.kind === "same_age" ? t("at-the-same-age") : "";
  if (change === 0) return t("sentence-same", { month, age });
  const text = t(change > 0 ? "sentence-more" : "sentence-less", { points: format.points(change), month, age });
  return isUnsure ? `${text} ${t("sentence-unsure")}` : text;
}
