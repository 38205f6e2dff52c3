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
 * @property {Settled | null} settled The newest settled month, where the month is open.
 */
/** @typedef {{month: string, total: Sums, goal: number | null}} Settled A month with its goal in hundredths. */

/** @typedef {"trips" | "in-house" | "vendor-cost"} Measure */
/** @typedef {{lead: string, rest: string, settled: string}} Sentence The last part is a sentence of its own. */
/** @typedef {"value" | "hidden" | "unknown" | "undetermined" | "empty"} State */

/**
 * From which share of trips with a known cost on, in percent, their sum is shown: below, a few
 * would be taken for all.
 */
const PRICED = 80;

/** Below so many trips, one of them moves a share by more than three points: it tells nothing, and no change of it does. */
export const FEW = 30;

/**
 * Whether there are too few trips to tell a share; hidden ones are not said to be few.
 * @param {number | null | undefined} trips How many.
 * @returns {boolean} Whether they are too few.
 */
export const isFew = (trips) => (trips ?? FEW) < FEW;

/**
 * Whether enough trips of a group have a known cost for their sum to stand for it.
 * @param {number} priced Its trips with a known cost.
 * @param {number} trips Its trips.
 * @returns {boolean} Whether they do.
 */
export const isPriced = (priced, trips) => priced * 100 >= trips * PRICED;

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
    const isHidden = bought === null || priced === null || sums.suppressed && isPriced(priced, bought);
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
 * @returns {Sentence} The number, what is added to it up to its full stop, and the newest settled month.
 */
export function sentence(facts) {
  const settled = settledText(facts);
  const { lead, rest, isClause = false } = shareSentence(facts);
  // After a number a comma is enough; a lead that says why there is none is a clause of its own.
  const mark = rest.length === 0 ? "" : isClause ? "; " : t("sentence-comma");
  return { lead: format.capital(lead), rest: `${mark}${rest.join("; ")}.`, settled: settled && `${settled}.` };
}

/** @param {Facts} facts @returns {{lead: string, rest: string[], isClause?: boolean}} */
function shareSentence(facts) {
  const { month, total, comparison, goal } = facts;
  const name = [facts.month ? format.monthName(facts.month) : t("all-months"), ...facts.where].join(" · ");
  const state = stateOf(total, "in-house");
  if (!total || state === "empty") return { lead: t("sentence-empty", { name }), rest: [] };
  const ending = openTexts(facts);
  if (state !== "value") {
    const isHidden = state === "hidden";
    if (goal) ending.push(t(isHidden ? "goal-hidden" : "goal-not_decided", { goal: format.share(goal.in_house_pct) }));
    const lead = t(isHidden ? "sentence-hidden" : "sentence-undetermined", { name });
    return { lead, rest: ending, isClause: true };
  }
  const lead = t("sentence-lead", {
    name,
    share: format.share(total.in_house_pct),
    range: format.range(total.in_house_pct_low, total.in_house_pct_high),
  });
  const isOpen = facts.open.length > 0;
  const rest = isOpen ? [t("sentence-too-high")] : [];
  if (isFew(total.trips)) return { lead, rest: [...rest, fewText(total), ...ending] };
  const change = comparison ? difference(total, comparison) : null;
  if (comparison && change !== null) rest.push(comparedText(change, comparison, month, isWithin(total, comparison)));
  else if (comparison) rest.push(t("sentence-unshown", { month: format.monthName(comparison.month) }));
  else if (isOpen && month) rest.push(t("sentence-incomparable"));
  rest.push(...ending);
  if (goal) rest.push(isOpen ? t("goal-open", { goal: format.share(goal.in_house_pct) }) : goalText(goal));
  return { lead, rest };
}

/** That there are too few trips. @param {Sums} total */
const fewText = ({ trips }) => t("sentence-few", { trips: format.trips(trips ?? 0) });

/**
 * The newest settled month with its share and its verdict, where an open one is shown.
 * @param {Facts} facts What is known.
 * @returns {string} As in “Last settled: July 2026, 40.9%, below the goal of 55.0%”; empty where there is none.
 */
export function settledText({ settled }) {
  if (!settled) return "";
  const { month, total, goal } = settled;
  const share = wordOf(stateOf(total, "in-house")).toLowerCase() || format.share(total.in_house_pct);
  const name = format.monthName(month);
  const { in_house_pct_low: low, in_house_pct_high: high } = total;
  if (total.in_house_pct === null || goal === null && !isFew(total.trips)) {
    return t("sentence-settled", { month: name, share });
  }
  const verdict = isFew(total.trips)
    ? fewText(total)
    : goalText({ in_house_pct: (goal ?? 0) / 100, verdict: verdictOf(low, high, goal ?? 0) });
  return `${t("sentence-settled", { month: name, share })}${t("sentence-comma")}${verdict}`;
}

