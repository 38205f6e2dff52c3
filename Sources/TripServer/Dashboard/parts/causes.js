// The way to what moved numbers between two generations: for analysts the command that follows every
// trip, for others the screen that has the causes of the last publication.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import { hasRole } from "../shell/app.js";
import { addressOf, goDown } from "../shell/router.js";

/**
 * The way, where the reader sees every number.
 * @param {number} before The generation that was seen.
 * @param {number} now The one that is shown.
 * @param {import("../shell/filter.js").Filter} filter Which trips.
 * @returns {HTMLElement} The way.
 */
export function causesWay(before, now, { region, trip_type }) {
  if (hasRole("analyst")) {
    return h("p.caption", null, t("causes-command", { command: `triptych diff ${before} ${now}` }));
  }
  const address = addressOf("why", { region, trip_type });
  return h("a.text-button", {
    href: address,
    onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      goDown(address);
    },
  }, t("causes-way"));
}
