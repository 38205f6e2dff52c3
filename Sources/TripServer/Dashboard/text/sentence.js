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
 * @property {string[]} open Those of its months that may still grow.
 * @property {string | null} settlesOn The day the last of them is settled.
 * @property {Comparison | null} comparison What it is compared with.
 * @property {Goal | null} goal What was declared.
 * @property {string[]} where Labels of the region and the trip type that are chosen.
 */

/** @typedef {"trips" | "in-house" | "vendor-cost"} Measure */
/** @typedef {"value" | "hidden" | "unknown" | "undetermined" | "empty"} State */

/**
 * From which share of trips with a known cost on, in percent, their sum is shown: below, a few
 * would be taken for all.
 */
export const PRICED = 80;

/**
 * A number of a group of trips.
 * @param {Sums | null} sums The group; null where it has no trips.
 * @param {Measure} measure Which number.
 * @returns {number | null} The number; null where there is none.
 */
export function valueOf(sums, measure) {
  if (!sums) return null;
  const values = { trips: sums.trips, "in-house": sums.in_house_pct, "vendor-cost": sums.contracted_cost_cents };
  return values[measure];
}

/**
 * Which of the things a number can be: four that are no number must not look alike.
 * @param {Sums | null} sums The group; null where it has no trips.
 * @param {Measure} measure Which number.
 * @returns {State} What it is.
 */
export function stateOf(sums, measure) {
  if (!sums || sums.trips === 0) return "empty";
  if (valueOf(sums, measure) !== null) return "value";
  if (measure === "vendor-cost") {
    const { contracted_trips: bought, contracted_costed_trips: priced } = sums;
    const isHidden = bought === null || priced === null || sums.suppressed && priced * 100 >= bought * PRICED;
    return isHidden ? "hidden" : "unknown";
  }
  return measure === "trips" || sums.suppressed ? "hidden" : "undetermined";
}

/**
 * What stands where there is no number.
 * @param {State} state What it is.
 * @returns {string} A word; empty where there is a number.
 */
export function wordOf(state) {
  const words = {
    value: "",
    hidden: t("hidden"),
    unknown: t("cost-unknown"),
    undetermined: t("not-decided"),
    empty: t("no-trips"),
  };
  return words[state];
}

/**
 * The sentence, in parts.
 * @param {Facts} facts What is known.
 * @returns {{lead: string, rest: string[]}} What it is about with the number, and what is added to it.
 */
export function sentence(facts) {
  const { total, comparison, goal } = facts;
  const name = [facts.month ? format.monthName(facts.month) : t("all-months"), ...facts.where].join(" · ");
  const state = stateOf(total, "in-house");
  if (!total || state === "empty") return { lead: t("sentence-empty", { name }), rest: [] };
  const ending = openTexts(facts);
  if (state !== "value") {
    const isHidden = state === "hidden";
    if (goal) ending.push(t(isHidden ? "goal-hidden" : "goal-not_decided", { goal: format.share(goal.in_house_pct) }));
    return { lead: t(isHidden ? "sentence-hidden" : "sentence-undetermined", { name }), rest: ending };
  }
  const lead = t("sentence-lead", {
    name,
    share: format.share(total.in_house_pct),
    range: format.range(total.in_house_pct_low, total.in_house_pct_high),
  });
  const rest = [];
  const change = comparison ? difference(total, comparison) : null;
  if (comparison && change !== null) rest.push(comparedText(change, comparison, isWithin(total, comparison)));
  else if (comparison) rest.push(t("sentence-unshown", { month: format.monthName(comparison.month) }));
  else if (facts.open.length && facts.month) rest.push(t("sentence-incomparable"));
  rest.push(...ending);
  if (goal) rest.push(goalText(goal, facts.open.length > 0));
  return { lead, rest };
}

/** Which of its months are open, and until when. @param {Facts} facts @returns {string[]} */
function openTexts({ month, open, settlesOn }) {
  if (open.length === 0) return [];
  const day = settlesOn ? format.day(settlesOn) : "";
  if (month) return [day ? t("sentence-open-until", { day }) : t("sentence-open")];
  const months = format.list(open.map((each) => format.monthName(each)));
  return [day ? t("sentence-open-months-until", { months, day }) : t("sentence-open-months", { months })];
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
 * What a goal's verdict says; it respects the interval, but not what is still to come of an open month.
 * @param {Goal} goal The goal.
 * @param {boolean} isOpen Whether the month is open, whose share falls as claims arrive.
 * @returns {string} As in “above the goal of 45.0 %”.
 */
function goalText(goal, isOpen) {
  const text = t(`goal-${goal.verdict}`, { goal: format.share(goal.in_house_pct) });
  if (goal.verdict === "not_decided") return text + t("goal-could-tip");
  return goal.verdict === "above" && isOpen ? text + t("goal-so-far") : text;
}

/**
 * A goal and since when.
 * @param {{in_house_pct: number, since: string | null}} of The goal, and its first month where that is known.
 * @returns {string} As in “Goal 55.0 % since October 2025”.
 */
export function goalSinceText({ in_house_pct: percent, since }) {
  const goal = format.share(percent);
  return since ? t("goal-since", { goal, month: format.monthName(since) }) : t("goal-alone", { goal });
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
