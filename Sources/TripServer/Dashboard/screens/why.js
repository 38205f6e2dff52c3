// Why a number moved between two months: what single regions and trip types contributed, by what
// they drive themselves and by how many trips they have. The parts add up to the change exactly.

import { h, refill } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { Fault, get } from "../shell/api.js";
import { app } from "../shell/app.js";
import { regionName } from "../shell/filter.js";
import { showBanners } from "../shell/frame.js";
import { firstMonth } from "../shell/numbers.js";
import { addressOf, go } from "../shell/router.js";
import { empty, failed, faultText, skeleton } from "../shell/states.js";
import { table, withTable } from "../charts/figure.js";
import { waterfall } from "../charts/waterfall.js";

/** @typedef {import("../shell/types.js").Why} Why */
/** @typedef {import("../shell/types.js").Part} Part */

/** How many parts have a bar of their own. */
const BARS = 8;

/**
 * The screen of an address.
 * @param {import("../shell/router.js").Place} place The place.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function why(place) {
  const node = h("div.screen.narrow", { "aria-busy": "true" });
  const ending = new AbortController();
  const load = async () => {
    refill(node, head(), skeleton("list"));
    try {
      const kpi = /** @type {import("../shell/types.js").KPI} */ (await get("/kpi", { signal: ending.signal }));
      app.isSynthetic = kpi.synthetic;
      showBanners();
      const months = kpi.series.map((each) => each.month);
      const asked = place.query.get("to") ?? place.query.get("month") ?? "";
      const to = months.includes(asked) ? asked : firstMonth(kpi);
      const from = place.query.get("from") ?? before(to, 12);
      const choice = chooser(place, from, to, months);
      try {
        /** @type {Why} */
        const found = await get(`/kpi/why?from=${from}&to=${to}`, { signal: ending.signal });
        const isUneven = kpi.open_months.includes(to) && !kpi.open_months.includes(from);
        refill(
          node,
          head(),
          choice,
          isUneven ? h("p.notice", null, t("why-open", { month: format.monthName(to) })) : null,
          inHouseCard(found),
          costCard(found),
        );
      } catch (fault) {
        if (!(fault instanceof Fault) || ![400, 403, 404].includes(fault.status)) throw fault;
        refill(
          node,
          head(),
          choice,
          fault.code === "forbidden"
            ? empty(t("hidden"), t("why-hidden"), [{ label: t("to-dashboard"), act: () => go(addressOf("dashboard")) }])
            : h("p.notice", { role: "alert" }, faultText(fault)),
        );
      }
    } catch (fault) {
      if (ending.signal.aborted) return;
      refill(node, head(), failed(fault, load));
    }
    node.removeAttribute("aria-busy");
  };
  load();
  return { title: t("why-title"), node, refresh: load, leave: () => ending.abort() };
}

function head() {
  return h(
    "div.screen-head",
    null,
    h("h1", { tabindex: "-1" }, t("why-title")),
    h("p.caption", null, t("all-regions"), ", ", t("all-types")),
  );
}

/** @param {string} month @param {number} count */
function before(month, count) {
  const [year, number] = month.split("-").map(Number);
  const place = year * 12 + number - 1 - count;
  return `${Math.floor(place / 12)}-${String(place % 12 + 1).padStart(2, "0")}`;
}

/**
 * @param {import("../shell/router.js").Place} place
 * @param {string} from
 * @param {string} to
 * @param {string[]} months
 */
function chooser(place, from, to, months) {
  /** @type {[string, string][]} */
  const ways = [[before(to, 12), t("why-year-before")], [before(to, 1), t("why-month-before")]];
  const links = ways.filter(([month]) => months.includes(month)).map(([month, label]) => {
    const query = new URLSearchParams(place.query);
    query.set("from", month);
    query.set("to", to);
    return h("button.button", {
      type: "button",
      class: month === from ? "" : "second",
      "aria-pressed": String(month === from),
      onclick: () => go(addressOf("why", query), { isReplacing: true }),
    }, label);
  });
  return h("div.actions", { role: "group", "aria-label": t("why-compare") }, links);
}

