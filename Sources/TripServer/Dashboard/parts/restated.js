// "Since you last looked": which settled months read otherwise now than in the generation that was
// on this screen before. Of that one, the settings keep its number and its last settled month.

import { fill, h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { account } from "../shell/auth.js";
import { Fault, get } from "../shell/api.js";
import { set, settings } from "../shell/memory.js";
import { addressOf, goDown } from "../shell/router.js";
import { causesWay } from "./causes.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/types.js").KPI} KPI */
/** @typedef {import("../shell/types.js").Change} Change */
/** @typedef {{month: string, total: import("../shell/types.js").Sums, since: Change}} Restated */

/** How many months are asked for one by one; those before them are asked for together. */
const SINGLE = 12;
/** How many months are named. */
const NAMED = 3;

/**
 * Looks, and says so in a place.
 * @param {View} view What is shown now.
 * @param {HTMLElement} place Where.
 * @param {AbortSignal} signal Ends it.
 */
export async function showRestated(view, place, signal) {
  const { seen } = settings();
  const { generation } = view.months;
  const isKnown = seen?.account === account() && seen.generation <= generation;
  if (isKnown && seen.generation === generation) return;
  const months = monthsOf(view).filter(({ month }) => seen && month <= seen.settled);
  try {
    const found = isKnown && months.length ? await restated(months.map((each) => each.month), seen, signal) : null;
    // Nothing settled has changed, or nothing that could be compared: what is shown has been seen.
    if (!found) markSeen(view);
    else if (!signal.aborted) fill(place, notice(found, view, place));
  } catch (fault) {
    // The screen stands without it, and it is asked again the next time.
    if (!(fault instanceof Fault) && !signal.aborted) throw fault;
  }
}

/** @param {View} view */
function monthsOf(view) {
  return (view.choices?.months ?? view.months.by_month).filter((each) => !each.month_open);
}

/** @param {View} view */
function markSeen(view) {
  const settled = monthsOf(view).at(-1)?.month ?? "";
  set({ seen: { account: account(), generation: view.months.generation, settled } });
}

/**
 * @param {string[]} months All that were settled then.
 * @param {import("../shell/memory.js").Seen} seen
 * @param {AbortSignal} signal
 * @returns {Promise<{at: string, named: Restated[], hasMore: boolean} | null>} The newest first; null where there
 *   is none.
 */
async function restated(months, seen, signal) {
  const asked = (
    /** @type {string} */ which,
  ) => /** @type {Promise<KPI>} */ (get(`/kpi?${which}&since=${seen.generation}`, { signal, isKept: false }));
  const single = months.slice(-SINGLE).reverse();
  const earlier = months.slice(0, -SINGLE);
  const answers = await Promise.all(single.map((month) => asked("month=" + month)));
  const before = earlier.length ? await asked("to=" + earlier.at(-1)) : null;
  const found = answers.flatMap(({ total, since }, index) =>
    since && hasChanged(since) ? [{ month: single[index], total, since }] : []
  );
  const isOlder = Boolean(before?.since && hasChanged(before.since));
  if (found.length === 0 && !isOlder) return null;
  const at = (found[0]?.since ?? before?.since)?.as_of ?? "";
  return { at, named: found.slice(0, NAMED), hasMore: isOlder || found.length > NAMED };
}

/** @param {Change} since */
function hasChanged(since) {
  return [since.trips, since.in_house_pct, since.cost_cents, since.contracted_cost_cents]
    .some((each) => each !== null && each !== 0);
}

/** What changed of a month: its share, else its trips, else its cost. @param {Restated} restated */
function changeText({ total, since }) {
  const [now, by] = [format.hundredths(total.in_house_pct), format.hundredths(since.in_house_pct)];
  if (now !== null && by) {
    return t("restated-share", { before: format.exactShare(now - by), after: format.exactShare(now) });
  }
  const sign = (/** @type {number} */ value) => value < 0 ? "−" : "+";
  if (since.trips) return t("restated-trips", { trips: sign(since.trips) + format.count(Math.abs(since.trips)) });
  const cents = since.contracted_cost_cents || since.cost_cents || 0;
  return t("restated-cost", { money: sign(cents) + format.exactMoney(Math.abs(cents)) });
}

/** A month, as a way to its numbers. @param {string} month */
function monthLink(month) {
  const address = addressOf("dashboard", { month });
  return h("a", {
    href: address,
    onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      goDown(address);
    },
  }, format.monthName(month));
}

/**
 * @param {{at: string, named: Restated[], hasMore: boolean}} found
 * @param {View} view
 * @param {HTMLElement} place
 */
function notice({ at, named, hasMore }, view, place) {
  const changes = named.map((each) => [monthLink(each.month), " ", changeText(each)]);
  const parts = hasMore ? [...changes, t("restated-more")] : changes;
  const before = settings().seen?.generation ?? 0;
  const dismiss = () => {
    markSeen(view);
    fill(place);
    document.querySelector("h1")?.focus();
  };
  return h(
    "section.notice",
    { "aria-label": t("restated-title") },
    h(
      "p",
      { role: "status" },
      t("restated", { day: format.day(at.slice(0, 10)) }),
      parts.map((each, index) => [index === 0 ? " " : "; ", each]),
      ".",
    ),
    causesWay(before, view.months.generation, view.filter),
    h("button.text-button", { type: "button", onclick: dismiss }, t("mark-seen")),
  );
}
