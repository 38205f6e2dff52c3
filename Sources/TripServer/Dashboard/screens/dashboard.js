// The first screen: one sentence, three numbers, the line over months; then what it costs, who does
// best, and on what grounds.

import { add, fill, h, nextTask, painted, refill } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { app, hasRole, totalRegions } from "../shell/app.js";
import { session } from "../shell/auth.js";
import { Fault, noteNewer } from "../shell/api.js";
import { chips, filterButton, filterOf, filterText, queryOf } from "../shell/filter.js";
import { say, showBanners, toast } from "../shell/frame.js";
import { loadView, totalOf, whereOf, wholeName } from "../shell/numbers.js";
import { addressOf, go } from "../shell/router.js";
import { empty, failed, skeleton } from "../shell/states.js";
import { keepView, keptView } from "../shell/vault.js";
import { cards, lead } from "../parts/cards.js";

/** @typedef {import("../shell/numbers.js").View} View */
/** @typedef {import("../shell/filter.js").Filter} Filter */

/** The view shown last, so that the way back shows it at once. @type {View | null} */
let shown = null;
/** @typedef {typeof import("../parts/details.js")} Details */
/** What comes after the numbers: the parts below them, and what a press opens. @type {Details | null} */
let details = null;
async function loadDetails() {
  details ??= await import("../parts/details.js");
  return details;
}
session.addEventListener("ended", () => {
  shown = null;
});

