// The grounds on which trips were decided.

import { h, icon } from "../shell/dom.js";
import { has, t } from "../text/text.js";
import * as format from "../text/format.js";
import { isPriced } from "../text/sentence.js";
import { monthText } from "../shell/filter.js";
import { numbersButton } from "../shell/download.js";

/**
 * The grounds on which trips were decided.
 * @param {import("../shell/numbers.js").View} view The view, its month there.
 * @returns {HTMLElement} The list.
 */
export function basisCard(view) {
  const rows = view.month?.by_basis;
  const body = rows
    ? h(
      "ul.bases",
      null,
      [...rows].sort((one, other) => other.trips - one.trips).map((each) =>
        h(
          "li.basis",
          null,
          h(
            "span",
            null,
            has("basis-" + each.basis) ? t(`basis-${each.basis}`) : each.basis.replaceAll("_", " "),
            each.basis ? h("span.caption", null, t(`class-${each.class}`)) : null,
          ),
          h(
            "span.basis-value",
            null,
            format.count(each.trips),
            h(
              "span.caption",
              null,
              isPriced(each.costed_trips, each.trips) ? format.money(each.cost_cents) : t("basis-cost-unknown"),
            ),
          ),
        )
      ),
    )
    : h("p.hidden-note", null, icon("hidden"), t("basis-hidden"));
  const title = `${t("basis")}, ${monthText(view.filter)}`;
  return h(
    "section.card",
    null,
    h(
      "div.card-head",
      null,
      h("h2", null, title),
      rows ? numbersButton(title, "basis", view.filter) : null,
    ),
    h("p.caption", null, t("basis-note")),
    body,
  );
}
