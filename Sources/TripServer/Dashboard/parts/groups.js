// Regions and trip types ranked by the share, or by the change, of one settled month, each with its
// line over the months.

import { fill, h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { copyable, copyButton } from "../shell/copies.js";
import { filterText } from "../shell/filter.js";
import { provenance } from "../shell/provenance.js";
import { sparkline } from "../charts/sparkline.js";
import { numbersButton } from "../shell/download.js";
import { isOneMonth, wholeName } from "../shell/numbers.js";
import { FEW } from "../text/sentence.js";
import { baseOf, costsOf, groupsOf, lineOf, orderOf, rankOf } from "./ranks.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("./ranks.js").Base} Base */
/** @typedef {import("./ranks.js").Dimension} Dimension */
/** @typedef {import("./ranks.js").Group} Group */

/** How many rows stand there before all are asked for; the sheet for the screen has the same number. */
const FIRST = 6;

/**
 * A ranked list.
 * @param {View} view The view, its month there.
 * @param {Dimension} dimension Of what.
 * @param {(value: string) => void} choose Filters everything by one.
 * @returns {HTMLElement} The list.
 */
export function ranked(view, dimension, choose) {
  const base = baseOf(view);
  const groups = groupsOf(view, dimension, base);
  const behind = dimension === "region" ? lineOf(view, view.trends?.total) : [];
  const month = base.now ? format.monthName(base.now) : t("all-months");
  const title = `${t(dimension === "region" ? "regions" : "types")}, ${month}`;
  const copied = (/** @type {Group} */ group) => copiedText(group, view, dimension, base);
  const list = h("ol.ranks");
  let isWhole = groups.length <= FIRST + 2;
  let isByChange = false;
  const show = () => {
    const order = orderOf(groups, isByChange);
    fill(
      list,
      order.map((group) => rankRow(group, rankOf(group, groups, isByChange), behind, choose, () => copied(group))),
    );
    list.classList.toggle("folded", !isWhole);
  };
  show();
  return h(
    "section.card.ranks-card",
    null,
    h(
      "div.card-head",
      null,
      h("h2", null, title),
      copyButton(title, () =>
        orderOf(groups, isByChange).map((group) => ({
          name: group.name,
          value: shareText(group),
          text: copied(group),
        }))),
      numbersButton(title, dimension, { ...view.filter, month: base.now }),
    ),
    h("p.caption", null, noteText(view, dimension, base, groups), h("span.on-screen", null, " ", t("ranks-note"))),
    base.before && groups.some((each) => each.change !== null)
      ? sorter((by) => {
        isByChange = by;
        show();
      })
      : null,
    list,
    isWhole ? null : folder(groups.length, (whole) => {
      isWhole = whole;
      show();
    }),
  );
}

/**
 * What the list is of, and how it is read.
 * @param {View} view
 * @param {Dimension} dimension
 * @param {Base} base
 * @param {Group[]} groups
 */
function noteText(view, dimension, base, groups) {
  const isRegion = dimension === "region";
  return [
    base.now !== view.filter.month && isOneMonth(view)
      ? format.capital(
        t("ranks-settled", { open: format.monthName(view.filter.month), month: format.monthName(base.now) }),
      )
      : "",
    base.before && groups.some((each) => each.change !== null)
      ? t("ranks-change", { before: format.monthName(base.before) })
      : "",
    groups.some((each) => each.isFew) ? t("ranks-few", { count: FEW }) : "",
    isRegion ? "" : priceNote(view, base),
    view.trends && isRegion ? t(wholeName(view) ? "own-behind" : "nation-behind") : "",
  ].filter(Boolean).join(" ");
}

/**
 * What a price is of: mostly of vendors' trips, as others seldom have a cost.
 * @param {View} view
 * @param {Base} base
 */
function priceNote(view, base) {
  const { cost, bought } = costsOf(view, base);
  if (cost === null || bought === null || cost <= 0 || bought < 0 || bought > cost) return t("ranks-price");
  return `${t("ranks-price")} ${t("ranks-price-share", { share: format.inPercent(Math.floor(bought * 100 / cost)) })}`;
}

/** Turns the order. @param {(isByChange: boolean) => void} turn */
function sorter(turn) {
  const buttons = [t("in-house-pct"), t("change")].map((name, index) =>
    h("button.button", { type: "button", onclick: () => choose(index) }, name)
  );
  /** @param {number} chosen */
  const mark = (chosen) =>
    buttons.forEach((each, index) => {
      each.classList.toggle("second", index !== chosen);
      each.setAttribute("aria-pressed", String(index === chosen));
    });
  /** @param {number} chosen */
  const choose = (chosen) => {
    mark(chosen);
    turn(chosen === 1);
  };
  mark(0);
  return h("div.chooser.sorter", { role: "group", "aria-label": t("sort-by") }, buttons);
}

/** Shows all rows, or the first. @param {number} count @param {(isWhole: boolean) => void} turn */
function folder(count, turn) {
  let isWhole = false;
  const button = h("button.text-button", {
    type: "button",
    onclick: () => {
      isWhole = !isWhole;
      turn(isWhole);
      name();
    },
  });
  const name = () => {
    fill(button, isWhole ? t("show-fewer") : t("show-all", { count }));
    button.setAttribute("aria-expanded", String(isWhole));
  };
  name();
  return button;
}

/** @param {Group} group */
const shareText = ({ word, share }) => word || format.share((share ?? 0) / 100);

/**
 * @param {Group} group
 * @param {number} rank
 * @param {(number | null)[]} behind
 * @param {(value: string) => void} choose
 * @param {() => string} copied
 */
function rankRow(group, rank, behind, choose, copied) {
  const { code, name, trips, price, isOwn, isFew, change, line } = group;
  const button = h(
    "button.rank",
    { type: "button", onclick: () => choose(code) },
    h("span.rank-number", { "aria-hidden": "true" }, rank || ""),
    h(
      "span.rank-top",
      null,
      h("span.rank-name", null, name, isOwn ? h("span.tag", null, t("pinned")) : null),
      h("span.rank-share", null, shareText(group)),
    ),
    h(
      "span.rank-more",
      null,
      h(
        "span.caption",
        null,
        trips === null ? `${t("trips")}: ${t("hidden").toLowerCase()}` : format.trips(trips),
        price ? h("span.rank-price", null, price) : null,
      ),
      line.some((each) => each !== null) ? sparkline(line, behind) : null,
      h(
        "span.rank-change",
        null,
        change === null ? null : changeNode(change),
        isFew ? h("span.caption", null, t("few-trips")) : null,
      ),
    ),
    h("span.unseen", null, t("filter-by", { name })),
  );
  return h("li", null, copyable(button, copied));
}

/** @param {number} change Hundredths. */
function changeNode(change) {
  const direction = format.direction(change);
  return h(
    "span.caption",
    { class: direction > 0 ? "good" : "" },
    h("span", { "aria-hidden": "true" }, direction === 0 ? "= " : direction > 0 ? "▲ " : "▼ "),
    h(
      "span.unseen",
      null,
      direction === 0 ? t("unchanged") + " " : t(direction > 0 ? "more" : "less", { value: "" }),
    ),
    changeText(change),
  );
}

/** @param {number} change Hundredths. */
const changeText = (change) => `${format.tenths(Math.abs(change))} ${t("pt")}`;

/**
 * What is copied of a group.
 * @param {Group} group
 * @param {View} view
 * @param {Dimension} dimension
 * @param {Base} base
 */
function copiedText(group, view, dimension, base) {
  const filter = { ...view.filter, month: base.now || "all", [dimension]: group.code };
  const value = group.word || format.exactShare(group.share ?? 0);
  const sign = group.change === null ? "" : group.change < 0 ? "−" : "+";
  const change = group.change === null
    ? ""
    : t("copied-change", { change: sign + format.exactPoints(group.change), month: format.monthName(base.before) });
  const own = dimension === "region" ? "" : wholeName(view);
  const few = group.isFew ? ` (${t("few-trips")})` : "";
  const source = view.trends ?? view.months;
  return provenance(t("in-house-pct"), value + change + few, filterText(filter, view.choices, own), source);
}
