// The filter panel: month, trip type and region. What is chosen is easily chosen again, so nothing
// is asked before it is closed.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { regionName } from "../shell/filter.js";
import { overlay } from "../shell/overlay.js";

/** @typedef {import("../shell/filter.js").Filter} Filter */
/** @typedef {import("../shell/filter.js").Choices} Choices */

/**
 * Opens it.
 * @param {Filter} filter The filter.
 * @param {Choices} choices What it can be set to.
 * @param {(filter: Filter) => void} apply Applies another one.
 * @param {string} [own] What stands for the region where none is chosen; empty where that is all of them.
 */
export function openFilter(filter, choices, apply, own = "") {
  /** @type {Filter | null} */
  let wanted = null;
  const option = (/** @type {string} */ value, /** @type {string} */ label, /** @type {string} */ chosen) =>
    h("option", { value, selected: value === chosen }, label);
  const newest = [...choices.months].reverse();
  const years = [...new Set(newest.map((each) => each.fiscal_year))];
  const month = field("filter-month", t("month"), [
    option("all", allText(choices.months), filter.month),
    years.map((year) =>
      h(
        "optgroup",
        { label: t("fiscal-year", { year }) },
        newest.filter((each) => each.fiscal_year === year).map((each) => {
          const name = format.capital(format.monthName(each.month));
          return option(each.month, each.month_open ? t("open-month", { month: name }) : name, filter.month);
        }),
      )
    ),
  ]);
  const type = field("filter-type", t("trip-type"), [
    option("", t("all-types"), filter.trip_type),
    choices.types.map((each) => option(each.trip_type, each.label, filter.trip_type)),
  ]);
  const region = field("filter-region", t("region"), [
    option("", own || t("all-regions"), filter.region),
    choices.regions.map((each) => option(each.region, regionName(each.region, each.label), filter.region)),
  ]);
  overlay({
    title: t("filter"),
    kind: "sheet",
    whenClosed: () => {
      if (wanted) apply(wanted);
    },
    content: (close) => [h(
      "form",
      {
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          wanted = { month: month.value(), trip_type: type.value(), region: region.value() };
          close();
        },
      },
      month.node,
      type.node,
      region.node,
      h(
        "div.stack",
        null,
        h("button.button.second", {
          type: "button",
          onclick: () => {
            wanted = { month: "", trip_type: "", region: "" };
            close();
          },
        }, t("clear-all")),
        h("button.button", { type: "submit" }, t("apply")),
      ),
    )],
  });
}

/** All months, and which they are. @param {Choices["months"]} months Oldest first. */
function allText(months) {
  const [first, last] = [months[0], months.at(-1)].map((each) => each && format.monthName(each.month, "tiny"));
  return first && last && first !== last ? t("all-months-of", { first, last }) : t("all-months");
}

/** @param {string} id @param {string} label @param {import("../shell/dom.js").Child[]} options */
function field(id, label, options) {
  const select = /** @type {HTMLSelectElement} */ (h("select.field", { id }, ...options));
  return { node: h("div.labelled", null, h("label", { for: id }, label), select), value: () => select.value };
}
