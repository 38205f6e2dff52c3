// What moved the numbers from the generation before to the one that is shown, cause by cause: late
// trips, corrections, edits. As bars, and as a table.

import { fill, h, icon } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { app, hasRole } from "../shell/app.js";
import { Fault, get } from "../shell/api.js";
import { csvButton } from "../shell/download.js";
import { filterOf, namesOf, queryOf } from "../shell/filter.js";
import { toast } from "../shell/frame.js";
import { faultText } from "../shell/states.js";
import { table, withTable } from "../charts/figure.js";
import { waterfall } from "../charts/waterfall.js";
import { absentText, nameOf, tripsText } from "./causes.js";
import { chooser } from "./chooser.js";
import { movedMeasures } from "./measures.js";

/** @typedef {import("../shell/types.js").GenerationChanges} GenerationChanges */
/** @typedef {import("../shell/types.js").CauseList} CauseList */
/** @typedef {import("../shell/types.js").CauseOfChange} Cause */

/** @param {number} value */
const sign = (value) => value < 0 ? "−" : value > 0 ? "+" : "";
/** @param {number} value */
const points = (value) => `${sign(value)}${format.twoDecimals(Math.abs(value))} ${t("pt")}`;
/** @param {number | null} cents */
const money = (cents) => cents === null ? format.NONE : sign(cents) + format.exactMoney(Math.abs(cents));

/**
 * What is asked besides the trips.
 * @typedef {object} Asking
 * @property {string} path Where the answer comes from.
 * @property {string} month The month it is of; empty for all of them.
 * @property {string} where The names of the region and trip type that are chosen; empty where none is.
 * @property {number} seen The generation that the reader saw last; 0 where that is not known.
 * @property {HTMLElement | null} choice The choice between the month and all of them; null where there is none.
 */

/**
 * Shows the causes of the month that the address is about, else of all months; a reader who came for them begins here.
 * The screen stands without them.
 * @param {HTMLElement} place Where.
 * @param {URLSearchParams} query The query of the address.
 * @param {import("../shell/types.js").KPI} kpi Says which months there are.
 * @param {AbortSignal} signal Ends it.
 */
export async function showPublished(place, query, kpi, signal) {
  const asked = query.get("to") || query.get("month");
  const chosen = kpi.by_month.find(({ month }) => month === asked)?.month ?? "";
  const since = query.get("since") ?? "";
  const seen = /^[1-9]\d{0,8}$/.test(since) ? Number(since) : 0;
  const show = async (/** @type {string} */ month) => {
    const filter = { ...filterOf(query), month };
    const path = "/kpi/changes" + queryOf(filter);
    const where = namesOf(filter, app.choices).join(", ");
    const answer = /** @type {GenerationChanges} */ (await get(path, { signal, isKept: false }));
    const choice = chosen ? monthChoice(chosen, month, turn) : null;
    if (!signal.aborted) fill(place, publishedChanges(answer, { path, month, where, seen, choice }));
  };
  const turn = async (/** @type {string} */ month) => {
    try {
      await show(month);
      /** @type {HTMLElement | null} */ (place.querySelector("[aria-pressed=true]"))?.focus();
    } catch (fault) {
      if (!signal.aborted) toast(faultText(fault));
    }
  };
  try {
    await show(chosen);
  } catch (fault) {
    if (fault instanceof Fault || signal.aborted) return;
    throw fault;
  }
  if (!seen || signal.aborted) return;
  place.scrollIntoView();
  place.querySelector("h2")?.focus({ preventScroll: true });
}

/** @param {string} chosen @param {string} shown @param {(month: string) => void} turn */
function monthChoice(chosen, shown, turn) {
  const ways = [
    { month: chosen, label: format.capital(format.monthName(chosen)) },
    { month: "", label: t("all-months") },
  ];
  return chooser(t("month"), ways, ({ month }) => month === shown, ({ month }) => turn(month));
}

/**
 * @param {GenerationChanges} answer The answer.
 * @param {Asking} asking What was asked.
 */
