// The way from what has changed since a generation that was seen to what moved it: the card of the
// last two publications on "Why it moved".

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import { addressOf, goDown } from "../shell/router.js";

/**
 * The way, where the reader sees every number.
 * @param {number} before The generation that was seen.
 * @param {import("../shell/filter.js").Filter} filter Which trips.
 * @param {string[]} months Those that have changed: the screen's goes along where it is one, or the only one.
 * @returns {HTMLElement} The way.
 */
export function causesWay(before, { month, region, trip_type }, months) {
  const named = months.includes(month) ? month : months.length === 1 ? months[0] : "";
  const address = addressOf("why", { month: named, region, trip_type, since: String(before) });
  return h("a.text-button", {
    href: address,
    onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      goDown(address);
    },
  }, t("causes-way"));
}
