// Loads what the dashboard shows: several answers of one generation, the first of them as soon as
// it is there.

import { hundredths } from "../text/format.js";
import { Fault, get } from "./api.js";
import { app, loadChoices, totalRegions } from "./app.js";
import { namesOf, ownName, queryOf } from "./filter.js";

/** @typedef {import("./types.js").KPI} KPI */
/** @typedef {import("./types.js").Trends} Trends */
/** @typedef {import("./filter.js").Filter} Filter */

/**
 * @typedef {object} View
 * @property {string} asked The query of the address it was loaded for.
 * @property {Filter} filter The filter, its month decided.
 * @property {KPI} months Every month, for the rest of the filter.
 * @property {KPI | null} month The chosen month, with its parts; null until it is there.
 * @property {KPI | null} nation Every month of all regions, where one is chosen; null where not.
 * @property {Trends | null} trends Regions and trip types over the months; null where not.
 * @property {import("./filter.js").Choices | null} choices What the filter can be set to.
 * @property {string[] | null} regions The regions its totals are of; null where of all, or where not known yet.
 * @property {string} ignored The part of the filter that was left out, since nothing has it.
 * @property {number} at When it was loaded.
 */

/**
 * The month to begin with: the newest whose last day the data has reached, else the newest.
 * @param {KPI} all Every month.
 * @returns {string} The month; empty where there is none.
 */
export function firstMonth(all) {
  const ended = all.by_month.filter(({ month }) => all.data_through && all.data_through >= lastDay(month));
  return (ended.at(-1) ?? all.by_month.at(-1))?.month ?? "";
}

/** @param {string} month */
function lastDay(month) {
  const [year, number] = month.split("-").map(Number);
  return `${month}-${String(new Date(Date.UTC(year, number, 0)).getUTCDate()).padStart(2, "0")}`;
}

/**
 * Loads the view of a filter.
 * @param {Filter} wanted The filter, as the address has it.
 * @param {string} likely The month that is likely the first one, where the filter names none; empty where none is.
 * @param {(view: View) => void} seen Called with each fuller view.
 * @param {AbortSignal} signal Ends it.
 * @returns {Promise<View>} The whole view.
 */
export async function loadView(wanted, likely, seen, signal) {
  for (let turn = 0;; turn += 1) {
    const view = await loadOnce(wanted, likely, seen, signal);
    const generations = new Set(
      [view.months, view.month, view.trends, view.nation].flatMap((each) => each ? [each.generation] : []),
    );
    // A generation was published between two answers: all of them are asked for again.
    if (generations.size === 1 || turn === 2) return view;
  }
}

/**
 * Asks all that a view is made of, at once. What fails is found out where it is needed.
 * @param {Filter} filter
 * @param {string} month The month that is asked for before it is known to be there; empty where none is.
 * @param {AbortSignal} signal
 */
function ask(filter, month, signal) {
  /** @template Answer @param {Promise<Answer>} asked */
  const later = (asked) => {
    asked.catch(() => {});
    return asked;
  };
  const kpi = (/** @type {string} */ query) => later(/** @type {Promise<KPI>} */ (get("/kpi" + query, { signal })));
  const rest = queryOf(filter, ["trip_type", "region"]);
  return {
    months: kpi(rest),
    month: month && month !== "all" ? kpi(queryOf({ ...filter, month })) : null,
    trends: /** @type {Promise<Trends | null>} */ (get("/kpi/trends" + rest, { signal })).catch(() => null),
    nation: filter.region ? kpi(queryOf(filter, ["trip_type"])).catch(() => null) : null,
    choices: loadChoices().catch(() => null),
  };
}

/**
 * @param {Filter} wanted
 * @param {string} likely
 * @param {(view: View) => void} seen
 * @param {AbortSignal} signal
 * @returns {Promise<View>}
 */
async function loadOnce(wanted, likely, seen, signal) {
  const rest = { ...wanted };
  let ignored = "";
  const early = rest.month || likely;
  /** @type {KPI} */
  let months;
  let asked = ask(rest, early, signal);
  for (;;) {
    try {
      months = await asked.months;
      break;
    } catch (fault) {
      const name = fault instanceof Fault ? fault.parameter : "";
      if (!(fault instanceof Fault) || fault.code !== "bad_parameter" || !(name in rest)) throw fault;
      rest[/** @type {keyof Filter} */ (name)] = "";
      ignored = name;
      asked = ask(rest, early, signal);
    }
  }
  const isKnown = rest.month === "all" || months.by_month.some((each) => each.month === rest.month) ||
    rest.month !== "" && (await asked.choices)?.months.some((each) => each.month === rest.month);
  if (rest.month && !isKnown) ignored = "month";
  const month = rest.month && isKnown ? rest.month : firstMonth(months);
  /** @type {View} */
  let view = {
    asked: queryOf(wanted),
    filter: { ...rest, month },
    months,
    month: null,
    nation: rest.region ? null : months,
    trends: null,
    choices: null,
    regions: totalRegions(),
    ignored,
    at: Date.now(),
  };
  const one = month === "all" || month === ""
    ? Promise.resolve(months)
    : month === early && asked.month || get("/kpi" + queryOf({ ...rest, month }), { signal });
  seen(view);
  let isWhole = false;
  const others = Promise.all([asked.trends, asked.nation, asked.choices]).then((found) => {
    isWhole = true;
    return found;
  });
  view = { ...view, month: /** @type {KPI} */ (await one) };
  // Drawn twice only where the rest keeps one waiting.
  if (!isWhole) seen({ ...view, choices: app.choices });
  const [trends, nation, choices] = await others;
  return { ...view, trends, nation: rest.region ? nation : months, choices };
}

