// Words of the chosen language: one table per language with the same keys, and no text for people
// outside of them.

import { settings } from "../shell/memory.js";

/** @typedef {import("./en.js").Key} Key */

/** @type {Record<string, string>} */
let table = {};
let language = "en";
/** @type {Intl.PluralRules} */
let plural = new Intl.PluralRules("en-US");

/**
 * Loads the table of a language.
 * @returns {Promise<void>} Settled when texts can be asked for.
 */
export async function loadTexts() {
  const chosen = settings().language;
  const wanted = chosen === "auto" ? navigator.languages ?? [navigator.language] : [chosen];
  language = wanted.map((each) => each.slice(0, 2).toLowerCase()).find((each) => each === "en" || each === "es") ??
    "en";
  table = (language === "es" ? await import("./es.js") : await import("./en.js")).default;
  plural = new Intl.PluralRules(locale());
  document.documentElement.lang = language;
}

/**
 * The locale of numbers and dates: of the United States, in the chosen language.
 * @returns {string} Its name.
 */
export function locale() {
  return language + "-US";
}

/**
 * A text.
 * @param {Key} key Its key; where the table has `key_one`, `count` chooses between it and `key`.
 * @param {Record<string, string | number>} [values] What its places in braces are replaced by.
 * @returns {string} The text.
 */
export function t(key, values = {}) {
  const form = typeof values.count === "number" ? plural.select(values.count) : "other";
  const text = table[`${key}_${form}`] ?? table[key];
  if (text === undefined) throw new Error(`the table ${language} has no text "${key}"`);
  return text.replace(/\{(\w+)\}/g, (place, name) => name in values ? String(values[name]) : place);
}

/**
 * Whether the table has a text.
 * @param {string} key Its key.
 * @returns {key is Key} Whether it does.
 */
export function has(key) {
  return key in table;
}