/**
 * The dashboard of an address.
 * @param {import("../shell/router.js").Place} place The place.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function dashboard(place) {
  const screen = new DashboardScreen(filterOf(place.query), place.query.get("generation") ?? "");
  const load = () => screen.load();
  load();
  return {
    title: t("tab-dashboard"),
    node: screen.node,
    leave: () => screen.leave(),
    refresh: load,
    renew: load,
  };
}

class DashboardScreen {
  /** @param {Filter} wanted The filter of the address. @param {string} named The generation of it; empty where none. */
  constructor(wanted, named) {
    this.wanted = wanted;
    this.named = named;
    this.node = h("div.screen", { "aria-busy": "true" });
    this.moved = h("div");
    this.restated = h("div");
    this.news = h("div", null, this.moved, this.restated);
    this.ending = new AbortController();
    /** What is drawn. @type {View | null} */
    this.view = null;
    /** How often it was drawn. */
    this.turn = 0;
    /** Settled when all of it is drawn. @type {Promise<void>} */
    this.drawn = Promise.resolve();
    session.addEventListener("me", this.nameAccount);
  }

  leave() {
    this.ending.abort();
    session.removeEventListener("me", this.nameAccount);
  }

  /** Says which regions the numbers are of, and offers what the role has, once the account is known. */
  nameAccount = () => {
    const { view } = this;
    const isBound = totalRegions() && !view?.regions;
    if (view && (isBound || hasRole("analyst"))) this.draw({ ...view, regions: totalRegions() }, true);
  };

  async load() {
    const before = shown;
    const { signal } = this.ending;
    if (!this.view) await this.showKnown();
    // What is there is seen before anything is asked for; else the rest is loaded meanwhile.
    const known = this.view?.months.generation ?? 0;
    if (this.view) await painted();
    else loadDetails().catch(() => {});
    try {
      const whole = await loadView(this.wanted, this.view?.filter.month ?? "", (view) => this.show(view), signal);
      this.show(whole);
      shown = whole;
      // A view that was kept is of no answer of this page.
      if (known && whole.months.generation > known) noteNewer(whole.months);
      await this.drawn;
      if (this.node.hasAttribute("aria-busy")) tell(whole, before, this.wanted.month);
      this.node.removeAttribute("aria-busy");
      await keepView(whole);
      const [{ showMoved }, { showRestated }] = await Promise.all([
        import("../parts/moved.js"),
        import("../parts/restated.js"),
      ]);
      await showMoved(whole, this.named, this.moved, signal);
      await showRestated(whole, this.restated, signal);
    } catch (fault) {
      if (!signal.aborted) await this.showFault(fault);
    }
  }

  /** Shows what is there of this address before anything is asked: the view of before, or the kept one. */
  async showKnown() {
    const asked = queryOf(this.wanted);
    if (shown?.asked === asked) return this.draw(shown, true);
    refill(this.node, this.head(null), skeleton("dashboard"));
    const kept = await keptView();
    if (kept?.asked === asked && !this.ending.signal.aborted) this.draw(kept);
  }

  /** @param {View} next */
  show(next) {
    if (this.ending.signal.aborted) return;
    next.regions = totalRegions();
    // A fuller view was there already.
    if (this.view?.month && !next.month) return;
    if (this.view && mark(this.view) === mark(next)) this.view = next;
    else this.draw(next, this.view?.month != null);
  }

  /** @param {View} view @param {boolean} [isAtOnce] Whether nothing waits until the numbers are seen. */
  draw(view, isAtOnce = false) {
    this.view = view;
    this.turn += 1;
    app.choices = view.choices ?? app.choices;
    app.isSynthetic = view.months.synthetic;
    if (view.month && app.me === null) app.seesTrips = view.month.by_basis !== null;
    showBanners();
    const total = totalOf(view);
    if (view.month && (!total || total.trips === 0)) return refill(this.node, this.head(view), nothing(view));
    const where = whereOf(view);
    const columns = [h("div.column", null, h("i.bone.bone-chart")), h("div.column", null, skeleton("list"))];
    const below = h("div");
    refill(
      this.node,
      this.head(view),
      lead(view, where, this.news),
      cards(view, async (card) => (await loadDetails()).about(card, view)),
      h("div.grid", null, columns),
      below,
    );
    if (!view.month) return;
    const places = [...columns, below];
    if (isAtOnce && details) this.steps(details, view, where, places).forEach((step) => step());
    else this.drawn = this.drawLater(view, where, places);
  }

  /**
   * Draws the parts below the numbers, one after the other.
   * @param {View} view
   * @param {string[]} where
   * @param {HTMLElement[]} places
   */
  async drawLater(view, where, places) {
    const { turn } = this;
    await painted();
    for (const step of this.steps(await loadDetails(), view, where, places)) {
      // What was drawn over it meanwhile draws its own.
      if (this.ending.signal.aborted || this.turn !== turn) return;
      step();
      await nextTask();
    }
  }

  /**
   * Steps that draw the parts below the numbers, each into its place.
   * @param {Details} details
   * @param {View} view
   * @param {string[]} where
   * @param {HTMLElement[]} places
   */
  steps(details, view, where, places) {
    return details.details(view, where, (changes) => this.change(changes)).flatMap((makers, index) =>
      makers.map((make, number) => () => {
        if (number === 0) fill(places[index]);
        add(places[index], make());
      })
    );
  }

  /** @param {unknown} fault */
  async showFault(fault) {
    this.node.removeAttribute("aria-busy");
    const { view } = this;
    if (fault instanceof Fault && fault.kind === "offline") {
      const old = view ?? await keptView();
      if (old) {
        Object.assign(app, { isOffline: true, keptAt: old.at });
        return this.draw(old);
      }
    }
    const again = () => {
      this.view = null;
      this.load();
    };
    const numbers = this.node.querySelector(".numbers");
    if (!view || !numbers) return refill(this.node, this.head(null), failed(fault, again));
    // What was loaded stays; the rest says that it is missing.
    this.node.querySelector(".part-state")?.remove();
    if (!view.month) this.node.querySelector(".grid")?.remove();
    numbers.after(failed(fault, again, { isPart: true }));
  }

  /** @param {Partial<Filter>} changes */
  change(changes) {
    const filter = this.view?.filter ?? this.wanted;
    go(addressOf("dashboard", queryOf({ ...filter, ...changes })));
  }

  /** @param {View | null} view */
  head(view) {
    const filter = view?.filter ?? this.wanted;
    const choices = view?.choices ?? app.choices;
    const title = filter.month === "all"
      ? t("all-months")
      : filter.month
      ? format.capital(format.monthName(filter.month))
      : t("tab-dashboard");
    const own = view ? wholeName(view) : "";
    const open = async () => {
      if (!choices || app.isOffline) return toast(t("needs-network"));
      const apply = (/** @type {Filter} */ next) => go(addressOf("dashboard", queryOf(next)));
      (await loadDetails()).openFilter(filter, choices, apply, own);
    };
    return h(
      "div.screen-head",
      null,
      h("h1", { tabindex: "-1" }, title),
      filterButton(filter, choices, open, own),
      chips(filter, choices, (changes) => this.change(changes)),
    );
  }
}

/** What a drawn view depends on: equal texts look equal. @param {View} view */
function mark({ months, filter, month, trends, nation, choices, regions }) {
  const { generation, stale } = months;
  const parts = [month, trends, nation, choices].map(Boolean);
  return JSON.stringify([generation, stale, filter, parts, regions]);
}

/**
 * Says what was left out of the address, and what is shown.
 * @param {View} view
 * @param {View | null} before
 * @param {string} month The month of the address.
 */
function tell(view, before, month) {
  if (view.ignored === "month") {
    const name = /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? format.monthName(month) : month;
    toast(t("filter-month-unknown", { month: name }));
  }
  else if (view.ignored) {
    toast(t("filter-ignored", { name: t(view.ignored === "region" ? "region" : "trip-type").toLowerCase() }));
  }
  if (before && JSON.stringify(before.filter) !== JSON.stringify(view.filter)) {
    say(t("filtered", { what: filterText(view.filter, view.choices, wholeName(view)) }));
  }
}

/** @param {View} view */
function nothing(view) {
  const what = filterText(view.filter, view.choices, wholeName(view));
  return empty(t("empty-title", { what }), t("empty-note"), [
    { label: t("clear-filter"), act: () => go(addressOf("dashboard", queryOf({ month: view.filter.month }))) },
    { label: t("newest-month"), act: () => go(addressOf("dashboard")) },
  ]);
}