/**
 * The numbers of the chosen month.
 * @param {View} view The view.
 * @returns {import("./types.js").Sums | null} The numbers; null where the month has no trips.
 */
export function totalOf(view) {
  if (view.month) return view.month.total;
  return view.months.by_month.find((each) => each.month === view.filter.month) ??
    (view.filter.month === "all" ? view.months.total : null);
}

/**
 * What the numbers are of where no region is chosen.
 * @param {Pick<View, "regions" | "months" | "choices">} view The view.
 * @returns {string} The name of the account's own regions; empty where they are of all.
 */
export function wholeName({ regions, months, choices }) {
  return months.filter.region ? "" : ownName(regions, choices);
}

/**
 * The names of region and trip type.
 * @param {View} view The view.
 * @returns {string[]} The names; of the account's own regions where none is chosen.
 */
export function whereOf(view) {
  return namesOf(view.filter, view.choices, wholeName(view));
}

/**
 * Whether one month is shown, and not all of them together.
 * @param {{filter: {month: string}}} view The view.
 * @returns {boolean} Whether it is.
 */
export function isOneMonth({ filter: { month } }) {
  return month !== "all" && month !== "";
}

/**
 * Those of the shown months that may still grow.
 * @param {View} view The view.
 * @returns {string[]} The months, in order.
 */
export function openOf(view) {
  const { open_months: open } = view.months;
  return isOneMonth(view) ? open.filter((each) => each === view.filter.month) : open;
}

/**
 * Whether the numbers are the nation's, whose goal it is: a goal says nothing of a region or of a trip type.
 * @param {View} view The view.
 * @returns {boolean} Whether they are.
 */
export function isNation({ filter, regions }) {
  return !filter.region && !filter.trip_type && !regions;
}

/**
 * The goal of the shown month.
 * @param {View} view The view.
 * @returns {import("./types.js").Goal | null} The goal; null where none is declared, or the numbers are not the nation's.
 */
export function goalOf(view) {
  return isNation(view) ? view.month?.goal ?? null : null;
}

/**
 * The newest settled month of a view: its numbers change only where trips come late, are corrected or edited.
 * @param {View} view The view.
 * @returns {import("../text/sentence.js").Settled | null} The month; null where none is settled.
 */
export function lastSettled(view) {
  const { months, trends } = view;
  const total = months.by_month.findLast((each) => !each.month_open && each.trips !== 0);
  if (!total) return null;
  const { month } = total;
  const goal = goalOf(view);
  const declared = goal && month >= goal.since ? goal.in_house_pct : null;
  const last = trends?.months.findLastIndex((each) => each <= month) ?? -1;
  const percent = !isNation(view) ? null : trends ? trends.goal_pct[last] : declared;
  return { month, total, goal: hundredths(percent) };
}

/**
 * The facts of the sentence.
 * @param {View} view The view.
 * @param {string[]} where The names of region and trip type.
 * @returns {import("../text/sentence.js").Facts} The facts.
 */
export function factsOf(view, where) {
  return {
    month: isOneMonth(view) ? view.filter.month : null,
    total: totalOf(view),
    open: openOf(view),
    where,
    settlesOn: view.month?.settles_on ?? null,
    comparison: view.month?.comparison ?? null,
    goal: goalOf(view),
    settled: isOneMonth(view) && openOf(view).length ? lastSettled(view) : null,
  };
}

/**
 * Where months begin to say something: exports begin with a few strays, whose share is chance.
 * @param {(number | null | undefined)[]} trips The trips of each month; null where hidden, undefined where none.
 * @returns {number} The index of the first month with a tenth of the trips of the largest, or of those hidden that
 *   lead to it: hidden is not few.
 */
export function firstFull(trips) {
  const most = Math.max(0, ...trips.map((each) => each ?? 0));
  let first = Math.max(0, trips.findIndex((each) => (each ?? 0) * 10 >= most));
  while (first > 0 && trips[first - 1] === null) first -= 1;
  return first;
}
