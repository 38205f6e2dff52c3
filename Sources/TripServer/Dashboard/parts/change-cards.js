// The change of the in-house share and of the vendor cost between two months, taken apart: as bars
// that lead from one month to the other, and as a table.

import { h, icon } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { copyable, copyButton } from "../shell/copies.js";
import { regionName } from "../shell/filter.js";
import { provenance } from "../shell/provenance.js";
import { table, withTable } from "../charts/figure.js";
import { waterfall } from "../charts/waterfall.js";
import { csvButton } from "../shell/download.js";

/** @typedef {import("../shell/types.js").Why} Why */
/** @typedef {import("../shell/types.js").Part} Part */
/**
 * @typedef {object} Pair
 * @property {string} from
 * @property {string} to
 * @property {"region" | "trip_type"} by What the parts are of.
 * @property {string} path What has the parts as rows.
 * @property {(() => void) | null} turn Shows the parts of the other; null where there is no other.
 * @property {string} where Which trips, in words.
 */
/** @typedef {import("../shell/provenance.js").Source} Source */
/**
 * A change, whatever it is of.
 * @typedef {object} Change
 * @property {string} title
 * @property {string} lead The change in a sentence.
 * @property {number | null} from
 * @property {number | null} to
 * @property {number | null} change
 * @property {Part[] | null} parts Null where they are hidden.
 * @property {boolean} hasOthers Whether the other parts are shown.
 * @property {(part: Part) => number} valueOf
 * @property {(value: number) => string} written A value of a month.
 * @property {(value: number) => string} signed A change, as a bar has it.
 * @property {(value: number) => string} exact A change, to the last digit.
 * @property {Record<"rate" | "mix", string>} kinds
 * @property {string} explained What the kinds are.
 * @property {string} unknown Why there is no change, where nothing is hidden.
 * @property {string} left What has no part in it; empty where nothing is left out.
 * @property {string} note What open months do to it, on a copy.
 * @property {Source} source Where it comes from.
 */

/** How many parts have a bar of their own. */
const BARS = 10;

/** @param {number} value */
const sign = (value) => value < 0 ? "−" : value > 0 ? "+" : "";

/** Hundredths to the last digit, since parts must be seen to add up. @param {number} value */
const signedPoints = (value) => `${sign(value)}${format.twoDecimals(Math.abs(value))} ${t("pt")}`;

/**
 * The change of the in-house share.
 * @param {Why} why The answer.
 * @param {Pair} pair What is compared.
 * @returns {HTMLElement} The card.
 */
export function shareCard(why, pair) {
  const { in_house: share } = why;
  const { change_hundredths: change } = share;
  const moved = change === null
    ? ""
    : change === 0
    ? t("why-same")
    : t(change > 0 ? "why-rise" : "why-fall", { points: format.exactPoints(change) });
  const counts = [share.from_undetermined_trips, share.to_undetermined_trips];
  return card({
    title: t("in-house-pct"),
    lead: change === null ? "" : t("why-lead", { from: month(pair.from), to: month(pair.to), change: moved }),
    from: format.hundredths(share.from_pct),
    to: format.hundredths(share.to_pct),
    change,
    parts: pair.by === "region" ? share.by_region : share.by_trip_type,
    hasOthers: (pair.by === "region" ? share.by_trip_type : share.by_region) !== null,
    valueOf: (part) => part.hundredths ?? 0,
    written: format.exactShare,
    signed: signedPoints,
    exact: signedPoints,
    kinds: { rate: t("why-share-rate"), mix: t("why-share-mix") },
    explained: t("why-share-explained"),
    unknown: t("why-share-unknown"),
    left: leftOut("why-undetermined", "why-undetermined-hidden", counts, pair),
    note: openNote(why, pair),
    source: why,
  }, pair);
}

/**
 * The change of what contracted trips cost.
 * @param {Why} why The answer.
 * @param {Pair} pair What is compared.
 * @returns {HTMLElement} The card.
 */
export function costCard(why, pair) {
  const { contracted_cost: cost } = why;
  const { change_cents: change } = cost;
  const moved = change === null
    ? ""
    : change === 0
    ? t("why-cost-same")
    : t(change > 0 ? "why-cost-more" : "why-cost-less", { money: format.exactMoney(Math.abs(change)) });
  const counts = [cost.from_uncosted_trips, cost.to_uncosted_trips];
  return card({
    title: t("vendor-cost"),
    lead: change === null ? "" : t("why-lead", { from: month(pair.from), to: month(pair.to), change: moved }),
    from: cost.from_cents,
    to: cost.to_cents,
    change,
    parts: pair.by === "region" ? cost.by_region : cost.by_trip_type,
    hasOthers: (pair.by === "region" ? cost.by_trip_type : cost.by_region) !== null,
    valueOf: (part) => part.cents ?? 0,
    written: format.money,
    signed: (value) => sign(value) + format.money(Math.abs(value)),
    exact: (value) => sign(value) + format.exactMoney(Math.abs(value)),
    kinds: { rate: t("why-cost-rate"), mix: t("why-cost-mix") },
    explained: t("why-cost-explained"),
    unknown: t("cost-unknown-why"),
    left: leftOut("why-uncosted", "why-uncosted-hidden", counts, pair),
    note: openNote(why, pair),
    source: why,
  }, pair);
}

