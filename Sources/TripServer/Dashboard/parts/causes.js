// What moved the numbers since a generation that was seen, and the way to it: the card of the last two
// publications on "Why it moved".

import { h } from "../shell/dom.js";
import { has, t } from "../text/text.js";
import * as format from "../text/format.js";
import { app } from "../shell/app.js";
import { addressOf, goDown } from "../shell/router.js";

/** @typedef {import("../shell/types.js").GenerationChanges} GenerationChanges */
/** @typedef {import("../shell/types.js").CauseOfChange} Cause */

/**
 * What a cause is called; an edit by what was edited.
 * @param {Cause} cause The cause.
 * @returns {string} Its name.
 */
export function nameOf(cause) {
  return has("cause-" + cause.kind) ? t(`cause-${cause.kind}`) : cause.cause;
}

/**
 * How many trips more or fewer there are.
 * @param {number} change The change.
 * @returns {string} The words.
 */
export function tripsText(change) {
  const count = Math.abs(change);
  const trips = format.signed(change);
  return change === 0 ? t("changes-trips-same") : t("changes-trips", { count, trips });
}

/**
 * Why no causes are there: nothing came before, they are not saved, or the role does not see small counts.
 * @param {GenerationChanges} answer An answer without them.
 * @returns {string} The words.
 */
export function absentText({ generation }) {
  // The first generation of a mart is number 1.
  if (generation === 1) return t("changes-first");
  // Who may see single trips sees every number.
  return t(app.seesTrips ? "changes-unknown" : "changes-hidden");
}

/**
 * The way, where the reader sees every number.
 * @param {number} before The generation that was seen.
 * @param {import("../shell/filter.js").Filter} filter Which trips.
 * @param {string[]} months Those that have changed, the newest first: the screen's goes along where it is one of them,
 *   else the newest.
 * @returns {HTMLElement} The way.
 */
export function causesWay(before, { month, region, trip_type }, months) {
  const named = months.includes(month) ? month : months[0];
  const address = addressOf("why", { month: named, region, trip_type, since: String(before) });
  return h("a.text-button", {
    href: address,
    onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      goDown(address);
    },
  }, t("causes-way"));
}

/**
 * The causes of what has changed since a generation that was seen, in a line, and the way to them; where none are saved,
 * that they are not.
 * @param {GenerationChanges | null} answer Of all trips and months; null where there was none.
 * @param {number} before The generation that was seen.
 * @param {HTMLElement} way The way to them.
 * @returns {import("../shell/dom.js").Child[]} What to show.
 */
export function causesSince(answer, before, way) {
  if (answer?.changes === null) return [h("p.caption", null, absentText(answer))];
  const found = answer?.changes;
  // Those of the last publication alone say nothing of publications before it.
  if (!found?.causes.length || found.from.generation !== before) return [way];
  // What was edited is named as it stands in its file.
  const name = (/** @type {Cause} */ each) => has("cause-" + each.kind) ? nameOf(each).toLowerCase() : nameOf(each);
  const causes = found.causes.map((each) => `${name(each)} (${tripsText(each.trips)})`);
  return [h("p", null, t("restated-causes", { causes: causes.join(", ") })), way];
}
