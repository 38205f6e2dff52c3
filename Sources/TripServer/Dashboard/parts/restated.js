// "Since you last looked": which settled months read otherwise now than in the generation that was
// on this screen before, of all trips that the account may see: one mark serves every filter. Of
// that generation, the settings keep its number and its last settled month.

import { add, fill, h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { knowMe, totalRegions } from "../shell/app.js";
import { account } from "../shell/auth.js";
import { Fault, get } from "../shell/api.js";
import { set, settings } from "../shell/memory.js";
import { addressOf, goDown } from "../shell/router.js";
import { causesSince, causesWay } from "./causes.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/types.js").KPI} KPI */
/** @typedef {import("../shell/types.js").Change} Change */
/** @typedef {import("../shell/types.js").GenerationChanges} GenerationChanges */
/** @typedef {{month: string, total: import("../shell/types.js").Sums, since: Change}} Restated */

/** How many months are asked for one by one; those before them where they have changed together. */
const SINGLE = 12;
/** How many months are named before the others are asked for by a press. */
const NAMED = 2;

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
    const found = isKnown && months.length ? await restated(months.map((each) => each.month), seen, signal) : [];
    await knowMe();
    // Nothing settled has changed, or nothing that could be compared: what is shown has been seen.
    if (found.length === 0) markSeen(view);
    else {
      const causes = await causesOf(signal);
      if (!signal.aborted) fill(place, notice(found, causes, view, place));
    }
  } catch (fault) {
    // The screen stands without it, and it is asked again the next time.
    if (!(fault instanceof Fault) && !signal.aborted) throw fault;
  }
}

/** What moved the numbers last; null where it cannot be asked for. @param {AbortSignal} signal */
async function causesOf(signal) {
  try {
    return /** @type {GenerationChanges} */ (await get("/kpi/changes", { signal, isKept: false }));
  } catch (fault) {
    if (fault instanceof Fault) return null;
    throw fault;
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
 * @returns {Promise<Restated[]>} Those that have changed, the newest first.
 */
async function restated(months, seen, signal) {
  const asked = (
    /** @type {string} */ which,
  ) => /** @type {Promise<KPI>} */ (get(`/kpi?${which}&since=${seen.generation}`, { signal, isKept: false }));
  const changed = async (/** @type {string[]} */ some) => {
    const answers = await Promise.all(some.map((month) => asked("month=" + month)));
    return answers.flatMap(({ total, since }, index) =>
      since && hasChanged(since) ? [{ month: some[index], total, since }] : []
    );
  };
  const earlier = months.slice(0, -SINGLE);
  const [recent, before] = await Promise.all([
    changed(months.slice(-SINGLE)),
    earlier.length ? asked("to=" + earlier.at(-1)) : null,
  ]);
  const old = before?.since && hasChanged(before.since) ? await changed(earlier) : [];
  return [...old, ...recent].reverse();
}

/** @param {Change} since */
function hasChanged(since) {
  return [since.trips, since.in_house_pct, since.cost_cents, since.contracted_cost_cents]
    .some((each) => each !== null && each !== 0);
}

/** What changed of a month: its share, its trips, its cost. @param {Restated} restated */
function changeText({ total, since }) {
  return [shareText(total, since), tripsText(since.trips ?? 0), costText(since)].filter(Boolean).join(", ");
}

/** @param {import("../shell/types.js").Sums} total @param {Change} since */
function shareText(total, since) {
  const [now, by] = [format.hundredths(total.in_house_pct), format.hundredths(since.in_house_pct)];
  if (now === null || !by) return "";
  return t("restated-share", { before: format.exactShare(now - by), after: format.exactShare(now) });
}

/** @param {number} change */
function tripsText(change) {
  const count = Math.abs(change);
  const trips = format.count(count);
  return change === 0 ? "" : t(change > 0 ? "restated-trips-more" : "restated-trips-fewer", { count, trips });
}

/** What vendors were paid more or less; else what all trips cost, as far as it is known. @param {Change} since */
function costText({ contracted_cost_cents: vendor, cost_cents: all }) {
  const cents = vendor || all || 0;
  if (cents === 0) return "";
  const size = Math.abs(cents);
  // Of less than a dollar no whole one is left.
  const money = size < 100 ? format.exactMoney(size) : format.wholeMoney(size);
  return t(`restated-${vendor ? "vendor" : "cost"}-${cents > 0 ? "more" : "less"}`, { money });
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
  }, format.capital(format.monthName(month)));
}

/** Whose trips these are, where the screen's are fewer. @param {View} view */
function whereText({ filter }) {
  if (!filter.region && !filter.trip_type) return "";
  return t(totalRegions() ? "restated-own" : "restated-all");
}

/**
 * The months; of many the newest, and the others by a press.
 * @param {Restated[]} found
 * @returns {import("../shell/dom.js").Child[]}
 */
function monthList(found) {
  const items = (/** @type {Restated[]} */ some) =>
    some.map((each) => h("li", null, monthLink(each.month), ": ", changeText(each)));
  const list = h("ul", null, items(found.slice(0, NAMED)));
  if (found.length <= NAMED) return [list];
  const more = () => {
    const { length } = list.children;
    add(list, items(found.slice(length)));
    button.remove();
    list.children[length].querySelector("a")?.focus();
  };
  const button = h("button.text-button", { type: "button", onclick: more }, t("show-all", { count: found.length }));
  return [list, button];
}

/**
 * @param {Restated[]} found
 * @param {GenerationChanges | null} causes
 * @param {View} view
 * @param {HTMLElement} place
 */
function notice(found, causes, view, place) {
  const before = settings().seen?.generation ?? 0;
  const day = format.day(found[0].since.as_of.slice(0, 10));
  const dismiss = () => {
    markSeen(view);
    fill(place);
    document.querySelector("h1")?.focus();
  };
  return h(
    "section.notice.restated",
    { "aria-label": t("restated-title"), tabindex: "-1" },
    h("p", { role: "status" }, t("restated", { day, count: found.length, where: whereText(view) })),
    monthList(found),
    causesSince(causes, before, causesWay(before, view.filter, found.map((each) => each.month))),
    h("button.text-button", { type: "button", onclick: dismiss }, t("mark-seen")),
  );
}
