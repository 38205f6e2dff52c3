// The filter: month, trip type and region, as the address has it. One filter serves all screens.

import { t } from "../text/text.js";
import * as format from "../text/format.js";

/** @typedef {{month: string, trip_type: string, region: string}} Filter An empty text leaves it out; a month “all” is meant. */
/** @typedef {{months: import("./types.js").Month[], regions: {region: string, label: string}[], types: {trip_type: string, label: string}[]}} Choices */

/**
 * The filter of an address.
 * @param {URLSearchParams} query Its query.
 * @returns {Filter} The filter.
 */
export function filterOf(query) {
  return {
    month: query.get("month") ?? "",
    trip_type: query.get("trip_type") ?? "",
    region: query.get("region") ?? "",
  };
}

/**
 * The query of a filter.
 * @param {Partial<Filter>} filter The filter.
 * @param {string[]} [names] Which parts of it.
 * @returns {string} As in `?month=2026-10`; empty where there is none.
 */
export function queryOf(filter, names = ["month", "trip_type", "region"]) {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = filter[/** @type {keyof Filter} */ (name)];
    if (value) query.set(name, value);
  }
  return query.size ? "?" + query : "";
}

/**
 * The names of what is chosen besides the month.
 * @param {Filter} filter The filter.
 * @param {Choices | null} choices Labels; codes stand where there are none.
 * @returns {string[]} The names.
 */
export function namesOf(filter, choices) {
  const region = choices?.regions.find((each) => each.region === filter.region);
  const type = choices?.types.find((each) => each.trip_type === filter.trip_type);
  return [
    filter.region ? regionName(filter.region, region?.label) : "",
    filter.trip_type ? type?.label ?? filter.trip_type : "",
  ].filter(Boolean);
}

/**
 * The name of a region: its number, where it has one, and its label.
 * @param {string} region Its code.
 * @param {string} [label] Its label.
 * @returns {string} As in “08 VA Sunshine Healthcare Network”.
 */
export function regionName(region, label) {
  if (!label) return region;
  return /^\d+$/.test(region) ? `${region} ${label}` : label;
}

/**
 * The filter in words.
 * @param {Filter} filter The filter.
 * @param {Choices | null} choices Labels.
 * @returns {string} As in “October 2026, 08 VA Sunshine Healthcare Network”.
 */
export function filterText(filter, choices) {
  const month = filter.month && filter.month !== "all" ? format.monthName(filter.month) : t("all-months");
  return [month, ...namesOf(filter, choices)].join(", ");
}
