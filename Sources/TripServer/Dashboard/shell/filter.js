// The filter: month, trip type and region, as the address has it, in words, and as its button and
// chips. One filter serves all screens.

import { h, icon } from "./dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";

/** @typedef {{month: string, trip_type: string, region: string}} Filter An empty text leaves it out; a month “all” is meant. */
/** @typedef {{months: import("./types.js").Month[], regions: import("./types.js").Region[], types: import("./types.js").TripType[]}} Choices */

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
 * What is shown where no region is chosen.
 * @param {string[] | null} regions The regions an account is bound to; null where it is to none.
 * @param {Choices | null} choices Labels.
 * @returns {string} Their names where they are two at most, else “Your regions”; empty where it is bound to none.
 */
export function ownName(regions, choices) {
  if (!regions) return "";
  const labelled = regions.map((code) =>
    regionName(code, choices?.regions.find((each) => each.region === code)?.label)
  );
  return labelled.length === 0 || labelled.length > 2 ? t("your-regions") : format.list(labelled);
}

/**
 * The names of what is chosen besides the month.
 * @param {Filter} filter The filter.
 * @param {Choices | null} choices Labels; codes stand where there are none.
 * @param {string} [own] What stands for the region where none is chosen.
 * @returns {string[]} The names.
 */
export function namesOf(filter, choices, own = "") {
  const region = choices?.regions.find((each) => each.region === filter.region);
  const type = choices?.types.find((each) => each.trip_type === filter.trip_type);
  return [
    filter.region ? regionName(filter.region, region?.label) : own,
    filter.trip_type ? apart(type?.label ?? filter.trip_type) : "",
  ].filter(Boolean);
}

/**
 * The name of a region: its number as a VISN (Veterans Integrated Service Network), where it has one, and its label.
 * @param {string} region Its code.
 * @param {string} [label] Its label.
 * @returns {string} As in “VISN 8 VA Sunshine Healthcare Network”.
 */
export function regionName(region, label = "") {
  if (!/^\d+$/.test(region)) return apart(label || region);
  const name = `VISN ${Number(region)}`;
  return apart(label.startsWith("VISN") ? label : [name, label].filter(Boolean).join(" "));
}

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A name, kept apart from what stands around it where it has letters from right to left: numbers beside it would change
 * places.
 * @param {string} name The name.
 * @returns {string} The name, between marks that are not seen.
 */
function apart(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * The month of a filter in words.
 * @param {Pick<Filter, "month">} filter The filter.
 * @returns {string} As in “October 2026”; “All months” where it has none.
 */
export function monthText({ month }) {
  return month && month !== "all" ? format.monthName(month) : t("all-months");
}

/**
 * The filter in words.
 * @param {Filter} filter The filter.
 * @param {Choices | null} choices Labels.
 * @param {string} [own] What stands for the region where none is chosen.
 * @returns {string} As in “October 2026, VISN 8 VA Sunshine Healthcare Network”.
 */
export function filterText(filter, choices, own = "") {
  return [monthText(filter), ...namesOf(filter, choices, own)].join(", ");
}

/**
 * The button.
 * @param {Filter} filter The filter.
 * @param {Choices | null} choices Labels.
 * @param {() => void} open Opens the panel.
 * @param {string} [own] What stands for the region where none is chosen.
 * @returns {HTMLElement} The button.
 */
export function filterButton(filter, choices, open, own = "") {
  return h(
    "button.button.filter-button",
    {
      type: "button",
      "aria-haspopup": "dialog",
      "aria-label": t("filter-name", { what: filterText(filter, choices, own) }),
      onclick: open,
    },
    icon("filter"),
    h("span", null, t("filter")),
  );
}

/**
 * The chips of region and trip type; the month is the heading.
 * @param {Filter} filter The filter.
 * @param {Choices | null} choices Labels.
 * @param {(changes: Partial<Filter>) => void} change Takes one away.
 * @returns {HTMLElement | null} The chips; null where there are none.
 */
export function chips(filter, choices, change) {
  const each = /** @type {const} */ (["region", "trip_type"]).flatMap((name) => {
    if (!filter[name]) return [];
    const [label] = namesOf({ month: "", trip_type: "", region: "", [name]: filter[name] }, choices);
    return [
      h(
        "li",
        null,
        h(
          "button.chip",
          {
            type: "button",
            "aria-label": t("remove-filter", { name: label }),
            onclick: () => change({ [name]: "" }),
          },
          h("span", null, label),
          icon("close"),
        ),
      ),
    ];
  });
  return each.length ? h("ul.chips", null, each) : null;
}
