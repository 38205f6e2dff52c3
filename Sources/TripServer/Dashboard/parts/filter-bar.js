// The button of the filter and the chips of what is chosen, each of which takes itself away.

import { h, icon } from "../shell/dom.js";
import { t } from "../text/text.js";
import { filterText, namesOf } from "../shell/filter.js";

/** @typedef {import("../shell/filter.js").Filter} Filter */
/** @typedef {import("../shell/filter.js").Choices} Choices */

/**
 * The button.
 * @param {Filter} filter The filter.
 * @param {Choices | null} choices Labels.
 * @param {() => void} open Opens the panel.
 * @returns {HTMLElement} The button.
 */
export function filterButton(filter, choices, open) {
  return h(
    "button.button.filter-button",
    {
      type: "button",
      "aria-haspopup": "dialog",
      "aria-label": t("filter-name", { what: filterText(filter, choices) }),
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
