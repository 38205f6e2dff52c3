// The three numbers, each with its value, how sure it is, its change and the month it is compared
// with. A press tells where it comes from, and copies it with that.

import { h, icon } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { difference, kindOf, sentenceText } from "../text/sentence.js";
import { filterText } from "../shell/filter.js";
import { overlay } from "../shell/overlay.js";
import { copy, provenance } from "../shell/provenance.js";
import { comparisonOf, factsOf, totalOf } from "../shell/numbers.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {"trips" | "in-house" | "vendor-cost"} Name */
/**
 * @typedef {object} Card
 * @property {Name} name
 * @property {string} value Short, as it stands on the card.
 * @property {string} exact To the last digit.
 * @property {string} sure How sure it is.
 * @property {{direction: -1 | 0 | 1, text: string} | null} change
 * @property {boolean} isGood Whether a rise is.
 * @property {string} note What is to be said where there is no number.
 */

/**
 * The cards.
 * @param {View} view The view.
 * @returns {HTMLElement} The cards.
 */
export function cards(view) {
  return h("div.numbers", null, cardsOf(view).map((card) => cardNode(card, view)));
}

/** @param {View} view @returns {Card[]} */
function cardsOf(view) {
  const total = totalOf(view);
  const comparison = comparisonOf(view);
  const isOpen = view.months.open_months.includes(view.filter.month);
  return [tripsCard(total, comparison, isOpen), shareCard(total, comparison), costCard(total, comparison)];
}

/** @typedef {import("../shell/types.js").Sums | null} Total */
/** @typedef {import("../shell/types.js").Comparison | null} Compared */

/** @param {Total} total @param {Compared} comparison @param {boolean} isOpen @returns {Card} */
function tripsCard(total, comparison, isOpen) {
  const trips = total?.trips ?? (total ? null : 0);
  const isHidden = trips === null;
  return {
    name: "trips",
    value: isHidden ? t("hidden") : format.count(trips),
    exact: format.count(trips),
    sure: isOpen ? t("still-growing") : total?.trips ? t("settled") : "",
    change: relativeChange(trips, comparison?.trips ?? null),
    isGood: false,
    note: isHidden ? t("hidden-why") : "",
  };
}

/** @param {Total} total @param {Compared} comparison @returns {Card} */
function shareCard(total, comparison) {
  const kind = kindOf(total);
  const words = {
    value: format.share(total?.in_house_pct),
    hidden: t("hidden"),
    undetermined: t("not-decided"),
    empty: format.NONE,
  };
  const change = total && comparison ? difference(total, comparison) : null;
  return {
    name: "in-house",
    value: words[kind],
    exact: kind === "value" ? t("percent", { value: total?.in_house_pct?.toFixed(2) ?? "" }) : words[kind],
    sure: kind === "value"
      ? t("interval", { range: format.range(total?.in_house_pct_low, total?.in_house_pct_high) })
      : "",
    change: change === null ? null : { direction: sign(change), text: `${format.tenths(Math.abs(change))} ${t("pt")}` },
    isGood: true,
    note: kind === "hidden" ? t("hidden-why") : "",
  };
}

/** @param {Total} total @param {Compared} comparison @returns {Card} */
function costCard(total, comparison) {
  const cents = total?.contracted_cost_cents ?? (total ? null : 0);
  const [priced, trips] = [total?.contracted_costed_trips ?? null, total?.contracted_trips ?? null];
  const isHidden = cents === null && (trips === null || priced === null);
  const why = cents !== null ? "" : isHidden ? t("hidden-why") : t("cost-unknown-why");
  // Where the earlier month says what vendors cost, like is compared with like; else all known cost
  // with all known cost.
  const change = comparison?.contracted_cost_cents !== undefined
    ? relativeChange(cents, comparison?.contracted_cost_cents ?? null)
    : cents === null
    ? null
    : relativeChange(total?.cost_cents ?? null, comparison?.cost_cents ?? null);
  return {
    name: "vendor-cost",
    value: cents === null ? isHidden ? t("hidden") : t("cost-unknown") : format.money(cents),
    exact: format.exactMoney(cents),
    sure: priced !== null && trips
      ? t("cost-known", { share: t("percent", { value: Math.floor(priced * 100 / trips) }) })
      : "",
    change,
    isGood: false,
    note: why,
  };
}