/**
 * How a share stands to a goal, however undetermined trips fall: the rule of the server.
 * @param {number | null} low Percent.
 * @param {number | null} high Percent.
 * @param {number} goal Hundredths.
 * @returns {Goal["verdict"]} The verdict.
 */
function verdictOf(low, high, goal) {
  const [least, most] = [format.hundredths(low), format.hundredths(high)];
  if (least === null || most === null) return "not_decided";
  if (least >= goal) return "above";
  return most < goal ? "below" : "not_decided";
}

/**
 * What an open month does to a number, for whatever leaves the screen.
 * @param {Pick<Facts, "open" | "settlesOn">} facts What is known.
 * @param {Measure} measure Which number.
 * @returns {string} A sentence; empty where all is settled.
 */
export function openNote({ open, settlesOn }, measure) {
  if (open.length === 0) return "";
  const months = format.list(open.map((each) => format.monthName(each)));
  const text = format.capital(t(`open-note-${measure}`, { count: open.length, months }));
  return settlesOn ? `${text} ${t("open-note-until", { day: format.fullDay(settlesOn) })}` : text;
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
  const { lead, rest, settled } = sentence(facts);
  return settled ? `${lead}${rest} ${settled}` : lead + rest;
}

/**
 * What a goal's verdict says of a settled month; it respects the interval.
 * @param {Pick<Goal, "in_house_pct" | "verdict">} goal The goal.
 * @returns {string} As in “above the goal of 45.0%”.
 */
function goalText({ in_house_pct: percent, verdict }) {
  const text = t(`goal-${verdict}`, { goal: format.share(percent) });
  return verdict === "not_decided" ? text + t("goal-could-tip") : text;
}

/**
 * A goal and since when.
 * @param {{in_house_pct: number, since: string | null}} of The goal, and its first month where that is known.
 * @returns {string} As in “Goal 55.0% since October 2025”.
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
 * How many trips were contracted, and how many in the month of the comparison.
 * @param {Sums | null} total Now.
 * @param {Comparison | null} comparison Before.
 * @returns {{now: number, before: number, isUnsure: boolean, isHidden: boolean} | null} Both, whether undetermined
 *   trips alone could make up the difference, and whether how many these are is hidden; null where one of the two is.
 */
export function contractedChange(total, comparison) {
  const [now, before] = [total?.contracted_trips ?? null, comparison?.contracted_trips ?? null];
  if (!total || !comparison || now === null || before === null) return null;
  // Undetermined trips that are hidden may be all the others.
  const most = (/** @type {Sums | Comparison} */ of, /** @type {number} */ contracted) =>
    of.undetermined_trips === null ? of.trips ?? Infinity : contracted + of.undetermined_trips;
  return {
    now,
    before,
    isUnsure: now !== before && now <= most(comparison, before) && before <= most(total, now),
    isHidden: total.undetermined_trips === null || comparison.undetermined_trips === null,
  };
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

/**
 * What a comparison rests on: the same age, the same month a year before, or the month before.
 * @param {Comparison} comparison What a month is compared with.
 * @param {string | null} month The month.
 * @returns {"same-age" | "year-before" | "month-before" | "settled"} A part of the names of its texts.
 */
export function comparisonKind(comparison, month) {
  if (comparison.kind === "same_age") return "same-age";
  if (month && comparison.month === format.later(month, -12)) return "year-before";
  return month && comparison.month === format.later(month, -1) ? "month-before" : "settled";
}

/** @param {number} change @param {Comparison} comparison @param {string | null} of @param {boolean} isUnsure */
function comparedText(change, comparison, of, isUnsure) {
  const month = format.monthName(comparison.month);
  const kind = comparisonKind(comparison, of);
  // That it is a year before, the names of both months say.
  const age = kind === "same-age" ? t("at-the-same-age") : kind === "month-before" ? t("the-month-before") : "";
  const direction = format.direction(change);
  if (direction === 0) return t("sentence-same", { month, age });
  const text = t(direction > 0 ? "sentence-more" : "sentence-less", { points: format.points(change), month, age });
  return isUnsure ? `${text} ${t("sentence-unsure")}` : text;
}
