// The sentence and how fresh it is; then the three numbers, each with its value, how sure it is, its
// change and the month it is compared with.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import {
  comparisonKind,
  contractedChange,
  difference,
  isFew,
  sentence,
  sentenceText,
  stateOf,
  valueOf,
  wordOf,
} from "../text/sentence.js";
import { origin } from "../shell/provenance.js";
import { factsOf, isOneMonth, openOf, totalOf } from "../shell/numbers.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {{direction: -1 | 0 | 1, text: string}} Moved A change. */
/**
 * @typedef {object} Card
 * @property {import("../text/sentence.js").Measure} name
 * @property {string} value Short, as it stands on the card.
 * @property {string} exact To the last digit.
 * @property {string} sure How sure it is; of trips, how many were contracted.
 * @property {string} sureChange How that has changed, in words; empty where it is not known.
 * @property {boolean} isPart Whether `sure` is a part of the value, which stands after the change of the whole.
 * @property {string} more Whether it is settled, or what an open month does to it.
 * @property {Moved | null} change
 * @property {boolean} isGood Whether a rise is.
 * @property {string} note What is to be said where there is no number.
 */

/**
 * The sentence, its freshness, and news.
 * @param {View} view The view.
 * @param {string[]} where The names of region and trip type.
 * @param {HTMLElement} news Where it is said what changed since the reader last looked.
 * @returns {HTMLElement} The lead.
 */
export function lead(view, where, news) {
  const facts = factsOf(view, where);
  const { lead: first, rest, settled } = sentence(facts);
  return h(
    "section.lead",
    null,
    // Until the month's own answer is there, only what is certain is said.
    h(
      "p.sentence",
      { "aria-label": view.month ? sentenceText(facts) : null },
      h("b", null, first),
      view.month ? rest : " …",
      view.month && settled ? [" ", h("b.settled", null, settled)] : null,
    ),
    h("p.caption.on-screen", null, freshText(view)),
    h("p.caption.on-paper", null, origin(view.months)),
    view.months.stale ? h("p.notice", null, t("fresh-stale")) : null,
    news,
  );
}

/** @param {string} moment */
const zoned = (moment) => format.moment(moment, new Date(), true);

/** @param {View} view */
function freshText({ months: { data_through: through, as_of, next_expected: next, stale } }) {
  return [
    through ? t("fresh-through", { day: format.day(through) }) : "",
    t("fresh-published", { moment: zoned(as_of) }),
    next ? t(stale ? "fresh-overdue" : "fresh-next", { moment: zoned(next) }) : "",
  ].filter(Boolean).join(", ");
}

/**
 * The cards.
 * @param {View} view The view.
 * @param {(card: Card) => void} about Tells more about one.
 * @returns {HTMLElement} The cards.
 */
export function cards(view, about) {
  return h("div.numbers", null, cardsOf(view).map((card) => cardNode(card, view, about)));
}

/** @param {View} view @returns {Card[]} */
function cardsOf(view) {
  const total = totalOf(view);
  const earlier = view.month?.comparison ?? null;
  // Of few trips, now or then, no change says anything.
  const comparison = isFew(total?.trips) || isFew(earlier?.trips) ? null : earlier;
  const isOpen = openOf(view).length > 0;
  const open = { high: isOpen ? t("reads-high") : "", low: isOpen ? t("reads-low") : "" };
  return [
    tripsCard(total, comparison, ageText(view) || open.low),
    shareCard(total, comparison, open),
    costCard(total, comparison, open),
  ];
}

/** That the shown month is settled; that one is open, the sentence says. @param {View} view */
function ageText(view) {
  return isOneMonth(view) && openOf(view).length === 0 ? t("settled") : "";
}

/**
 * How many more of the trips were contracted than in the month of the comparison.
 * @param {Total} total
 * @param {Compared} comparison
 */
function contractedMore(total, comparison) {
  const change = contractedChange(total, comparison);
  if (!change) return "";
  const { now, before, isUnsure, isHidden } = change;
  if (isUnsure) return isHidden ? "" : t("contracted-unsure");
  if (now === before) return t("contracted-same");
  if (before === 0) return "";
  const share = format.share(Math.round(Math.abs(now - before) / before * 10_000) / 100);
  return t(now > before ? "contracted-more" : "contracted-fewer", { share });
}

/** How many of the trips were contracted, where that is shown. @param {Total} total */
function contractedText(total) {
  const trips = total?.contracted_trips ?? null;
  return trips === null ? "" : t("contracted-of", { trips: format.count(trips) });
}

/** @typedef {import("../shell/types.js").Sums | null} Total */
/** @typedef {import("../shell/types.js").Comparison | null} Compared */

/**
 * @param {Total} total
 * @param {Compared} comparison
 * @param {string} age
 * @returns {Card}
 */
