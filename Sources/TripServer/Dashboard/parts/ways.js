// The ways on from the numbers, what a point is worth, and the ways to pass the numbers on.

import { fill, h, icon } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { app, hasRole } from "../shell/app.js";
import { queryOf } from "../shell/filter.js";
import { isOneMonth, lastSettled, openOf, totalOf } from "../shell/numbers.js";
import { share } from "../shell/provenance.js";
import { addressOf, goDown } from "../shell/router.js";

/** @typedef {import("../shell/numbers.js").View} View */

/**
 * The ways on from the numbers: of the month that is read in the figures, which they name where
 * it is another than the screen's.
 * @param {View} view The view.
 * @param {string[]} months The months of the figures.
 * @param {import("../charts/figure.js").Linked} linked The figures, which say which month is read.
 * @returns {HTMLElement} The ways.
 */
export function actions(view, months, linked) {
  const node = h("div.actions");
  const show = (/** @type {string} */ month) => fill(node, waysOf(view, month));
  show(view.filter.month);
  linked.add((index) => show(months[index]));
  return node;
}

/** @param {View} view @param {string} month */
function waysOf(view, month) {
  const query = new URLSearchParams(queryOf({ ...view.filter, month }));
  const isOne = isOneMonth({ filter: { month } });
  const isNamed = !isOne || month !== view.filter.month;
  const name = isOne ? format.monthName(month) : t("all-months").toLowerCase();
  const link = (/** @type {string} */ address, /** @type {string} */ label, /** @type {string} */ name) =>
    h(
      "a.button.second",
      {
        href: address,
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          goDown(address);
        },
      },
      icon(name),
      label,
    );
  const why = isNamed ? t("why-of", { month: name }) : t("why");
  const trips = isNamed ? t("see-trips-of", { month: name }) : t("see-trips");
  return [
    isOne ? link(addressOf("why", query), why, "dashboard") : null,
    app.seesTrips ? link(addressOf("trips", query), trips, "next") : null,
    hasRole("analyst") ? link(addressOf("runs"), t("runs-link"), "refresh") : null,
  ];
}

/**
 * What a point is worth in the shown month, or in the newest settled one where it is open, where vendors' costs are
 * known.
 * @param {View} view The view.
 * @returns {HTMLElement | null} The card; null elsewhere.
 */
export function worth(view) {
  if (!isOneMonth(view)) return null;
  const settled = openOf(view).length ? lastSettled(view) : { month: view.filter.month, total: totalOf(view) };
  const {
    in_house_trips: own,
    contracted_trips: bought,
    contracted_cost_cents: cents,
    contracted_costed_trips: priced,
  } = settled?.total ?? {};
  if (
    !settled || !bought || !priced || cents === null || cents === undefined || own === null || own === undefined ||
    cents <= 0
  ) return null;
  // A hundredth of the trips that a share is of. What is written is rounded; what is multiplied is not.
  const trips = (own + bought) / 100;
  const each = cents / priced;
  return trips < 0.05 ? null : h(
    "section.card.worth",
    null,
    h("h2", null, t("point-worth-title", { month: format.monthName(settled.month) })),
    h(
      "p",
      null,
      t("point-worth", {
        trips: format.someTrips(trips),
        money: format.money(Math.round(trips * each)),
        each: format.exactMoney(Math.round(each)),
      }),
    ),
  );
}

/**
 * The ways to pass the numbers on.
 * @param {View} view The view.
 * @returns {HTMLElement} The ways.
 */
export function passingOn({ filter, months }) {
  const query = new URLSearchParams(queryOf(filter));
  // A reader who opens it later is told what has changed since.
  query.set("generation", String(months.generation));
  const address = addressOf("dashboard", query);
  const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ act) =>
    h("button.button.second", { type: "button", onclick: act }, icon(name), label);
  return h(
    "div.actions",
    null,
    button("share", t("share-link"), () => share(document.title, address)),
    button("print", t("print"), () => print()),
    h("p.caption.whole", null, t("copy-hint")),
  );
}