/** @param {number | null} now @param {number | null} before @returns {Card["change"]} */
function relativeChange(now, before) {
  if (now === null || before === null || before === 0) return null;
  return { direction: sign(now - before), text: format.relative(now, before) };
}

/** @param {number} value @returns {-1 | 0 | 1} */
const sign = (value) => value > 0 ? 1 : value < 0 ? -1 : 0;

/** @param {Card} card @param {View} view */
function cardNode(card, view) {
  const comparison = comparisonOf(view);
  const isOpen = view.months.open_months.includes(view.filter.month);
  const label = t(`${card.name}`);
  return h(
    "button.number.card",
    { type: "button", "aria-haspopup": "dialog", onclick: () => about(card, view) },
    h("span.number-name", null, label),
    h("span.number-value", { class: /\d/.test(card.value) ? "" : "number-word" }, card.value),
    h("span.caption", null, card.sure || "\u00a0"),
    changeNode(card, comparison, isOpen),
    h("span.unseen", null, t("card-open", { name: label })),
  );
}

/** @param {Card} card @param {Compared} comparison @param {boolean} isOpen */
function changeNode(card, comparison, isOpen) {
  if (!card.change || !comparison) {
    return h("span.caption.change", null, isOpen && card.name !== "trips" ? t("still-growing") : "\u00a0");
  }
  const { direction, text } = card.change;
  const isGood = card.isGood && direction > 0;
  const words = direction === 0 ? t("unchanged") : t(direction > 0 ? "more" : "less", { value: text });
  return h(
    "span.caption.change",
    null,
    h(
      "span.change-value",
      { "aria-hidden": "true", class: isGood ? "good" : "" },
      direction === 0 ? "= " : direction > 0 ? "▲ " : "▼ ",
      direction === 0 ? t("unchanged") : text,
    ),
    h("span.unseen", null, words),
    " ",
    h("span.change-month", null, t("versus", { month: format.monthName(comparison.month, "short") })),
  );
}

/** @param {Card} card @param {View} view */
function about(card, view) {
  const source = view.month ?? view.months;
  const comparison = comparisonOf(view);
  const where = filterText(view.filter, view.choices);
  const name = t(card.name === "in-house" ? "in-house-pct" : card.name);
  const value = [card.exact, card.sure && `(${card.sure})`].filter(Boolean).join(" ");
  /** @type {[string, string][]} */
  const facts = [
    [t("exact"), value],
    ...(comparison && card.change
      ? [/** @type {[string, string]} */ ([t("compared-with"), comparedWith(comparison)])]
      : []),
    [t("filters"), where],
    [t("data-through"), source.data_through ? format.day(source.data_through) : format.NONE],
    [t("generation"), `${source.generation}, ${t("published").toLowerCase()} ${format.moment(source.as_of)}`],
  ];
  overlay({
    title: name,
    kind: "sheet",
    content: (close) => [
      h("p.big", null, card.value),
      card.note ? h("p", null, card.note) : null,
      h("p", null, t(`about-${card.name}`)),
      h("dl.facts", null, facts.map(([term, fact]) => [h("dt", null, term), h("dd", null, fact)])),
      card.name === "in-house" ? h("p", null, sentenceText(factsOf(view, []))) : null,
      h(
        "button.button",
        {
          type: "button",
          onclick: () => {
            close();
            copy(provenance(name, value, where, source));
          },
        },
        icon("copy"),
        t("copy"),
      ),
    ],
  });
}

/** @param {import("../shell/types.js").Comparison} comparison */
function comparedWith(comparison) {
  const month = format.monthName(comparison.month);
  return comparison.kind === "same_age" && comparison.as_of
    ? t("same-age-note", { month, days: comparison.age_days ?? 0, day: format.day(comparison.as_of.slice(0, 10)) })
    : t("settled-note", { month });
}