function tripsCard(total, comparison, age) {
  const state = stateOf(total, "trips");
  const trips = valueOf(total, "trips");
  return {
    name: "trips",
    value: wordOf(state) || format.count(trips),
    exact: wordOf(state) || format.count(trips),
    sure: contractedText(total),
    sureChange: contractedMore(total, comparison),
    isPart: true,
    more: total?.trips ? age : "",
    change: relativeChange(trips, comparison?.trips ?? null),
    isGood: false,
    note: noteOf(state),
  };
}

/** @typedef {{high: string, low: string}} Open What an open month does to a number; empty of settled ones. */

/** @param {Total} total @param {Compared} comparison @param {Open} open @returns {Card} */
function shareCard(total, comparison, open) {
  const state = stateOf(total, "in-house");
  const change = total && comparison ? difference(total, comparison) : null;
  return {
    name: "in-house",
    value: wordOf(state) || format.share(total?.in_house_pct),
    exact: wordOf(state) || format.exactShare(format.hundredths(total?.in_house_pct) ?? 0),
    sure: state === "value" ? format.rangeText(total?.in_house_pct_low, total?.in_house_pct_high) : "",
    sureChange: "",
    isPart: false,
    more: state === "value" ? [open.high, isFew(total?.trips) ? t("few-trips") : ""].filter(Boolean).join(", ") : "",
    change: change === null
      ? null
      : { direction: format.direction(change), text: `${format.tenths(Math.abs(change))} ${t("pt")}` },
    isGood: true,
    note: noteOf(state),
  };
}

/** @param {Total} total @param {Compared} comparison @param {Open} open @returns {Card} */
function costCard(total, comparison, open) {
  const state = stateOf(total, "vendor-cost");
  const cents = valueOf(total, "vendor-cost");
  const [priced, trips] = [total?.contracted_costed_trips ?? null, total?.contracted_trips ?? null];
  return {
    name: "vendor-cost",
    value: wordOf(state) || format.money(cents),
    exact: wordOf(state) || format.exactMoney(cents),
    sure: priced !== null && trips
      ? t("cost-known", { share: format.inPercent(Math.floor(priced * 100 / trips)) })
      : "",
    sureChange: "",
    isPart: false,
    more: state === "value" ? open.low : "",
    change: relativeChange(cents, comparison?.contracted_cost_cents ?? null),
    isGood: false,
    note: noteOf(state),
  };
}

/** Why there is no number. @param {import("../text/sentence.js").State} state */
function noteOf(state) {
  return state === "hidden" ? t("hidden-why") : state === "unknown" ? t("cost-unknown-why") : "";
}

/** @param {number | null} now @param {number | null} before @returns {Moved | null} */
function relativeChange(now, before) {
  if (now === null || before === null || before === 0) return null;
  const change = Math.round((now - before) / Math.abs(before) * 10_000);
  return { direction: format.direction(change), text: format.share(Math.abs(change) / 100) };
}

/** @param {Card} card @param {View} view @param {(card: Card) => void} about */
function cardNode(card, view, about) {
  const label = t(`${card.name}`);
  return h(
    "button.number.card",
    { type: "button", "aria-haspopup": "dialog", onclick: () => about(card) },
    h("span.number-name", null, label),
    h("span.number-value", { class: /\d/.test(card.value) ? "" : "number-word" }, card.value),
    card.isPart ? changeNode(card, view) : null,
    card.sure
      ? h("span.caption", null, card.sure, card.sureChange ? h("span.card-more", null, " ", card.sureChange) : null)
      : null,
    card.more ? h("span.caption", null, card.more) : null,
    card.isPart ? null : changeNode(card, view),
    h("span.unseen", null, t("card-open", { name: label })),
  );
}

/** @param {Card} card @param {View} view */
function changeNode(card, view) {
  return card.change && comparedNode(card.change, card.isGood && card.change.direction > 0, view);
}

/**
 * A change, and the month that it is against.
 * @param {Moved} change The change.
 * @param {boolean} isGood Whether it is.
 * @param {View} view The view.
 * @returns {HTMLElement | null} Both; null where no month is compared with.
 */
export function comparedNode(change, isGood, view) {
  const comparison = view.month?.comparison ?? null;
  if (!comparison) return null;
  const month = format.monthName(comparison.month, "short");
  return h(
    "span.caption.change",
    null,
    movedNodes(change, isGood),
    " ",
    h(
      "span.change-month",
      null,
      t(`versus-${comparisonKind(comparison, isOneMonth(view) ? view.filter.month : null)}`, { month }),
    ),
  );
}

/**
 * A change as it is seen, and as it is read out.
 * @param {Moved} change
 * @param {boolean} isGood
 */
export function movedNodes({ direction, text }, isGood) {
  return [
    h(
      "span.change-value",
      { "aria-hidden": "true", class: isGood ? "good" : "" },
      direction === 0 ? "= " : direction > 0 ? "▲ " : "▼ ",
      direction === 0 ? t("unchanged") : text,
    ),
    h("span.unseen", null, direction === 0 ? t("unchanged") : t(direction > 0 ? "more" : "less", { value: text })),
  ];
}
