// Why a number moved between two months: what single regions, or single trip types, contributed, by
// what they did themselves and by how many of the trips are theirs. The parts add up exactly.

import { h, icon, refill } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { isFew } from "../text/sentence.js";
import { Fault, get } from "../shell/api.js";
import { app, knowMe, loadChoices, totalRegions } from "../shell/app.js";
import { chips, filterOf, namesOf, queryOf } from "../shell/filter.js";
import { showBanners, toast } from "../shell/frame.js";
import { firstMonth, wholeName } from "../shell/numbers.js";
import { addressOf, go } from "../shell/router.js";
import { failed, faultText, skeleton } from "../shell/states.js";
import { costCard, shareCard } from "../parts/change-cards.js";
import { chooser } from "../parts/chooser.js";
import { showPublished } from "../parts/published-changes.js";

/** @typedef {import("../shell/types.js").KPI} KPI */
/** @typedef {import("../shell/types.js").Why} Why */
/** @typedef {"region" | "trip_type"} Dimension */
/** @typedef {{from: string, to: string, by: Dimension, open: string}} Chosen With the open month that is left aside. */

/** The parts of the address that say which trips. */
const WHICH = ["region", "trip_type"];

/**
 * The screen of an address.
 * @param {import("../shell/router.js").Place} place The place.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function why(place) {
  const node = h("div.screen", { "aria-busy": "true" });
  const ending = new AbortController();
  const which = queryOf(filterOf(place.query), WHICH);
  const load = async () => {
    if (node.childElementCount === 0) refill(node, head(place), skeleton("list"));
    try {
      const options = { signal: ending.signal };
      const naming = app.choices ? null : loadChoices().catch(() => {});
      const kpi = /** @type {KPI} */ (await get("/kpi" + which, options));
      app.isSynthetic = kpi.synthetic;
      showBanners();
      const chosen = chosenOf(place.query, kpi);
      const months = new URLSearchParams({ from: chosen.from, to: chosen.to });
      const path = `/kpi/why?${months}${which.replace("?", "&")}`;
      const cards = chosen.from === chosen.to
        ? noChange(t("why-two-months"))
        : await changeCards(place, chosen, kpi, path, get(path, options));
      await Promise.all([naming, knowMe()]);
      const between = h("div");
      refill(node, head(place, kpi), choosers(place, chosen, kpi), ageNote(place, chosen, kpi), cards, between);
      await showPublished(between, place.query, kpi, ending.signal);
    } catch (fault) {
      if (ending.signal.aborted) return;
      if (fault instanceof Fault && WHICH.includes(fault.parameter)) {
        toast(t("filter-ignored", { name: t(fault.parameter === "region" ? "region" : "trip-type").toLowerCase() }));
        return change(place, { [fault.parameter]: "" });
      }
      refill(node, head(place), failed(fault, load));
    }
    node.removeAttribute("aria-busy");
  };
  load();
  return { title: t("why-title"), node, refresh: load, leave: () => ending.abort() };
}

/**
 * The two changes; where these months cannot be compared, why.
 * @param {import("../shell/router.js").Place} place
 * @param {Chosen} chosen
 * @param {KPI} kpi
 * @param {string} path
 * @param {Promise<Why>} asked
 */
async function changeCards(place, { by, from, to }, kpi, path, asked) {
  const turn = () => change(place, { by: by === "region" ? "trip_type" : "region", from, to });
  try {
    const found = await asked;
    await knowMe();
    const where = placesOf(place, kpi);
    const hasOther = waysOf(place.query).length > 1;
    const pair = { from, to, by, path: `${path}&by=${by}`, turn: hasOther ? turn : null, where };
    return h("div.pair", null, shareCard(found, pair), costCard(found, pair));
  } catch (fault) {
    if (!(fault instanceof Fault) || ![400, 403].includes(fault.status)) throw fault;
    const isMonth = ["from", "to"].includes(fault.parameter);
    return noChange(isMonth ? t("why-no-month") : faultText(fault));
  }
}

/** What stands there where nothing can be compared. @param {string} text Why not. */
function noChange(text) {
  return h(
    "section.card.flow",
    { role: "alert" },
    h("p.hidden-note", null, icon("empty"), text),
    h(
      "button.button.second",
      { type: "button", onclick: () => go(addressOf("why"), { isReplacing: true }) },
      t("clear-filter"),
    ),
  );
}

/** Which trips the changes are of, in words. @param {import("../shell/router.js").Place} place @param {KPI} kpi */
function placesOf(place, kpi) {
  const own = wholeName({ regions: totalRegions(), months: kpi, choices: app.choices });
  return namesOf(filterOf(place.query), app.choices, own).join(", ") || t("all-regions");
}

