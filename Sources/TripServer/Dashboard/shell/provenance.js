// A number as it may be passed on: with the filter, the data and the generation it comes from.

import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { toast } from "./frame.js";

/**
 * @typedef {object} Source
 * @property {number} generation
 * @property {string} as_of
 * @property {string | null} data_through
 * @property {boolean} synthetic
 */

/**
 * The text of a number.
 * @param {string} name What it is.
 * @param {string} value Its value, with its interval.
 * @param {string} filters The filter in words.
 * @param {Source} source The answer it comes from.
 * @param {string} [note] What is to be known of it, such as that its month is open.
 * @returns {string} The text.
 */
export function provenance(name, value, filters, source, note = "") {
  return [t("provenance", { name, value, filters }), note, origin(source)].filter(Boolean).join(" ");
}

/**
 * Where numbers come from, on a copy or on paper.
 * @param {Source} source The answer.
 * @returns {string} The text.
 */
export function origin(source) {
  const text = t("origin", {
    through: source.data_through ? format.fullDay(source.data_through) : format.NONE,
    generation: source.generation,
    published: stamp(source.as_of),
  });
  return source.synthetic ? `${text} ${t("provenance-synthetic")}` : text;
}

/**
 * A moment with its offset, which is read anywhere.
 * @param {string} moment An RFC 3339 date and time.
 * @returns {string} As in “2026-11-01 01:14 UTC−05:00”.
 */
function stamp(moment) {
  const offset = moment.match(/[+-]\d\d:\d\d$/)?.[0].replace("-", "−") ?? "";
  return `${moment.slice(0, 16).replace("T", " ")} UTC${offset}`;
}

/**
 * Copies a text, and says so.
 * @param {string} text The text.
 * @param {string} [said] What is said.
 */
export async function copy(text, said = t("copied")) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    toast(t("copy-failed"));
  }
}

/**
 * Shares the address of what is shown; copies it where the browser shares nothing.
 * @param {string} title What it is.
 * @param {string} address A path of this program.
 */
export async function share(title, address) {
  const url = new URL(address, location.origin).href;
  if (!navigator.share) return copy(url, t("link-copied"));
  // A sheet that was closed is no fault.
  await navigator.share({ title, url }).catch(() => {});
}
