// A link names the generation its sender saw. Where another one is shown now, what has changed since
// is said, to those who see every number.

import { fill, h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { Fault, get } from "../shell/api.js";
import { queryOf } from "../shell/filter.js";
import { causesWay } from "./causes.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/types.js").KPI} KPI */

/**
 * Looks, and says so in a place.
 * @param {View} view What is shown now.
 * @param {string} named The generation of the link; empty where it names none.
 * @param {HTMLElement} place Where.
 * @param {AbortSignal} signal Ends it.
 */
export async function showMoved(view, named, place, signal) {
  const { generation } = view.months;
  if (!/^[1-9]\d{0,8}$/.test(named) || Number(named) === generation) return;
  const query = queryOf(view.filter);
  try {
    const answer = /** @type {KPI} */ (await get(`/kpi${query}${query ? "&" : "?"}since=${named}`, {
      signal,
      isKept: false,
    }));
    const causes = answer.since ? causesWay(Number(named), view.filter, [view.filter.month]) : null;
    if (!signal.aborted) {
      fill(place, h("section.notice", null, h("p", { role: "status" }, movedText(answer, named)), causes));
    }
  } catch (fault) {
    // The screen stands without it.
    if (!(fault instanceof Fault) && !signal.aborted) throw fault;
  }
}

/** @param {KPI} answer @param {string} named */
function movedText({ total, since, generation }, named) {
  if (!since) return t("moved-unknown", { named, generation });
  const day = format.day(since.as_of.slice(0, 10));
  const changes = [shareText(total, since), ...sumTexts(since)].filter(Boolean);
  if (changes.length) return t("moved", { day, changes: changes.join("; ") });
  return t(since.suppressed ? "moved-unknown" : "moved-not", { day, named, generation });
}

/** @param {import("../shell/types.js").Sums} total @param {import("../shell/types.js").Change} since */
function shareText(total, since) {
  const [now, by] = [format.hundredths(total.in_house_pct), format.hundredths(since.in_house_pct)];
  if (now === null || !by) return "";
  return t("moved-share", { before: format.exactShare(now - by), after: format.exactShare(now) });
}

/** @param {import("../shell/types.js").Change} since */
function sumTexts({ trips, contracted_cost_cents: cents }) {
  const sign = (/** @type {number} */ value) => value < 0 ? "−" : "+";
  return [
    trips ? sign(trips) + format.trips(Math.abs(trips)) : "",
    cents ? t("moved-cost", { money: sign(cents) + format.exactMoney(Math.abs(cents)) }) : "",
  ];
}
