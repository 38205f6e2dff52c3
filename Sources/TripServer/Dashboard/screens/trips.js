// The trips behind the numbers, newest first: date, provider, distance, class, and nothing that tells who was driven.

import { fill, h, icon, refill } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { Fault } from "../shell/api.js";
import { app, loadChoices } from "../shell/app.js";
import { chips, filterButton, filterOf, filterText, monthText, ownName, queryOf } from "../shell/filter.js";
import { say, showBanners, toast } from "../shell/frame.js";
import { addressOf, go, goDown } from "../shell/router.js";
import { empty, failed, faultText, skeleton } from "../shell/states.js";
import { firstPage, keptList, knownList, loadedCount, nextPage } from "../shell/trip-list.js";
import { csvButton } from "../shell/download.js";
import { pagedList } from "../parts/pages.js";
import { followPull } from "../parts/pull.js";
import { openFilter } from "./filter.js";

/** @typedef {import("../shell/types.js").ListedTrip} ListedTrip */
/** @typedef {import("../shell/trip-list.js").List} List */
/** @typedef {import("../shell/filter.js").Filter} Filter */

/**
 * The list of an address.
 * @param {import("../shell/router.js").Place} place The place.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function trips(place) {
  return new TripsScreen(filterOf(place.query), place.query.get("class") ?? "").screen();
}

/** The classes of trips, as the address has them; the empty one is any. */
const CLASSES = ["", "in_house", "contracted", "undetermined"];

/** @param {Partial<Filter>} filter @param {string} tripClass @returns {string} The query of a list. */
function listQuery(filter, tripClass) {
  const query = new URLSearchParams(queryOf(filter));
  if (tripClass) query.set("class", tripClass);
  return query.size ? "?" + query : "";
}

class TripsScreen {
  /**
   * @param {Filter} filter The filter of the address.
   * @param {string} tripClass The class of the trips; empty for any.
   */
  constructor(filter, tripClass) {
    this.filter = filter;
    this.tripClass = tripClass;
    this.query = listQuery(filter.month === "all" ? { ...filter, month: "" } : filter, tripClass);
    this.ending = new AbortController();
    /** @type {List | null} */
    this.list = null;
    this.isLoading = false;
    this.node = h("div.screen.narrow", { "aria-busy": "true" });
    this.pull = h("div.pull", { "aria-hidden": "true" }, icon("refresh"));
    this.count = h("p", { role: "status" });
    this.range = h("p");
    this.button = h("button.button.second", { type: "button", onclick: () => this.more() });
    this.end = h("p.caption", null, t("list-end"));
    const foot = h("div.list-foot", null, this.range, this.button, this.end);
    this.pages = pagedList({ made: this.row.bind(this), foot, more: () => this.more() });
    this.foot = foot;
  }

  /** @returns {import("../shell/main.js").Screen} */
  screen() {
    const unfollow = followPull(this.node, this.pull, () => this.begin(true));
    this.begin();
    return {
      title: t("trips-title"),
      node: this.node,
      refresh: () => this.begin(true),
      leave: () => {
        this.ending.abort();
        this.pages.leave();
        unfollow();
      },
    };
  }

  /** @param {boolean} [isAgain] Whether what is in memory is left aside. */
  async begin(isAgain = false) {
    const known = isAgain ? null : knownList(this.query);
    if (known) return this.show(known);
    if (!this.list) refill(this.node, this.head(), skeleton("list"));
    try {
      const naming = app.choices ? null : loadChoices().catch(() => {});
      const list = await firstPage(this.query, this.ending.signal);
      await naming;
      if (list.total === 0) this.showEmpty();
      else this.show(list);
      if (isAgain) say(t("refreshed"));
    } catch (fault) {
      if (!this.ending.signal.aborted) await this.showFault(fault);
    }
  }

  async more() {
    if (!this.list?.next || this.isLoading || app.isOffline) return;
    this.setLoading(true);
    try {
      const before = loadedCount(this.list);
      const page = await nextPage(this.list, this.ending.signal);
      this.setLoading(false);
      if (page === null) {
        toast(t("trips-new"));
        scrollTo(0, 0);
        return this.begin(true);
      }
      this.pages.add(page);
      this.showCount();
      say(this.rangeText(before + 1, before + page.length));
      // The end may still be near.
      this.pages.look();
    } catch (fault) {
      if (this.ending.signal.aborted) return;
      this.setLoading(false);
      fill(this.button, t("retry"));
      toast(faultText(fault));
    }
  }

  /** @param {boolean} isLoading */
  setLoading(isLoading) {
    this.isLoading = isLoading;
    this.button.setAttribute("aria-disabled", String(isLoading));
    fill(this.button, isLoading ? t("loading") : t("load-more"));
  }

