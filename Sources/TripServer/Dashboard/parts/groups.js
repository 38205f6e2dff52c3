// Regions and trip types ranked by their share, each with its line over the months and its change;
// then the bases.

import { fill, h, icon } from "../shell/dom.js";
import { has, t } from "../text/text.js";
import * as format from "../text/format.js";
import { PRICED, stateOf, wordOf } from "../text/sentence.js";
import { regionName } from "../shell/filter.js";
import { settings } from "../shell/memory.js";
import { app } from "../shell/app.js";
import { sparkline } from "../charts/sparkline.js";
import { firstFull, wholeName } from "../shell/numbers.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/types.js").Trend} Trend */
/** @typedef {import("../shell/types.js").Sums & {label: string, region?: string, trip_type?: string}} Row */

/** How many rows stand there before all are asked for. */
const FIRST = 6;

/**
 * A ranked list.
 * @param {View} view The view, its month there.
 * @param {"region" | "trip_type"} dimension Of what.
 * @param {(value: string) => void} choose Filters everything by one.
 * @returns {HTMLElement} The list.
 */
export function ranked(view, dimension, choose) {
  const rows =
    /** @type {Row[]} */ (dimension === "region" ? view.month?.by_region ?? [] : view.month?.by_trip_type ?? []);
  /** @type {({region?: string, trip_type?: string} & Trend)[]} */
  const trends = (dimension === "region" ? view.trends?.regions : view.trends?.trip_types) ?? [];
  const own = dimension === "region" ? [...app.me?.regions ?? [], settings().region] : [];
  // What is no region or type of its own stands last, whatever its share.
  const isRest = (/** @type {Row} */ row) => row.region === "UNKNOWN" || row.trip_type === "OTHER";
  const place = (/** @type {Row} */ row) => isRest(row) ? -2 : row.in_house_pct ?? -1;
  const sorted = [...rows].sort((one, other) => place(other) - place(one));
  const isOwn = (/** @type {Row} */ row) => own.includes(row.region ?? "");
  const order = [...sorted.filter(isOwn), ...sorted.filter((row) => !isOwn(row))];
  const title = t(dimension === "region" ? "regions" : "types");
  const list = h("ol.ranks");
  const base = yearBase(view);
  const behind = dimension === "region" ? view.trends?.total.in_house_pct ?? [] : [];
  const items = order.map((row) =>
    rankRow(row, {
      view,
      behind,
      rank: isRest(row) ? 0 : sorted.indexOf(row) + 1,
      base,
      isOwn: isOwn(row),
      trend: trends.find((each) => each[dimension] === row[dimension]) ?? null,
      choose: () => choose(/** @type {string} */ (row[dimension])),
    })
  );
  let isWhole = order.length <= FIRST + 2;
  const more = h("button.text-button", {
    type: "button",
    "aria-expanded": "false",
    onclick: () => {
      isWhole = !isWhole;
      show();
    },
  });
  const show = () => {
    fill(list, isWhole ? items : items.slice(0, FIRST));
    fill(more, isWhole ? t("show-fewer") : t("show-all", { count: items.length }));
    more.setAttribute("aria-expanded", String(isWhole));
  };
  const hasMore = !isWhole;
  show();
  return h(
    "section.card.ranks-card",
    null,
    h("div.card-head", null, h("h2", null, title)),
    h(
      "p.caption",
      null,
      t("regions-note"),
      behind.length ? ` ${t(wholeName(view) ? "own-behind" : "nation-behind")}` : "",
      base && trends.length
        ? " " + t("ranks-change", { month: format.monthName(base.now), before: format.monthName(base.before) })
        : null,
    ),
    list,
    hasMore ? more : null,
  );
}

/**
 * @param {Row} row
 * @param {{view: View, behind: (number | null)[], rank: number, base: ReturnType<typeof yearBase>, isOwn: boolean,
 *   trend: Trend | null, choose: () => void}} of
 */
function rankRow(row, { view, behind, rank, base, isOwn, trend, choose }) {
  const state = stateOf(row, "in-house");
  const name = row.region ? regionName(row.region, row.label) : row.label;
  // Open months read high and would flatten what has settled.
  const count = view.trends
    ? view.trends.months.filter((month) => !view.trends?.open_months.includes(month)).length
    : 0;
  const begin = firstFull(view.trends?.total.trips ?? []);
  const change = trend && base ? yearChange(trend, view, base) : null;
  return h(
    "li",
    null,
    h(
      "button.rank",
      { type: "button", onclick: choose },
      h("span.rank-number", { "aria-hidden": "true" }, state === "value" && rank ? rank : ""),
      h(
        "span.rank-top",
        null,
        h("span.rank-name", null, name, isOwn ? h("span.tag", null, t("pinned")) : null),
        h("span.rank-share", null, wordOf(state) || format.share(row.in_house_pct)),
      ),
      h(
        "span.rank-more",
        null,
        h(
          "span.caption",
          null,
          row.trips === null
            ? `${t("trips")}: ${t("hidden").toLowerCase()}`
            : format.trips(row.trips),
        ),
        trend && view.trends && trend.in_house_pct.some((each) => each !== null)
          ? sparkline(trend.in_house_pct.slice(begin, count), behind.slice(begin, count))
          : null,
        h("span.rank-change", null, change),
      ),
      h("span.unseen", null, t("filter-by", { name })),
    ),
  );
}

/**
 * Which months a change is between: the chosen one, or the newest settled one where it is open, since an open
 *   month reads high.
 * @param {View} view
 * @returns {{now: string, before: string} | null}
 */
function yearBase(view) {
  const months = view.trends?.months ?? [];
  const open = view.months.open_months;
  const now = open.includes(view.filter.month) ? months.findLast((each) => !open.includes(each)) : view.filter.month;
  const before = now && format.later(now, -12);
  return now && before && months.includes(now) && months.includes(before) ? { now, before } : null;
}

/**
 * @param {Trend} trend
 * @param {View} view
 * @param {{now: string, before: string}} base
 */
function yearChange(trend, view, base) {
  const months = view.trends?.months ?? [];
  const [value, old] = [base.now, base.before].map((month) =>
    format.hundredths(trend.in_house_pct[months.indexOf(month)])
  );
  if (value === null || old === null) return null;
  const change = value - old;
  return h(
    "span.caption",
    { class: change > 0 ? "good" : "" },
    h("span", { "aria-hidden": "true" }, change === 0 ? "= " : change > 0 ? "▲ " : "▼ "),
    h("span.unseen", null, change >= 0 ? t("more", { value: "" }) : t("less", { value: "" })),
    `${format.tenths(Math.abs(change))} ${t("pt")}`,
  );
}

/**
 * The grounds on which trips were decided.
 * @param {View} view The view, its month there.
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
            h("span.caption", null, t(`class-${each.class}`)),
          ),
          h(
            "span.basis-value",
            null,
            format.count(each.trips),
            h(
              "span.caption",
              null,
              each.costed_trips * 100 >= each.trips * PRICED ? format.money(each.cost_cents) : t("cost-unknown"),
            ),
          ),
        )
      ),
    )
    : h("p.hidden-note", null, icon("hidden"), t("basis-hidden"));
  return h(
    "section.card",
    null,
    h("div.card-head", null, h("h2", null, t("basis"))),
    h("p.caption", null, t("basis-note")),
    body,
  );
}
