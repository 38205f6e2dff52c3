// The first screen: one sentence, three numbers, the line over months; then what it costs, who does
// best, and on what grounds.

import { h, icon, refill } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { sentence, sentenceText } from "../text/sentence.js";
import { app } from "../shell/app.js";
import { account, session } from "../shell/auth.js";
import { Fault } from "../shell/api.js";
import { filterOf, filterText, namesOf, queryOf } from "../shell/filter.js";
import { showBanners } from "../shell/frame.js";
import { kept } from "../shell/kept.js";
import { factsOf, loadView, totalOf } from "../shell/numbers.js";
import { share } from "../shell/provenance.js";
import { addressOf, go, goDown } from "../shell/router.js";
import { empty, failed, skeleton } from "../shell/states.js";
import { say, toast } from "../shell/toast.js";
import { chips, filterButton } from "../parts/filter-bar.js";
import { cards } from "../parts/cards.js";
import { basisCard, ranked } from "../parts/groups.js";
import { shareChart, volumeCharts } from "../parts/series.js";
import { openFilter } from "./filter.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/filter.js").Filter} Filter */

/** The view shown last, so that the way back shows it at once. @type {View | null} */
let shown = null;
session.addEventListener("ended", () => {
  shown = null;
});

/**
 * The dashboard of an address.
 * @param {import("../shell/router.js").Place} place The place.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function dashboard(place) {
  const wanted = filterOf(place.query);
  const node = h("div.screen", { "aria-busy": "true" });
  const ending = new AbortController();
  /** @type {View | null} */
  let view = null;

  const load = async () => {
    const before = shown;
    if (!view) {
      if (
        before && account() && (!wanted.month || wanted.month === before.filter.month) &&
        before.filter.region === wanted.region && before.filter.trip_type === wanted.trip_type
      ) show(before);
      else refill(node, head(place, null), skeleton("dashboard"));
    }
    try {
      const [whole] = await Promise.all([loadView(wanted, show, ending.signal), kept.begin()]);
      show(whole);
      node.removeAttribute("aria-busy");
      shown = whole;
      await settle(whole, before);
    } catch (fault) {
      if (ending.signal.aborted) return;
      await showFault(fault);
    }
  };
  /** @param {View} next */
  const show = (next) => {
    if (ending.signal.aborted) return;
    // A fuller view was there already.
    if (view?.month && !next.month) return;
    view = next;
    app.choices = next.choices ?? app.choices;
    app.isSynthetic = next.months.synthetic;
    if (next.month && app.me === null) app.seesTrips = next.month.by_basis !== null;
    showBanners();
    refill(node, content(next, place));
  };
  /** @param {unknown} fault */
  const showFault = async (fault) => {
    node.removeAttribute("aria-busy");
    if (fault instanceof Fault && fault.kind === "offline") {
      const old = view ?? await kept.view();
      if (old) {
        app.isOffline = true;
        app.keptAt = old.at;
        show(old);
        return;
      }
    }
    const again = () => {
      view = null;
      load();
    };
    const numbers = node.querySelector(".numbers");
    if (view && !view.month && numbers) {
      // What was loaded stays; the rest says that it is missing.
      node.querySelector(".grid")?.remove();
      numbers.after(failed(fault, again, { isPart: true }));
      return;
    }
    refill(node, head(place, null), failed(fault, again));
  };
  load();
  return { title: t("tab-dashboard"), node, leave: () => ending.abort(), refresh: load, renew: load };
}

/** @param {View} whole @param {View | null} before */
async function settle(whole, before) {
  if (whole.ignored === "month") toast(t("filter-month-unknown", { month: t("month").toLowerCase() }));
  else if (whole.ignored) {
    toast(t("filter-ignored", { name: t(whole.ignored === "region" ? "region" : "trip-type").toLowerCase() }));
  }
  if (before && JSON.stringify(before.filter) !== JSON.stringify(whole.filter)) {
    say(t("filtered", { what: filterText(whole.filter, whole.choices) }));
  }
  await kept.keep(whole);
}

/** @param {import("../shell/router.js").Place} place @param {View | null} view */
function head(place, view) {
  const filter = view?.filter ?? filterOf(place.query);
  const title = filter.month === "all"
    ? t("all-months")
    : filter.month
    ? format.monthName(filter.month)
    : t("tab-dashboard");
  const change = (/** @type {Partial<Filter>} */ changes) =>
    go(addressOf("dashboard", queryOf({ ...filter, ...changes })));
  const open = () => {
    const choices = view?.choices ?? app.choices;
    if (!choices || app.isOffline) toast(t("needs-network"));
    else openFilter(filter, choices, (next) => go(addressOf("dashboard", queryOf(next))));
  };
  return h(
    "div.screen-head",
    null,
    h("h1", { tabindex: "-1" }, title),
    filterButton(filter, view?.choices ?? app.choices, open),
    chips(filter, view?.choices ?? app.choices, change),
  );
}

