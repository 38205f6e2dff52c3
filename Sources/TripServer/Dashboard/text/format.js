// Numbers and dates as people read them. Money stays whole cents and percentages whole hundredths
// until here, and nothing is rounded twice.

import { locale, t } from "./text.js";

/** What stands where a number is not there. */
export const NONE = "–";

/** @type {Map<string, Intl.NumberFormat | Intl.DateTimeFormat>} */
const made = new Map();

/** @param {Intl.NumberFormatOptions} options @returns {Intl.NumberFormat} */
function numbers(options) {
  const key = locale() + JSON.stringify(options);
  let found = made.get(key);
  if (!found) made.set(key, found = new Intl.NumberFormat(locale(), options));
  return /** @type {Intl.NumberFormat} */ (found);
}

/** @param {Intl.DateTimeFormatOptions} options @returns {Intl.DateTimeFormat} */
function dates(options) {
  const key = locale() + JSON.stringify(options);
  let found = made.get(key);
  if (!found) made.set(key, found = new Intl.DateTimeFormat(locale(), options));
  return /** @type {Intl.DateTimeFormat} */ (found);
}

/**
 * Makes what numbers are written with, which takes a browser some milliseconds the first time, while something else is
 * waited for.
 */
export function prepare() {
  share(0);
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
 * How many trips.
 * @param {number} value The count.
 * @returns {string} As in “7,451 trips”.
 */
export function trips(value) {
  return t("trips-total", { count: value, trips: count(value) });
}

/**
 * A share.
 * @param {number | null | undefined} percent Percent.
 * @returns {string} As in 55.0 %.
 */
export function share(percent) {
  const value = hundredths(percent);
  return value === null ? NONE : t("percent", { value: tenths(value) });
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

/** Hundredths with one decimal, half away from zero. @param {number} value */
export function tenths(value) {
  const rounded = Math.sign(value) * Math.floor((Math.abs(value) + 5) / 10);
  return numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(rounded / 10);
}

/** Hundredths with both decimals. @param {number} value */
export function twoDecimals(value) {
  return numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value / 100);
}

/**
 * A share to the last digit.
 * @param {number} value Hundredths of a percent.
 * @returns {string} As in 54.51 %.
 */
export function exactShare(value) {
  return t("percent", { value: twoDecimals(value) });
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
  return numbers(options).format(cents / 100);
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
 * A change in percent of what was.
 * @param {number} now Now.
 * @param {number} before Before; not 0.
 * @returns {string} As in 2.1 %, without a sign.
 */
export function relative(now, before) {
  return t("percent", { value: tenths(Math.round(Math.abs(now - before) / Math.abs(before) * 10_000)) });
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
 * Names in a row.
 * @param {string[]} names The names.
 * @returns {string} As in “August 2026, September 2026, and October 2026”.
 */
export function list(names) {
  return new Intl.ListFormat(locale()).format(names);
}

/**
 * A month before or after another.
 * @param {string} month YYYY-MM.
 * @param {number} count How many months later; below zero, earlier.
 * @returns {string} YYYY-MM.
 */
export function later(month, count) {
  const [year, number] = month.split("-").map(Number);
  const place = year * 12 + number - 1 + count;
  return `${Math.floor(place / 12)}-${String(place % 12 + 1).padStart(2, "0")}`;
}

/** @param {string} month YYYY-MM */
const first = (month) => new Date(month + "-01T12:00:00Z");

/**
 * The name of a month alone. The browser's own names would be made in some milliseconds, at every start.
 * @param {number} number From 1 to 12.
 * @param {"long" | "short"} form January, or Jan.
 */
function nameOf(number, form) {
  return t(form === "long" ? "month-names" : "month-names-short").split(" ")[number - 1];
}

/**
 * The name of a month.
 * @param {string} month YYYY-MM.
 * @param {"long" | "short" | "tiny"} [form] October 2026, Oct 2026, or Oct ’26.
 * @returns {string} Its name.
 */
export function monthName(month, form = "long") {
  const [year, number] = month.split("-");
  if (form === "long") return t("month-year", { month: nameOf(Number(number), "long"), year });
  const name = nameOf(Number(number), "short");
  return form === "tiny" ? `${name} ’${year.slice(2)}` : `${name} ${year}`;
}

/**
 * A date without a time.
 * @param {string} date YYYY-MM-DD.
 * @param {Date} [today] Which year is left out.
 * @returns {string} As in January 29, or January 29, 2027.
 */
export function day(date, today = new Date()) {
  const isThisYear = Math.abs(first(date.slice(0, 7)).getTime() - today.getTime()) < 180 * 86_400_000;
  const [year, number, day] = date.split("-").map(Number);
  const text = t("month-day", { month: nameOf(number, "long"), day });
  return isThisYear ? text : t("day-year", { day: text, year });
}

/**
 * A date that leaves its screen, and is read at any time.
 * @param {string} date YYYY-MM-DD.
 * @returns {string} As in January 29, 2027.
 */
export function fullDay(date) {
  const [year, number, day] = date.split("-").map(Number);
  return t("day-year", { day: t("month-day", { month: nameOf(number, "long"), day }), year });
}

/**
 * A moment in words: today, yesterday and tomorrow by name.
 * @param {string} moment An RFC 3339 date and time.
 * @param {Date} [now] Now.
 * @returns {string} As in “today 01:14”.
 */
export function moment(moment, now = new Date()) {
  const date = new Date(moment);
  const time = dates({ hour: "numeric", minute: "2-digit" }).format(date);
  const midnight = (/** @type {Date} */ each) =>
    new Date(each.getFullYear(), each.getMonth(), each.getDate()).getTime();
  const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
  if (days === 0) return t("today-at", { time });
  if (days === -1) return t("yesterday-at", { time });
  if (days === 1) return t("tomorrow-at", { time });
  const name = nameOf(date.getMonth() + 1, "short");
  return t("day-at", { day: t("month-day-short", { month: name, day: date.getDate() }), time });
}

/**
 * How long ago.
 * @param {number} milliseconds How long.
 * @returns {string} As in “2 h ago”.
 */
export function ago(milliseconds) {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 1) return t("ago-now");
  return minutes < 60 ? t("ago-minutes", { count: minutes }) : t("ago-hours", { count: Math.floor(minutes / 60) });
}

/**
 * The date and time of a trip, on the facility's own clock.
 * @param {string} text A moment with its offset, such as 2026-10-31T17:05:00-04:00.
 * @returns {string} As in October 31, 2026, 5:05 PM.
 */
export function clock(text) {
  return dates({ dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(
    new Date(text.slice(0, 19) + "Z"),
  );
}

/**
 * A date in a list.
 * @param {string} date YYYY-MM-DD.
 * @returns {string} As in Oct 31, 2026.
 */
export function listDay(date) {
  return dates({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(date + "T12:00:00Z"));
}