function publishedChanges(answer, asking) {
  const { path, month, where, choice } = asking;
  const found = answer.changes;
  const title = found
    ? t("changes-title-of", { month: month ? format.monthName(month) : t("all-months").toLowerCase() })
    : t("changes-title");
  const heading = h("h2", { tabindex: "-1" }, title);
  if (!found || found.causes.length === 0) {
    return h(
      "section.card.flow",
      null,
      h("div.card-head", null, heading),
      // The chips of the filter may be scrolled away.
      where ? h("p.caption", null, where) : null,
      found ? [choice, h("p.hidden-note", null, icon("empty"), none(found))] : absent(answer),
      found ? measures(found, true) : null,
      further(answer, asking),
    );
  }
  const save = () =>
    csvButton(title, path, ["changes", month, String(found.from.generation), String(answer.generation)]);
  const { toggle, body } = withTable(title, picture(found, answer.generation), () => rows(found, title), save);
  return h(
    "section.card",
    null,
    h("div.card-head", null, heading, toggle),
    where ? h("p.caption", null, where) : null,
    choice,
    h("p", null, lead(found, answer)),
    h("p.caption", null, t("changes-explained"), " ", startText(found)),
    body,
    measures(found),
    further(answer, asking),
  );
}

/**
 * What else there is: publications before the last one that the reader has not seen either, and for analysts the
 * command that goes on from here.
 * @param {GenerationChanges} answer
 * @param {Asking} asking
 */
function further({ generation, changes }, { seen }) {
  const from = changes?.from.generation ?? 0;
  const isKnown = seen > 0 && seen < generation;
  const command = changes
    ? t("causes-command", { command: `triptych diff ${isKnown ? seen : from} ${generation}` })
    : t("causes-save", { command: "triptych diff --save" });
  return [
    isKnown && seen < from ? h("p.caption", null, t("changes-since", { seen, from })) : null,
    // The first generation has none before it.
    hasRole("analyst") && generation > 1 ? h("p.caption", null, command) : null,
  ];
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

/** @param {GenerationChanges} answer One without causes. */
function absent(answer) {
  const isHidden = answer.generation > 1 && !app.seesTrips;
  return h("p.hidden-note", null, icon(isHidden ? "hidden" : "empty"), absentText(answer));
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
    tripsText(to.trips - from.trips),
    change === null ? "" : t("changes-points", { points: points(change) }),
  ];
  const [first, second] = [from.as_of, answer.as_of].map((each) => format.day(each.slice(0, 10)));
  return t("changes-lead", { from: first, to: second, changes: parts.filter(Boolean).join(", ") });
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
      note: hasShare ? tripsText(each.trips) : "",
      change: value(each),
      written: hasShare ? points(value(each)) : format.signed(each.trips),
    })),
  });
}

/**
 * What vendors were paid is of their trips alone: where another cost moved besides, it has a column of its own.
 * @param {CauseList} found
 * @param {string} title
 */
function rows({ from, to, causes }, title) {
  const hasCost = causes.some((each) => each.cost_cents !== (each.contracted_cost_cents ?? 0));
  const names = [t("cause"), t("trips"), t("in-house-pct"), t("vendor-cost"), hasCost ? t("known-cost") : ""];
  const cells = (
    /** @type {number} */ count,
    /** @type {number | null} */ share,
    /** @type {number | null} */ vendor,
    /** @type {number} */ cost,
  ) => [
    format.signed(count),
    share === null ? format.NONE : points(share),
    money(vendor),
    ...hasCost ? [money(cost)] : [],
  ];
  const [before, after] = [from.in_house_pct, to.in_house_pct].map(format.hundredths);
  const [old, now] = [from.contracted_cost_cents, to.contracted_cost_cents];
  return table(title, names.filter(Boolean), [
    ...causes.map((each) => [
      nameOf(each),
      ...cells(each.trips, each.in_house_hundredths, each.contracted_cost_cents, each.cost_cents),
    ]),
    [
      t("sum"),
      ...cells(
        to.trips - from.trips,
        before === null || after === null ? null : after - before,
        old === null || now === null ? null : now - old,
        to.cost_cents - from.cost_cents,
      ),
    ],
  ]);
}
