// Loads what the dashboard shows: several answers of one generation, the first of them as soon as
// it is there.

import { Fault, get } from "./api.js";
import { queryOf } from "./filter.js";

/** @typedef {import("./types.js").KPI} KPI */
/** @typedef {import("./filter.js").Filter} Filter */

/**
 * @typedef {object} View
 * @property {Filter} filter The filter, its month decided.
 * @property {KPI} months Every month, for the rest of the filter.
 * @property {KPI | null} month The chosen month, with its parts; null until it is there.
 * @property {KPI | null} nation Every month of all regions, where one is chosen; null where not.
 * @property {import("./types.js").Trends | null} trends Regions and trip types over the months; null where not.
 * @property {import("./filter.js").Choices | null} choices What the filter can be set to.
 * @property {string} ignored The part of the filter that was left out, since nothing has it.
 * @property {number} at When it was loaded.
 */

/**
 * The month to begin with: the newest whose last day the data has reached, else the newest.
 * @param {KPI} all Every month.
 * @returns {string} The month; empty where there is none.
 */
export function firstMonth(all) {
  const ended = all.series.filter(({ month }) => all.data_through && all.data_through >= lastDay(month));
  return (ended.at(-1) ?? all.series.at(-1))?.month ?? "";
}

/** @param {string} month */
function lastDay(month) {
  const [year, number] = month.split("-").map(Number);
  return `${month}-${String(new Date(Date.UTC(year, number, 0)).getUTCDate()).padStart(2, "0")}`;
}

/** @template Answer @param {Promise<Answer>} asked @returns {Promise<Answer | null>} */
async function ifThere(asked) {
  try {
    return await asked;
  } catch (fault) {
    // A server without it, or a role that may not: the part is left out.
    if (fault instanceof Fault && [400, 403, 404].includes(fault.status)) return null;
    throw fault;
  }
}

/** @returns {Promise<import("./filter.js").Choices | null>} */
async function choices() {
  const [months, regions, types] = await Promise.all([get("/months"), get("/regions"), get("/trip-types")]);
  return {
    months: /** @type {any} */ (months).months,
    regions: /** @type {any} */ (regions).regions,
    types: /** @type {any} */ (types).trip_types,
  };
}

/**
 * Loads the view of a filter.
 * @param {Filter} wanted The filter, as the address has it.
 * @param {(view: View) => void} seen Called with each fuller view.
 * @param {AbortSignal} signal Ends it.
 * @returns {Promise<View>} The whole view.
 */
export async function loadView(wanted, seen, signal) {
  for (let turn = 0;; turn += 1) {
    const view = await loadOnce(wanted, seen, signal);
    const generations = new Set(
      [view.months, view.month, view.trends].flatMap((each) => each ? [each.generation] : []),
    );
    // A generation was published between two answers: all of them are asked for again.
    if (generations.size === 1 || turn === 2) return view;
  }
}

/**
 * @param {Filter} wanted
 * @param {(view: View) => void} seen
 * @param {AbortSignal} signal
 * @returns {Promise<View>}
 */
async function loadOnce(wanted, seen, signal) {
  const rest = { ...wanted };
  let ignored = "";
  const options = { signal };
  const trends = () =>
    ifThere(
      /** @type {Promise<import("./types.js").Trends>} */ (get(
        "/kpi/trends" + queryOf(rest, ["trip_type", "region"]),
        options,
      )),
    );
  /** @type {KPI} */
  let months;
  /** @type {Promise<KPI> | null} */
  let early = null;
  for (;;) {
    try {
      if (rest.month && rest.month !== "all" && !early) early = get("/kpi" + queryOf(rest), options);
      early?.catch(() => {});
      months = await get("/kpi" + queryOf(rest, ["trip_type", "region"]), options);
      break;
    } catch (fault) {
      const name = fault instanceof Fault ? fault.parameter : "";
      if (!(fault instanceof Fault) || fault.code !== "bad_parameter" || !(name in rest)) throw fault;
      rest[/** @type {keyof Filter} */ (name)] = "";
      ignored = name;
      early = null;
    }
  }
  // What the filter can be set to comes after the numbers.
  const choosing = ifThere(choices()).catch(() => null);
  const isKnown = rest.month === "all" || months.series.some((each) => each.month === rest.month) ||
    (await choosing)?.months.some((each) => each.month === rest.month);
  if (rest.month && !isKnown) ignored = "month";
  const month = rest.month && isKnown ? rest.month : firstMonth(months);
  if (month !== rest.month) early = null;
  /** @type {View} */
  let view = {
    filter: { ...rest, month },
    months,
    month: null,
    nation: rest.region ? null : months,
    trends: null,
    choices: null,
    ignored,
    at: Date.now(),
  };
  seen(view);
  const asked = month === "all" || month === ""
    ? Promise.resolve(months)
    : early ?? get("/kpi" + queryOf({ ...rest, month }), options);
  const trending = trends();
  trending.catch(() => {});
  const nation = rest.region
    ? ifThere(/** @type {Promise<KPI>} */ (get("/kpi" + queryOf(rest, ["trip_type"]), options)))
    : Promise.resolve(months);
  nation.catch(() => {});
  view = { ...view, month: /** @type {KPI} */ (await asked), choices: await choosing };
  seen(view);
  view = { ...view, trends: await trending.catch(() => null), nation: await nation.catch(() => null) };
  return view;
}

/**
 * The numbers of the chosen month.
 * @param {View} view The view.
 * @returns {import("./types.js").Sums | null} The numbers; null where the month has no trips.
 */
export function totalOf(view) {
  if (view.month) return view.month.total;
  return view.months.series.find((each) => each.month === view.filter.month) ??
    (view.filter.month === "all" ? view.months.total : null);
}

/**
 * What the chosen month is compared with: what the server says, else, for a settled month, the same month of the
 *   year before.
 * @param {View} view The view.
 * @returns {import("./types.js").Comparison | null} The comparison.
 */
export function comparisonOf(view) {
  const { month } = view.filter;
  const isOpen = view.months.open_months.includes(month);
  const said = view.month?.comparison;
  // An open month beside a settled one says more about its age than about its trips.
  if (said !== undefined) return said && isOpen && said.kind === "settled" ? null : said;
  if (!view.month || !/^\d{4}-\d{2}$/.test(month) || isOpen) return null;
  const before = `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`;
  const found = view.months.series.find((each) => each.month === before);
  return found ? { ...found, month: before, kind: "settled", age_days: null, as_of: null } : null;
}

/**
 * The facts of the sentence.
 * @param {View} view The view.
 * @param {string[]} where The names of region and trip type.
 * @returns {import("../text/sentence.js").Facts} The facts.
 */
export function factsOf(view, where) {
  const { month } = view.filter;
  const isOne = month !== "all" && month !== "";
  return {
    month: isOne ? month : null,
    total: totalOf(view),
    isOpen: isOne && view.months.open_months.includes(month),
    where,
    settlesOn: view.month?.settles_on ?? view.choices?.months.find((each) => each.month === month)?.settles_on ?? null,
    comparison: comparisonOf(view),
    goal: view.month?.goal ?? null,
  };
}