/** The name of a part. @param {Part} part */
function nameOf(part) {
  return part.dimension === "region" ? regionName(part.value, part.label) : part.label;
}

/** @param {Part} part */
const kindOf = (part) => t(part.kind === "rate" ? "why-rate" : "why-mix");

/**
 * The largest parts, and the rest as one, so that the sum stays whole.
 * @param {Part[]} parts @param {(part: Part) => number} valueOf @param {(value: number) => string} written
 */
function stepsOf(parts, valueOf, written) {
  const shown = parts.slice(0, parts.length > BARS + 1 ? BARS : parts.length);
  const rest = parts.slice(shown.length);
  const steps = shown.map((part) => ({
    name: nameOf(part),
    note: kindOf(part),
    change: valueOf(part),
    written: written(valueOf(part)),
  }));
  if (rest.length) {
    const sum = rest.reduce((total, part) => total + valueOf(part), 0);
    steps.push({ name: t("why-others", { count: rest.length }), note: "", change: sum, written: written(sum) });
  }
  return steps;
}

/** @param {number} value */
const signed = (value) => value < 0 ? "−" : value > 0 ? "+" : "";
/** Hundredths to the last digit, since parts must be seen to add up. @param {number} value */
const exactPoints = (value) => `${signed(value)}${(Math.abs(value) / 100).toFixed(2)} ${t("pt")}`;
/** @param {number} value */
const signedMoney = (value) => signed(value) + format.money(Math.abs(value));

/** @param {Why} why */
function inHouseCard({ from, to, in_house: { from_pct, to_pct, change_hundredths: change, parts } }) {
  const moved = change === 0
    ? t("why-same")
    : t(change > 0 ? "why-rise" : "why-fall", { points: format.points(change) });
  const exact = (/** @type {number} */ percent) => t("percent", { value: percent.toFixed(2) });
  return card(
    t("why-lead", { from: format.monthName(from), to: format.monthName(to), change: moved }),
    t("in-house-pct"),
    waterfall({
      from: { name: format.monthName(from), written: exact(from_pct) },
      to: { name: format.monthName(to), written: exact(to_pct) },
      total: change,
      steps: stepsOf(parts, (part) => part.hundredths ?? 0, exactPoints),
    }),
    () => rows(t("in-house-pct"), parts, (part) => exactPoints(part.hundredths ?? 0), exactPoints(change)),
  );
}

/** @param {Why} why */
function costCard({ from, to, cost: { from_cents, to_cents, change_cents: change, parts } }) {
  return card(
    t("why-cost", { money: signedMoney(change) }),
    t("cost"),
    waterfall({
      from: { name: format.monthName(from), written: format.money(from_cents) },
      to: { name: format.monthName(to), written: format.money(to_cents) },
      total: change,
      steps: stepsOf(parts, (part) => part.cents ?? 0, signedMoney),
    }),
    () =>
      rows(
        t("cost"),
        parts,
        (part) => signed(part.cents ?? 0) + format.exactMoney(Math.abs(part.cents ?? 0)),
        signed(change) + format.exactMoney(Math.abs(change)),
      ),
  );
}

/**
 * @param {string} lead
 * @param {string} title
 * @param {HTMLElement} picture
 * @param {() => HTMLElement} asTable
 */
function card(lead, title, picture, asTable) {
  const { toggle, body } = withTable(title, picture, asTable);
  return h(
    "section.card",
    null,
    h("div.card-head", null, h("h2", null, title), toggle),
    h("p", null, lead),
    h("p.caption", null, t("why-explain")),
    body,
  );
}

/**
 * @param {string} caption
 * @param {Part[]} parts
 * @param {(part: Part) => string} written
 * @param {string} sum
 */
function rows(caption, parts, written, sum) {
  return table(caption, [t("part"), t("kind"), t("change")], [
    ...parts.map((part) => [nameOf(part), t(part.kind === "rate" ? "why-rate-short" : "why-mix-short"), written(part)]),
    [t("sum"), "", sum],
  ]);
}
