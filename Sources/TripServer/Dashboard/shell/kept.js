// What the dashboard keeps for a day, sealed: its last view for offline use, and what settled
// months read when one last looked.

import { account } from "./auth.js";
import * as format from "../text/format.js";
import { t } from "../text/text.js";
import * as vault from "./vault.js";

/** @typedef {import("./numbers.js").View} View */
/** @typedef {{generation: number, filter: string, months: Record<string, number>}} Seen Hundredths of settled months. */

/** @type {Seen | null} */
let seen = null;
let isAsked = false;

/** @param {View} view */
const filterKey = (view) => `${view.filter.trip_type}|${view.filter.region}`;

/** @param {View} view @returns {Record<string, number>} */
function settled(view) {
  return Object.fromEntries(view.months.series.flatMap((each) => {
    const value = format.hundredths(each.in_house_pct);
    return each.month_open || value === null ? [] : [[each.month, value]];
  }));
}

export const kept = {
  /** Opens what was seen before. */
  async begin() {
    if (isAsked) return;
    isAsked = true;
    const found = await vault.open("seen");
    if (found?.account === account()) seen = found.value;
  },

  /**
   * Keeps a view.
   * @param {View} view The view.
   */
  async keep(view) {
    await vault.seal("dashboard", view, account());
    if (!view.filter.region && !view.filter.trip_type) {
      await vault.seal(
        "seen",
        { generation: view.months.generation, filter: filterKey(view), months: settled(view) },
        account(),
      );
    }
  },

  /**
   * The kept view; its filter is its own.
   * @returns {Promise<View | null>} The view; null where none is kept.
   */
  async view() {
    const found = await vault.open("dashboard");
    if (!found || (account() && found.account !== account())) return null;
    return { ...found.value, at: found.at };
  },

  /**
   * Which settled months read otherwise than when one last looked.
   * @param {View} view The view.
   * @returns {string} In words; empty where none does.
   */
  restated(view) {
    if (!seen || seen.generation === view.months.generation || seen.filter !== filterKey(view)) return "";
    const now = settled(view);
    const changes = Object.entries(seen.months).filter(([month, before]) => month in now && now[month] !== before)
      .slice(-3)
      .map(([month, before]) =>
        t("restated-month", {
          month: format.monthName(month),
          before: format.share(before / 100),
          after: format.share(now[month] / 100),
        })
      );
    return changes.length ? t("restated", { changes: changes.join("; ") }) : "";
  },
};