/** @param {import("../shell/router.js").Place} place @param {KPI} [kpi] Says which regions all of them are. */
function head(place, kpi) {
  const filter = filterOf(place.query);
  const regions = kpi && wholeName({ regions: totalRegions(), months: kpi, choices: app.choices });
  const whole = [filter.region || !kpi ? "" : regions || t("all-regions"), filter.trip_type ? "" : t("all-types")]
    .filter(Boolean);
  return h(
    "div.screen-head",
    null,
    h("h1", { tabindex: "-1" }, t("why-title")),
    chips(filter, app.choices, (changes) => change(place, changes)),
    whole.length ? h("p.caption.whole", null, whole.join(", ")) : null,
  );
}

/** Changes the address. @param {import("../shell/router.js").Place} place @param {Record<string, string>} changes */
function change(place, changes) {
  // What one came for has been seen.
  go(addressOf("why", { ...Object.fromEntries(place.query), since: "", ...changes }), { isReplacing: true });
}

/**
 * What the address asks for, else the newest settled month against the one a year before, or the month before where
 * there is none of enough trips. A month
 * that comes along from another screen and is open is left aside: one a year before is of another age.
 * @param {URLSearchParams} query
 * @param {KPI} kpi
 * @returns {Chosen}
 */
function chosenOf(query, kpi) {
  const months = kpi.by_month.map((each) => each.month);
  const isMonth = (/** @type {string | null} */ text) => /^\d{4}-\d{2}$/.test(text ?? "");
  const settled = kpi.by_month.findLast((each) => !each.month_open)?.month ?? firstMonth(kpi);
  const shown = query.get("month") ?? "";
  const open = isMonth(shown) && !isMonth(query.get("to")) && kpi.open_months.includes(shown) && shown !== settled
    ? shown
    : "";
  const wanted = [query.get("to"), open ? settled : shown].find(isMonth);
  const to = wanted ?? settled;
  // Against a handful of trips any share has moved far.
  const telling = kpi.by_month.filter((each) => !isFew(each.trips)).map((each) => each.month);
  const before = [format.later(to, -12), format.later(to, -1)];
  const known = before.find((each) => telling.includes(each)) ?? before.find((each) => months.includes(each));
  const ways = waysOf(query);
  const by = ways.find((each) => each === query.get("by")) ?? ways[0] ?? "trip_type";
  const from = query.get("from") || known || format.later(to, -12);
  // What changed is read from the earlier month to the later one.
  const [first, last] = [from, to].sort();
  return { from: first, to: last, by, open };
}

/**
 * Into what a change can be taken apart: what one region or one trip type is chosen of has one part.
 * @param {URLSearchParams} query
 * @returns {Dimension[]}
 */
function waysOf(query) {
  return /** @type {const} */ (["region", "trip_type"]).filter((each) => !query.get(each));
}

/**
 * @param {import("../shell/router.js").Place} place
 * @param {Chosen} chosen
 * @param {KPI} kpi
 */
function choosers(place, { from, to, by }, kpi) {
  const months = kpi.by_month.map((each) => each.month);
  const ways = [
    { changes: { from: format.later(to, -12), to }, label: t("why-year-before") },
    { changes: { from: format.later(to, -1), to }, label: t("why-month-before") },
  ].filter(({ changes }) => months.includes(changes.from));
  const dimensions = waysOf(place.query).map((each) => ({
    changes: { from, to, by: each },
    label: t(each === "region" ? "by-region" : "by-trip-type"),
  }));
  const choose = (/** @type {{changes: Record<string, string>}} */ { changes }) => change(place, changes);
  return h(
    "div.choosers",
    null,
    chooser(t("why-compare"), ways, ({ changes }) => changes.from === from, choose),
    // One way is no choice.
    dimensions.length > 1 ? chooser(t("why-by"), dimensions, ({ changes }) => changes.by === by, choose) : null,
  );
}

/**
 * What an open month does to the comparison, and the way to the newest pair that is settled; or which open month is left
 * aside, and the way to it.
 * @param {import("../shell/router.js").Place} place
 * @param {Chosen} chosen
 * @param {KPI} kpi
 */
function ageNote(place, { from, to, open: aside }, kpi) {
  if (aside) {
    return h(
      "section.notice.flow",
      null,
      h("p", null, format.capital(t("why-aside", { open: format.monthName(aside), month: format.monthName(to) }))),
      h(
        "button.text-button",
        { type: "button", onclick: () => change(place, { from: "", to: aside }) },
        t("why-see-open", { month: format.monthName(aside) }),
      ),
    );
  }
  const open = [from, to].filter((each) => kpi.open_months.includes(each));
  if (open.length === 0) return null;
  const settled = kpi.by_month.findLast((each) => !each.month_open)?.month;
  const names = open.map((each) => format.monthName(each));
  return h(
    "section.notice.flow",
    null,
    h(
      "p",
      null,
      format.capital(
        open.length === 2 ? t("why-both-open", { from: names[0], to: names[1] }) : t("why-open", { month: names[0] }),
      ),
    ),
    settled
      ? h(
        "button.text-button",
        { type: "button", onclick: () => change(place, { from: "", to: settled }) },
        t("why-settled", { month: format.monthName(settled) }),
      )
      : null,
  );
}
