// What all screens know: who is signed in, what the filter can be set to, whether there is a
// network.

import { Fault, get } from "./api.js";

/**
 * @typedef {object} App
 * @property {import("./types.js").Me | null} me Who is signed in; null where it is not known yet.
 * @property {import("./filter.js").Choices | null} choices What the filter can be set to.
 * @property {boolean} isOffline Whether nothing answers.
 * @property {number | null} keptAt When what is shown was loaded, where it is a kept view.
 * @property {boolean | null} isSynthetic Whether the data is generated; null where not known yet.
 * @property {boolean | null} seesTrips Whether the role sees single trips; null where not known yet.
 */

/** @typedef {import("./types.js").MonthList} MonthList */
/** @typedef {import("./types.js").RegionList} RegionList */
/** @typedef {import("./types.js").TripTypeList} TripTypeList */

/** @type {App} */
export const app = { me: null, choices: null, isOffline: false, keptAt: null, isSynthetic: null, seesTrips: null };

/**
 * The regions that totals without a region are of.
 * @returns {string[] | null} Those of the account; null where totals are of all, or not known yet.
 */
export function totalRegions() {
  return app.me && !app.me.national_totals ? app.me.regions : null;
}

/** Asks whether the data is generated, where no screen has asked yet: every screen says so. */
export async function loadKind() {
  if (app.isSynthetic !== null) return;
  const { synthetic } = /** @type {import("./types.js").KPI} */ (await get("/kpi"));
  app.isSynthetic ??= synthetic;
}

/** Settled when it is known who is signed in, or that it cannot be known. */
let knowing = Promise.resolve();

/**
 * Waits until it is known who is signed in, where that was asked.
 * @returns {Promise<void>} Settled then.
 */
export function knowMe() {
  return knowing;
}

/**
 * Asks who is signed in.
 * @returns {Promise<void>} Settled when it is known, or cannot be.
 */
export function loadMe() {
  const asked = askMe();
  knowing = asked.catch(() => {});
  return asked;
}

async function askMe() {
  try {
    app.me = await get("/me");
    app.seesTrips = hasRole("administrator", "analyst");
  } catch (fault) {
    // Where nothing comes back, screens go by what they are answered.
    if (!(fault instanceof Fault)) throw fault;
  }
}

/**
 * Asks what the filter can be set to.
 * @returns {Promise<import("./filter.js").Choices>} The choices.
 */
export async function loadChoices() {
  /** @type {[Promise<MonthList>, Promise<RegionList>, Promise<TripTypeList>]} */
  const asked = [get("/months"), get("/regions"), get("/trip-types")];
  const [{ months }, { regions }, { trip_types: types }] = await Promise.all(asked);
  app.choices = { months, regions, types };
  return app.choices;
}

/**
 * Whether the account has one of some roles.
 * @param {...import("./types.js").Role} roles The roles.
 * @returns {boolean} Whether it has; false where it is not known yet.
 */
export function hasRole(...roles) {
  return app.me?.roles.some((each) => roles.includes(each)) ?? false;
}

/** Forgets who was signed in. */
export function forgetMe() {
  Object.assign(app, { me: null, choices: null, keptAt: null, seesTrips: null });
}
