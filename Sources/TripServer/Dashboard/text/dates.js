// Months, days and moments as people read them.

import { locale, t } from "./text.js";

/** @type {Map<string, Intl.DateTimeFormat>} */
const made = new Map();

/** @param {Intl.DateTimeFormatOptions} options @returns {Intl.DateTimeFormat} */
function dates(options) {
  const key = locale() + JSON.stringify(options);
  let found = made.get(key);
  if (!found) made.set(key, found = new Intl.DateTimeFormat(locale(), options));
  return /** @type {Intl.DateTimeFormat} */ (found);
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
 * @param {boolean} [hasZone] Whether it says of which time zone its clock is: the reader's own.
 * @returns {string} As in “today 01:14”, or “today 01:14 EST”.
 */
export function moment(moment, now = new Date(), hasZone = false) {
  const date = new Date(moment);
  const zone = hasZone ? { timeZoneName: /** @type {const} */ ("short") } : {};
  const time = dates({ hour: "numeric", minute: "2-digit", ...zone }).format(date);
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
 * A moment of any year.
 * @param {string} moment An RFC 3339 date and time.
 * @returns {string} As in Nov 20, 2026, 9:12 AM.
 */
export function fullMoment(moment) {
  return dates({ dateStyle: "medium", timeStyle: "short" }).format(new Date(moment));
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