/** What open months do to a change. @param {Why} why @param {Pair} pair */
function openNote({ from_open: isFirst, to_open: isLast }, { from, to }) {
  const months = [isFirst ? month(from) : "", isLast ? month(to) : ""].filter(Boolean);
  const text = t("open-note-change", { count: months.length, months: format.list(months) });
  return months.length ? format.capital(text) : "";
}

/** @param {string} name */
const month = (name) => format.monthName(name);

/**
 * What has no part in a change, where something has none.
 * @param {import("../text/text.js").Key} key
 * @param {import("../text/text.js").Key} hiddenKey
 * @param {(number | null)[]} counts Of both months.
 * @param {Pair} pair
 */
function leftOut(key, hiddenKey, counts, { from, to }) {
  if (counts.some((each) => each === null)) return t(hiddenKey);
  if (counts.every((each) => each === 0)) return "";
  const [before, after] = counts.map(format.count);
  return t(key, { before, after, from: month(from), to: month(to) });
}

/** @param {Change} change @param {Pair} pair */
function card(change, pair) {
  const { title, lead, parts, left } = change;
  const heading = h("h2", null, `${title}, ${t("why-months", { from: month(pair.from), to: month(pair.to) })}`);
  if (change.change === null || change.from === null || change.to === null || !parts?.length) {
    return h(
      "section.card.flow",
      null,
      h("div.card-head", null, heading),
      lead ? h("p", null, lead) : null,
      absent(change, pair),
      left ? h("p.caption", null, left) : null,
    );
  }
  const file = ["why-by-" + pair.by.replace("_", "-"), pair.from, pair.to];
  const save = () => csvButton(title, pair.path, file);
  const { toggle, body } = withTable(title, picture(change, parts, pair), () => rows(change, parts, pair), save);
  return h(
    "section.card",
    null,
    h(
      "div.card-head",
      null,
      heading,
      h("span.card-ways", null, copyButton(title, () => copies(change, parts, pair)), toggle),
    ),
    h("p", null, lead),
    h(
      "p.caption",
      null,
      change.explained,
      " ",
      t("fall-start", { name: month(pair.from), value: change.written(change.from) }),
    ),
    body,
    left ? h("p.caption", null, left) : null,
  );
}

/** What is said in place of the bars. @param {Change} change @param {Pair} pair */
function absent({ change, parts, hasOthers, unknown }, { by, turn }) {
  if (parts !== null) return change === null ? h("p.hidden-note", null, icon("empty"), unknown) : null;
  return [
    h("p.hidden-note", null, icon("hidden"), change === null ? t("why-hidden") : t("why-parts-hidden")),
    h("p", null, t("why-hidden-way")),
    hasOthers && turn
      ? h(
        "button.button.second",
        { type: "button", onclick: turn },
        t(by === "region" ? "by-trip-type" : "by-region"),
      )
      : null,
  ];
}

/** The name of a part. @param {Part} part @param {Pair} pair */
function nameOf(part, { by }) {
  const value = part[by];
  if (value === null || value === undefined) return t("why-hidden-groups");
  return by === "region" ? regionName(value, part.label ?? "") : part.label ?? value;
}

/**
 * The largest parts, and the rest as one, so that the sum stays whole.
 * @param {Change} change
 * @param {Part[]} parts
 * @param {Pair} pair
 */
function picture({ from, to, change, valueOf, written, signed, kinds }, parts, pair) {
  const shown = parts.slice(0, parts.length > BARS + 1 ? BARS : parts.length);
  const rest = parts.slice(shown.length);
  const steps = shown.map((part) => ({
    name: nameOf(part, pair),
    note: kinds[part.kind],
    change: valueOf(part),
    written: signed(valueOf(part)),
  }));
  if (rest.length) {
    const sum = rest.reduce((total, part) => total + valueOf(part), 0);
    steps.push({ name: t("why-others", { count: rest.length }), note: "", change: sum, written: signed(sum) });
  }
  return waterfall({
    from: { name: format.capital(month(pair.from)), written: written(from ?? 0) },
    to: { name: format.capital(month(pair.to)), written: written(to ?? 0) },
    total: change ?? 0,
    steps,
  });
}

/** The sum and the parts, as they are copied. @param {Change} change @param {Part[]} parts @param {Pair} pair */
function copies(change, parts, pair) {
  const { title, valueOf, exact, kinds } = change;
  const copied = (/** @type {string} */ name, /** @type {number} */ number) => {
    const value = exact(number);
    const filters = t("why-between", { from: month(pair.from), to: month(pair.to), where: pair.where });
    return { name, value, text: provenance(`${title}, ${name}`, value, filters, change.source, change.note) };
  };
  return [
    ...parts.map((part) => copied(`${nameOf(part, pair)}, ${kinds[part.kind]}`, valueOf(part))),
    copied(t("sum"), change.change ?? 0),
  ];
}

/** @param {Change} change @param {Part[]} parts @param {Pair} pair */
function rows(change, parts, pair) {
  const { title, valueOf, exact, kinds } = change;
  const texts = copies(change, parts, pair);
  const cell = (/** @type {string} */ written, /** @type {number} */ index) =>
    copyable(h("span", null, written), () => texts[index].text);
  return table(title, [t("part"), t("kind"), t("change")], [
    ...parts.map((part, index) => [nameOf(part, pair), kinds[part.kind], cell(exact(valueOf(part)), index)]),
    [t("sum"), "", cell(exact(change.change ?? 0), parts.length)],
  ], { isStacked: true });
}
