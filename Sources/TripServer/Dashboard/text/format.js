// Numbers as people read them, and with them months and days (`dates.js`). Money stays whole cents
// and percentages whole hundredths until here, and nothing is rounded twice.

import { locale, t } from "./text.js";

export * from "./dates.js";

/** What stands where a number is not there. */
export const NONE = "–";

/** @type {Map<string, Intl.NumberFormat>} */
const made = new Map();

/** @param {Intl.NumberFormatOptions} options @returns {Intl.NumberFormat} */
function numbers(options) {
  const key = locale() + JSON.stringify(options);
  let found = made.get(key);
  if (!found) made.set(key, found = new Intl.NumberFormat(locale(), options));
  return /** @type {Intl.NumberFormat} */ (found);
}

/**
 * Makes what numbers are written with, which takes a browser some milliseconds the first time, while something else is
 * waited for.
 */
export function prepare() {
  share(0);
  tenths(0);
  count(0);
}

/**
 * Percent as whole hundredths of it.
 * @param {number | null | undefined} percent Percent with at most two decimals.
 * @returns {number | null} Hundredths.
 */
export function hundredths(percent) {
  return percent === null || percent === undefined ? null : Math.round(percent * 100);
}

/**
 * A count.
 * @param {number | null | undefined} value The count.
 * @returns {string} As in 7,451.
 */
export function count(value) {
  return value === null || value === undefined ? NONE : numbers({}).format(value);
}

/**
 * By how much a count has changed.
 * @param {number} change The change.
 * @returns {string} As in “+7,451” or “−12”.
 */
export function signed(change) {
  return (change < 0 ? "−" : change > 0 ? "+" : "") + count(Math.abs(change));
}

/**
 * How many trips.
 * @param {number} value The count.
 * @returns {string} As in “7,451 trips”.
 */
export function trips(value) {
  return t("trips-total", { count: value, trips: count(value) });
}

/**
 * About how many trips, where they are a part of others.
 * @param {number} value How many, unrounded.
 * @returns {string} As in “0.5 trips”, “1 trip” or “143 trips”: with one decimal below ten.
 */
export function someTrips(value) {
  const rounded = value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value);
  return t("trips-total", { count: rounded, trips: numbers({ maximumFractionDigits: 1 }).format(rounded) });
}

/**
 * A share.
 * @param {number | null | undefined} percent Percent.
 * @returns {string} As in 55.0%.
 */
export function share(percent) {
  const value = hundredths(percent);
  return value === null ? NONE : inPercent(rounded(value) / 10, 1);
}

/**
 * A range of shares.
 * @param {number | null | undefined} low Percent.
 * @param {number | null | undefined} high Percent.
 * @returns {string} As in 54.6–55.3; empty where it is not known.
 */
export function range(low, high) {
  const [from, to] = [hundredths(low), hundredths(high)];
  return from === null || to === null ? "" : `${tenths(from)}–${tenths(to)}`;
}

/**
 * A range of shares that stands by itself.
 * @param {number | null | undefined} low Percent.
 * @param {number | null | undefined} high Percent.
 * @returns {string} As in 54.6–55.3%; empty where it is not known.
 */
export function rangeText(low, high) {
  const from = hundredths(low);
  return from === null || hundredths(high) === null ? "" : `${tenths(from)}–${share(high)}`;
}

/** Hundredths as whole tenths, half away from zero. @param {number} value */
const rounded = (value) => Math.sign(value) * Math.floor((Math.abs(value) + 5) / 10);

/** Percent, its sign as the language writes it. @param {number} value @param {number} [digits] Decimals. */
export function inPercent(value, digits = 0) {
  const options = {
    style: /** @type {const} */ ("percent"),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  };
  return numbers(options).format(value / 100);
}

/** Hundredths with one decimal, half away from zero. @param {number} value */
export function tenths(value) {
  return numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(rounded(value) / 10);
}

/** Hundredths with both decimals. @param {number} value */
export function twoDecimals(value) {
  return numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value / 100);
}

/**
 * A share to the last digit.
 * @param {number} value Hundredths of a percent.
 * @returns {string} As in 54.51%.
 */
export function exactShare(value) {
  return inPercent(value / 100, 2);
}

/**
 * A difference of shares to the last digit.
 * @param {number} value Hundredths of a percent.
 * @returns {string} As in 0.71 points, without a sign.
 */
export function exactPoints(value) {
  return t("points", { count: Math.abs(value) === 100 ? 1 : 2, value: twoDecimals(Math.abs(value)) });
}

/**
 * A difference of shares.
 * @param {number} value Hundredths of a percent.
 * @returns {string} As in 0.7 points, without a sign.
 */
export function points(value) {
  const text = tenths(Math.abs(value));
  return t("points", { count: text === tenths(100) ? 1 : 2, value: text });
}

/**
 * Which way a difference goes, as it is written with one decimal: 0.04 points are no change.
 * @param {number} value Hundredths.
 * @returns {-1 | 0 | 1} Down, unchanged, up.
 */
export function direction(value) {
  return /** @type {-1 | 0 | 1} */ (Math.sign(rounded(value)) || 0);
}

/**
 * Money, short.
 * @param {number | null | undefined} cents Whole cents.
 * @returns {string} As in $1.99M.
 */
export function money(cents) {
  if (cents === null || cents === undefined) return NONE;
  const options = Math.abs(cents) < 100_000
    ? { style: /** @type {const} */ ("currency"), currency: "USD", maximumFractionDigits: 0 }
    : {
      style: /** @type {const} */ ("currency"),
      currency: "USD",
      notation: /** @type {const} */ ("compact"),
      minimumSignificantDigits: 3,
      maximumSignificantDigits: 3,
    };
  // The Spanish of the United States would write “K” for thousands, as English does.
  return numbers(options).formatToParts(cents / 100)
    .map(({ type, value }) => type === "compact" && value === "K" ? t("thousand") : value).join("");
}

/**
 * Money in whole dollars, such as a price.
 * @param {number} cents Whole cents.
 * @returns {string} As in $1,850.
 */
export function wholeMoney(cents) {
  return numbers({ style: "currency", currency: "USD", maximumFractionDigits: 0 }).format(cents / 100);
}

/**
 * Money to the cent.
 * @param {number | null | undefined} cents Whole cents.
 * @returns {string} As in $1,987,482.99.
 */
export function exactMoney(cents) {
  return cents === null || cents === undefined
    ? NONE
    : numbers({ style: "currency", currency: "USD" }).format(cents / 100);
}

/**
 * Miles.
 * @param {number | null} value Hundredths of a mile.
 * @returns {string} As in 12.4 miles.
 */
export function miles(value) {
  return value === null ? t("miles-unknown") : t("miles", { value: tenths(value) });
}

/**
 * A text as a sentence or a heading begins: names of months have a small letter in Spanish.
 * @param {string} text The text.
 * @returns {string} The text with a capital.
 */
export function capital(text) {
  return text.charAt(0).toLocaleUpperCase(locale()) + text.slice(1);
}

/**
 * Names in a row.
 * @param {string[]} names The names.
 * @returns {string} As in “August 2026, September 2026, and October 2026”.
 */
export function list(names) {
  return new Intl.ListFormat(locale()).format(names);
}