  /** @param {List} list */
  show(list) {
    this.list = list;
    app.isSynthetic = list.isSynthetic;
    showBanners();
    this.pages.clear();
    refill(this.node, this.pull, this.head(), this.count, this.pages.node, this.foot);
    for (const page of list.pages) this.pages.add(page);
    this.setLoading(false);
    this.showCount();
    this.pages.look();
    this.node.removeAttribute("aria-busy");
  }

  showCount() {
    if (!this.list) return;
    const { total, next } = this.list;
    const shown = loadedCount(this.list);
    fill(this.count, format.trips(total), " · ", this.what());
    fill(this.range, this.rangeText(Math.min(1, shown), shown));
    this.button.hidden = next === null;
    this.end.hidden = next !== null;
  }

  /** @param {number} from @param {number} to */
  rangeText(from, to) {
    const [first, last, total] = [from, to, this.list?.total ?? 0].map(format.count);
    return t("trips-range", { from: first, to: last, total });
  }

  showEmpty() {
    this.node.removeAttribute("aria-busy");
    refill(
      this.node,
      this.head(),
      empty(t("empty-title", { what: this.what() }), t("empty-note"), [
        { label: t("clear-filter"), act: () => go(addressOf("trips"), { isReplacing: true }) },
        { label: t("to-dashboard"), act: () => go(addressOf("dashboard")) },
      ]),
    );
  }

  /** @param {unknown} fault */
  async showFault(fault) {
    this.node.removeAttribute("aria-busy");
    if (fault instanceof Fault && fault.kind === "offline") {
      const kept = this.list ? null : await keptList(this.query);
      if (kept) Object.assign(app, { isOffline: true, keptAt: kept.at });
      const list = this.list ?? kept?.list;
      if (list) return this.show(list);
    }
    const clear = { label: t("clear-filter"), act: () => go(addressOf("trips"), { isReplacing: true }) };
    const isFilter = fault instanceof Fault && fault.code === "bad_parameter";
    refill(this.node, this.head(), failed(fault, () => this.begin(true), isFilter ? { back: clear } : {}));
  }

  /** The regions the account is bound to. */
  regions() {
    return app.me ? app.me.regions : this.list?.regions ?? null;
  }

  /** What stands for the region where none is chosen: a list has the trips of the account's own regions alone. */
  own() {
    return ownName(this.regions(), app.choices);
  }

  head() {
    const regions = this.regions();
    const change = (/** @type {Partial<Filter>} */ changes) =>
      go(addressOf("trips", listQuery({ ...this.filter, ...changes }, this.tripClass)), { isReplacing: true });
    const open = () => {
      if (app.choices && !app.isOffline) openFilter(this.filter, app.choices, change, this.own());
      else toast(t("needs-network"));
    };
    const rows = new URLSearchParams(this.query);
    rows.set("limit", "200");
    return h(
      "div.screen-head",
      null,
      h("h1", { tabindex: "-1" }, `${t(regions && !this.filter.region ? "trips-own" : "trips-title")}, ${monthText(this.filter)}`),
      h(
        "button.icon-button",
        { type: "button", "aria-label": t("refresh"), onclick: () => this.begin(true) },
        icon("refresh"),
      ),
      csvButton(t("trips-title"), "/trips?" + rows, ["trips", ...Object.values(this.filter), this.tripClass]),
      filterButton(this.filter, app.choices, open, this.own()),
      chips(this.filter, app.choices, change),
      this.classes(),
    );
  }

  /** The choice of a class. */
  classes() {
    const choose = (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      go(addressOf("trips", listQuery(this.filter, value)), { isReplacing: true });
    };
    return h(
      "div.labelled",
      null,
      h("label", { for: "trip-class" }, t("trip-class")),
      h(
        "select.field",
        { id: "trip-class", onchange: choose },
        CLASSES.map((value) =>
          h("option", { value, selected: value === this.tripClass }, value ? t(`class-${value}`) : t("class-any"))
        ),
      ),
    );
  }

  /** Which trips these are, in words. */
  what() {
    const which = filterText(this.filter, app.choices, this.own());
    return this.tripClass ? `${which} · ${t(`class-${this.tripClass}`)}` : which;
  }

  /** @param {ListedTrip} trip @param {number} index */
  row(trip, index) {
    const address = addressOf("trip", listQuery(this.filter, this.tripClass), { ref: trip.ref });
    const open = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (app.isOffline) toast(t("needs-network"));
      else goDown(address);
    };
    const { loaded_miles_hundredths: miles } = trip;
    return h(
      "div",
      { role: "listitem", "aria-posinset": index + 1, "aria-setsize": this.list?.total ?? -1 },
      h(
        "a.row",
        { href: address, onclick: open },
        h(
          "span.row-line",
          null,
          h("span.row-main", { dir: "auto" }, trip.provider ?? t("no-provider")),
          h("span", { class: miles === null ? "caption" : "" }, format.miles(miles)),
        ),
        h(
          "span.row-line.caption",
          null,
          h("span", null, format.listDay(trip.pickup_date)),
          h("span", null, t(`class-${trip.class}`)),
        ),
      ),
    );
  }
}
