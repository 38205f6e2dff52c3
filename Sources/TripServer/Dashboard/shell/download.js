// What a chart or a list shows as a file of CSV, for a spreadsheet.

import { h } from "./dom.js";
import { t } from "../text/text.js";
import { rowsOf } from "./api.js";
import { app } from "./app.js";
import { toast } from "./frame.js";
import { faultText } from "./states.js";

/** Without this mark Excel takes a text of UTF-8 for one of another encoding. */
const MARK = "\ufeff";

/**
 * The button that saves the file.
 * @param {string} title What is shown.
 * @param {string} path What has its rows.
 * @param {string[]} name The parts of the file's name; empty ones are left out.
 * @returns {HTMLElement} The button.
 */
export function csvButton(title, path, name) {
  const file = name.filter(Boolean).join("-") + ".csv";
  const label = t("csv");
  let isLoading = false;
  const save = async () => {
    if (app.isOffline) return toast(t("needs-network"));
    if (isLoading) return;
    setLoading(true);
    try {
      keep(MARK + await rowsOf(path), file);
      toast(t("csv-saved", { file }));
    } catch (fault) {
      toast(faultText(fault));
    }
    setLoading(false);
  };
  const button = h("button.text-button", { type: "button", "aria-label": `${label}: ${title}`, onclick: save }, label);
  /** @param {boolean} next */
  function setLoading(next) {
    isLoading = next;
    button.setAttribute("aria-disabled", String(next));
  }
  return button;
}

/**
 * The button that saves the numbers of a filter.
 * @param {string} title What is shown.
 * @param {"month" | "region" | "trip_type" | "basis"} by What the rows are.
 * @param {Partial<import("./filter.js").Filter>} filter Which trips.
 * @returns {HTMLElement} The button.
 */
export function numbersButton(title, by, { month = "", region = "", trip_type: type = "" }) {
  const query = new URLSearchParams({ by });
  for (const [name, value] of Object.entries({ month, region, trip_type: type })) {
    if (value) query.set(name, value);
  }
  return csvButton(title, "/kpi?" + query, ["kpi-by-" + by.replace("_", "-"), region, type, month]);
}

/** @param {string} text @param {string} file */
function keep(text, file) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  h("a", { href: address, download: file }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
