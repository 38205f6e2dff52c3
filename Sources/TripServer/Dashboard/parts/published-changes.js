// What moved the numbers from the generation before to the one that is shown, cause by cause: late
// trips, corrections, edits. As bars, and as a table.

import { h, icon } from "../shell/dom.js";
import { has, t } from "../text/text.js";
import * as format from "../text/format.js";
import { app } from "../shell/app.js";
import { csvButton } from "../shell/download.js";
import { table, withTable } from "../charts/figure.js";
import { waterfall } from "../charts/waterfall.js";
import { movedMeasures } from "./measures.js";

/** @typedef {import("../shell/types.js").GenerationChanges} GenerationChanges */
/** @typedef {import("../shell/types.js").CauseList} CauseList */
/** @typedef {import("../shell/types.js").CauseOfChange} Cause */

/** @param {number} value */
const sign = (value) => value < 0 ? "−" : value > 0 ? "+" : "";
/** @param {number} value */
const trips = (value) => sign(value) + format.count(Math.abs(value));
/** @param {number} value */
const points = (value) => `${sign(value)}${format.twoDecimals(Math.abs(value))} ${t("pt")}`;
/** @param {number | null} cents */
const money = (cents) => cents === null ? format.NONE : sign(cents) + format.exactMoney(Math.abs(cents));

/**
 * The causes.
 * @param {GenerationChanges} answer The answer.
 * @param {string} path Where it comes from.
 * @returns {HTMLElement} The card.
 */
export function publishedChanges(answer, path) {
  const title = t("changes-title");
  const found = answer.changes;
  if (!found || found.causes.length === 0) {
    return h(
      "section.card.flow",
      null,
      h("div.card-head", null, h("h2", null, title)),
      found ? h("p.hidden-note", null, icon("empty"), none(found)) : absent(answer),
      found ? measures(found, true) : null,
    );
  }
  const save = () => csvButton(title, path, ["changes", String(found.from.generation), String(answer.generation)]);
  const { toggle, body } = withTable(title, picture(found, answer.generation), () => rows(found, title), save);
  return h(
    "section.card",
    null,
    h("div.card-head", null, h("h2", null, title), toggle),
    h("p", null, lead(found, answer)),
    h("p.caption", null, t("changes-explained"), " ", startText(found)),
    body,
    measures(found),
  );
}

/**
 * What the pipeline declares of its own, which has no causes; null where it declares nothing.
 * @param {CauseList} found
 * @param {boolean} [isQuiet] Whether only what moved is shown: an edit of a measure moves no trip.
 */
function measures({ to, measures: all = [] }, isQuiet = false) {
  const shown = isQuiet ? all.filter((each) => each.comparison !== "same" || each.change) : all;
  return shown.length === 0 ? null : [h("h3", null, t("measures")), movedMeasures(shown, to.trips)];
}

/**
 * Why no causes are there: nothing came before, they are not saved, or the role does not see small counts.
 * @param {GenerationChanges} answer
 */
function absent({ generation }) {
  // The first generation of a mart is number 1.
  if (generation === 1) return h("p.hidden-note", null, icon("empty"), t("changes-first"));
  // Who may see single trips sees every number.
  return app.seesTrips
    ? h("p.hidden-note", null, icon("empty"), t("changes-unknown"))
    : h("p.hidden-note", null, icon("hidden"), t("changes-hidden"));
}

/** @param {CauseList} found */
function none({ from }) {
  return t("changes-none", { day: format.day(from.as_of.slice(0, 10)) });
}

/** @param {CauseList} found @param {GenerationChanges} answer */
function lead({ from, to }, answer) {
  const [before, after] = [from.in_house_pct, to.in_house_pct].map(format.hundredths);
  const change = before === null || after === null ? null : after - before;
  const parts = [
    t("changes-trips", { trips: trips(to.trips - from.trips) }),
    change === null ? "" : t("changes-points", { points: points(change) }),
  ];
  const [first, second] = [from.as_of, answer.as_of].map((each) => format.day(each.slice(0, 10)));
  return t("changes-lead", { from: first, to: second, changes: parts.filter(Boolean).join(", ") });
}

/** What a cause is called; an edit by what was edited. @param {Cause} cause */
function nameOf(cause) {
  return has("cause-" + cause.kind) ? t(`cause-${cause.kind}`) : cause.cause;
}

/** Whether the share is known after each cause. @param {Cause[]} causes */
const haveShare = (causes) => causes.every((each) => each.in_house_hundredths !== null);

/** What an end reads. @param {CauseList["to"]} end @param {boolean} hasShare */
const endText = (end, hasShare) =>
  hasShare ? format.exactShare(format.hundredths(end.in_house_pct) ?? 0) : format.count(end.trips);

/** @param {number} number */
const name = (number) => `${t("generation")} ${number}`;

/** Where the bars begin. @param {CauseList} found */
function startText({ from, causes }) {
  return t("fall-start", { name: name(from.generation), value: endText(from, haveShare(causes)) });
}

/**
 * The bars are points of the share; where a state has none, trips.
 * @param {CauseList} found
 * @param {number} generation
 */
function picture({ from, to, causes }, generation) {
  const hasShare = haveShare(causes);
  const value = (/** @type {Cause} */ each) => hasShare ? each.in_house_hundredths ?? 0 : each.trips;
  const end = (/** @type {CauseList["to"]} */ each) => endText(each, hasShare);
  return waterfall({
    from: { name: name(from.generation), written: end(from) },
    to: { name: name(generation), written: end(to) },
    total: causes.reduce((sum, each) => sum + value(each), 0),
    steps: causes.map((each) => ({
      name: nameOf(each),
      note: hasShare ? t("changes-trips", { trips: trips(each.trips) }) : "",
      change: value(each),
      written: hasShare ? points(value(each)) : trips(each.trips),
    })),
  });
}

/** @param {CauseList} found @param {string} title */
function rows({ from, to, causes }, title) {
  const cells = (/** @type {number} */ count, /** @type {number | null} */ share, /** @type {number | null} */ cents) => [
    trips(count),
    share === null ? format.NONE : points(share),
    money(cents),
  ];
  const [before, after] = [from.in_house_pct, to.in_house_pct].map(format.hundredths);
  const [old, now] = [from.contracted_cost_cents, to.contracted_cost_cents];
  return table(title, [t("cause"), t("trips"), t("in-house-pct"), t("vendor-cost")], [
    ...causes.map((each) => [
      nameOf(each),
      ...cells(each.trips, each.in_house_hundredths, each.contracted_cost_cents),
    ]),
    [
      t("sum"),
      ...cells(
        to.trips - from.trips,
        before === null || after === null ? null : after - before,
        old === null || now === null ? null : now - old,
      ),
    ],
  ]);
}
