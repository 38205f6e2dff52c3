// The trips of a filter, page by page, of one generation; kept in memory for the way back, and its beginning for a day.

import { Fault, get } from "./api.js";
import { app, knowMe } from "./app.js";
import { account, session } from "./auth.js";
import * as vault from "./vault.js";

/** @typedef {import("./types.js").TripPage} TripPage */
/** @typedef {import("./types.js").ListedTrip} ListedTrip */

/**
 * @typedef {object} List
 * @property {string} query The filter.
 * @property {string} account Whose it is.
 * @property {number} total How many trips it has.
 * @property {ListedTrip[][]} pages Those that were loaded.
 * @property {string | null} next The cursor of the next page.
 * @property {string[] | null} regions The regions the account is bound to; null where to none.
 * @property {boolean} isSynthetic Whether the trips are generated.
 */

/** Trips of a page. */
const SIZE = 50;
/** How many trips are kept for offline use. */
const KEPT = 200;

/**
 * The list shown last, so that the way back from a trip finds it as it was.
 * @type {List | null}
 */
let last = null;
session.addEventListener("ended", () => {
  last = null;
});

/**
 * The list of a filter, where it is still in memory.
 * @param {string} query The filter.
 * @returns {List | null} The list.
 */
export function knownList(query) {
  return last?.query === query && last.account === account() ? last : null;
}

/**
 * How many trips of a list were loaded.
 * @param {List} list The list.
 * @returns {number} How many.
 */
export function loadedCount(list) {
  return list.pages.reduce((sum, page) => sum + page.length, 0);
}

/**
 * Loads the first page of a filter.
 * @param {string} query The filter.
 * @param {AbortSignal} signal Ends it.
 * @returns {Promise<List>} The list.
 */
export async function firstPage(query, signal) {
  const page = await ask(query, null, signal);
  await knowMe();
  const list = {
    query,
    account: account(),
    total: page.total,
    pages: page.total > 0 ? [page.trips] : [],
    next: page.next,
    regions: app.me?.regions ?? null,
    isSynthetic: page.synthetic,
  };
  last = list;
  vault.seal("trips", list, account());
  return list;
}

/**
 * Loads the next page of a list into it.
 * @param {List} list The list.
 * @param {AbortSignal} signal Ends it.
 * @returns {Promise<ListedTrip[] | null>} The page; null where the generation of the list is gone, and it begins anew.
 */
export async function nextPage(list, signal) {
  try {
    const page = await ask(list.query, list.next, signal);
    list.pages.push(page.trips);
    list.next = page.next;
    if (loadedCount(list) <= KEPT) vault.seal("trips", list, account());
    return page.trips;
  } catch (fault) {
    if (fault instanceof Fault && fault.code === "cursor_expired") return null;
    throw fault;
  }
}

/**
 * The kept beginning of a list.
 * @param {string} query The filter.
 * @returns {Promise<{list: List, at: number} | null>} The list and when it was loaded; null where it is not kept.
 */
export async function keptList(query) {
  const kept = await vault.open("trips");
  if (kept?.value.query !== query || kept.account !== account()) return null;
  return { list: { ...kept.value, next: null }, at: kept.at };
}

/** @param {string} query @param {string | null} cursor @param {AbortSignal} signal @returns {Promise<TripPage>} */
function ask(query, cursor, signal) {
  const asked = new URLSearchParams(query);
  asked.set("limit", String(SIZE));
  if (cursor) asked.set("cursor", cursor);
  return get("/trips?" + asked, { signal, isKept: cursor === null });
}