/**
 * @param {View} view
 * @param {import("../shell/router.js").Place} place
 * @returns {import("../shell/dom.js").Child[]}
 */
function content(view, place) {
  const where = namesOf(view.filter, view.choices);
  const total = totalOf(view);
  const choose = (/** @type {Partial<Filter>} */ changes) =>
    go(addressOf("dashboard", queryOf({ ...view.filter, ...changes })));
  if (view.month && (!total || total.trips === 0)) {
    const what = filterText(view.filter, view.choices);
    return [
      head(place, view),
      empty(t("empty-title", { what }), t("empty-note"), [
        { label: t("clear-filter"), act: () => go(addressOf("dashboard", queryOf({ month: view.filter.month }))) },
        { label: t("newest-month"), act: () => go(addressOf("dashboard")) },
      ]),
    ];
  }
  return [
    head(place, view),
    lead(view, where),
    cards(view),
    h(
      "div.grid",
      null,
      h(
        "div.column",
        null,
        // The numbers come first; drawing waits until they are seen.
        view.month
          ? [shareChart(view, where), actions(view), volumeCharts(view), worth(view), basisCard(view)]
          : h("i.bone.bone-chart"),
      ),
      h(
        "div.column",
        null,
        view.month
          // One region is no ranking.
          ? [
            view.filter.region ? null : ranked(view, "region", (region) => choose({ region })),
            view.filter.trip_type ? null : ranked(view, "trip_type", (type) => choose({ trip_type: type })),
          ]
          : skeleton("list"),
      ),
    ),
    view.month
      ? h(
        "div.actions",
        null,
        h(
          "button.button.second",
          { type: "button", onclick: () => share(document.title, addressOf("dashboard", queryOf(view.filter))) },
          icon("share"),
          t("share-link"),
        ),
        h("button.button.second", { type: "button", onclick: () => print() }, icon("print"), t("print")),
      )
      : null,
  ];
}

/** @param {View} view @param {string[]} where */
function lead(view, where) {
  const facts = factsOf(view, where);
  const { lead: first, rest } = sentence(facts);
  const source = view.month ?? view.months;
  const fresh = [
    source.data_through ? t("fresh-through", { day: format.day(source.data_through) }) : "",
    t("fresh-published", { moment: format.moment(source.as_of) }),
    source.next_expected ? t("fresh-next", { moment: format.moment(source.next_expected) }) : "",
  ].filter(Boolean).join(", ");
  const restated = kept.restated(view);
  return h(
    "section.lead",
    null,
    // Until the month's own answer is there, only what is certain is said.
    h(
      "p.sentence",
      { "aria-label": view.month ? sentenceText(facts) : null },
      h("b", null, first),
      view.month ? rest.length ? `${t("sentence-comma")}${rest.join("; ")}.` : "." : " …",
    ),
    h("p.caption", null, fresh),
    source.stale ? h("p.notice", null, t("fresh-stale")) : null,
    restated ? h("p.notice", null, restated) : null,
  );
}

/** @param {View} view */
function actions(view) {
  const query = new URLSearchParams(queryOf(view.filter));
  const isOne = /^\d/.test(view.filter.month);
  const link = (/** @type {string} */ address, /** @type {string} */ label, /** @type {string} */ name) =>
    h(
      "a.button.second",
      {
        href: address,
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          goDown(address);
        },
      },
      icon(name),
      label,
    );
  return h(
    "div.actions",
    null,
    view.month && isOne ? link(addressOf("why", query), t("why"), "dashboard") : null,
    view.month && app.seesTrips ? link(addressOf("trips", query), t("see-trips"), "next") : null,
  );
}

/** What a point is worth, where vendors' costs are known. @param {View} view */
function worth(view) {
  const total = totalOf(view);
  const {
    in_house_trips: own,
    contracted_trips: bought,
    contracted_cost_cents: cents,
    contracted_costed_trips: priced,
  } = total ?? {};
  if (
    !view.month || !bought || !priced || cents === null || cents === undefined || own === null || own === undefined ||
    cents <= 0
  ) return null;
  const trips = Math.round((own + bought) / 100);
  const each = Math.round(cents / priced);
  return trips < 1 ? null : h(
    "p.card.worth",
    null,
    t("point-worth", {
      trips: format.count(trips),
      money: format.money(trips * each),
      each: format.exactMoney(each),
    }),
  );
}
