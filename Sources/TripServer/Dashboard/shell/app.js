// What all screens know: who is signed in, what the filter can be set to, whether there is a
// network.

import { Fault, get } from "./api.js";

/**
 * @typedef {object} App
 * @property {import("./types.js").Me | null} me Who is signed in; null where the server does not say.
 * @property {import("./filter.js").Choices | null} choices What the filter can be set to.
 * @property {boolean} isOffline Whether nothing answers.
 * @property {number | null} keptAt When what is shown was loaded, where it is a kept view.
 * @property {boolean | null} isSynthetic Whether the data is generated; null where not known yet.
 * @property {boolean | null} seesTrips Whether the role sees single trips; null where not known yet.
 */

/** @type {App} */
export const app = { me: null, choices: null, isOffline: false, keptAt: null, isSynthetic: null, seesTrips: null };

/** Asks whether the data is generated, where no screen has asked yet: every screen says so. */
export async function loadKind() {
  if (app.isSynthetic !== null) return;
  const { synthetic } = /** @type {import("./types.js").KPI} */ (await get("/kpi"));
  app.isSynthetic ??= synthetic;
}

/** Asks who is signed in. */
export async function loadMe() {
  try {
    app.me = await get("/me");
    app.seesTrips = hasRole("administrator", "analyst");
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    // A server that does not say: screens go by what it answers.
    app.me = null;
  }
}

/**
 * Whether the account has one of some roles.
 * @param {...string} roles The roles.
 * @returns {boolean} Whether it has; false where the server does not say.
 */
export function hasRole(...roles) {
  return app.me?.roles.some((each) => roles.includes(each)) ?? false;
}

/** Forgets who was signed in. */
export function forgetMe() {
  Object.assign(app, { me: null, choices: null, keptAt: null, seesTrips: null });
}
