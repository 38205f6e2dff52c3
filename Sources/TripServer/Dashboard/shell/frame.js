// What stands around every screen: the bar with name and account, the banners, the tabs; and short
// news at the bottom, read out once and gone after three seconds.

import { fill, h, icon } from "./dom.js";
import { t } from "../text/text.js";
import { ago } from "../text/format.js";
import { addressOf, goToTab, goUp, routeOf } from "./router.js";
import { app } from "./app.js";

const TABS = /** @type {const} */ (["dashboard", "settings", "about"]);

const bar = h("header.bar");
const banners = h("section.banners");
const main = h("main.main", { id: "main", tabindex: "-1" });
const tabs = h("nav.tabs");
const whose = h("span.bar-whose");
const toasts = h("div.toasts", { role: "status", "aria-live": "polite" });
const urgent = h("p.unseen", { role: "status", "aria-live": "polite" });

/** Puts the frame into the document, in place of the bones that came with it. */
export function placeFrame() {
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  tabs.setAttribute("aria-label", t("tabs"));
  banners.setAttribute("aria-label", t("notices"));
  fill(
    root,
    h("a.skip", {
      href: "#main",
      onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        main.focus();
      },
    }, t("skip")),
    bar,
    banners,
    main,
    tabs,
  );
  document.body.append(toasts, urgent);
  addEventListener("scroll", followScroll, { passive: true });
}

/**
 * Shows a screen in the frame.
 * @param {object} what
 * @param {import("./router.js").Route | null} what.route Its route; null for a full screen without tabs.
 * @param {string} what.title Its name.
 * @param {Node} what.content What it shows.
 * @param {string} [what.up] The name of the screen above it.
 * @param {"none" | "push" | "tab" | "modal"} [what.entering] How it appears.
 */
export function showInFrame({ route, title, content, up, entering = "none" }) {
  document.title = `${title} · ${t("product")}`;
  const isRoot = route?.type === "category landing";
  const isWeb = route?.type === "web view";
  const close = isWeb && route
    ? h("button.bar-button", { type: "button", onclick: () => goUp(route) }, icon("close"), h("span", null, t("close")))
    : null;
  const back = route && up && !isWeb
    ? h(
      "button.bar-button",
      { type: "button", "aria-label": t("back-to", { name: up }), onclick: () => goUp(route) },
      icon("back"),
      h("span", null, up),
    )
    : null;
  const inBar = h("p.bar-title", { "aria-hidden": "true" }, title);
  fill(bar, close, back, isRoot || !route ? h("p.brand", null, t("product")) : null, inBar, route ? whose : null);
  showAccount();
  fill(main, content);
  main.className = "main" + (entering === "none" ? "" : " enter-" + entering);
  const isCovering = !route || isWeb;
  tabs.hidden = isCovering;
  document.body.classList.toggle("covered", isCovering);
  fill(
    tabs,
    TABS.map((tab) =>
      h(
        "a.tab",
        {
          href: addressOf(tab),
          "aria-current": route?.tab === tab ? "page" : null,
          onclick: (/** @type {MouseEvent} */ event) => {
            event.preventDefault();
            goToTab(tab);
          },
        },
        icon(tab),
        h("span", null, t(`tab-${tab}`)),
      )
    ),
  );
  showBanners();
  bar.classList.remove("scrolled");
}

/** The name moves into the bar once it has been scrolled away. */
function followScroll() {
  const heading = main.querySelector("h1");
  bar.classList.toggle("scrolled", heading !== null && heading.getBoundingClientRect().bottom < bar.offsetHeight);
}

/** Shows what holds for every screen: invented data, no network. */
export function showBanners() {
  const { isOffline, keptAt, isSynthetic } = app;
  banners.hidden = !isSynthetic && !isOffline;
  fill(
    banners,
    isSynthetic ? h("p.banner", null, t("synthetic")) : null,
    isOffline
      ? h(
        "p.banner.banner-offline",
        { role: "status" },
        icon("offline"),
        h("span", null, keptAt ? t("offline-view", { ago: ago(Date.now() - keptAt) }) : t("offline-view-none")),
      )
      : null,
  );
}

/** Sets the focus where a reader begins to read a screen. */
export function focusScreen() {
  const heading = /** @type {HTMLElement | null} */ (main.querySelector("h1"));
  (heading ?? main).focus({ preventScroll: true });
}

/** Shows who is signed in. */
export function showAccount() {
  const name = app.me?.name ?? "";
  fill(
    whose,
    h(
      "a.bar-account",
      {
        href: addressOf("settings"),
        "aria-label": name ? t("account-of", { name }) : t("signed-in"),
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          goToTab("settings");
        },
      },
      icon("person"),
      name ? h("span", null, name) : null,
    ),
  );
}

/**
 * The name of the screen above one.
 * @param {import("./router.js").Route} route The screen.
 * @returns {string | undefined} Its name; none for the screens of the tabs.
 */
export function upName(route) {
  if (!route.parent) return undefined;
  /** @type {Record<string, string>} */
  const names = { dashboard: t("tab-dashboard"), settings: t("tab-settings"), trips: t("trips-title") };
  return names[routeOf(route.parent).screen];
}

/**
 * Shows a toast.
 * @param {string} text What it says.
 * @param {{action?: string, act?: () => void, isKept?: boolean}} [options] A button of it, and whether it stays
 *   until it is closed.
 * @returns {() => void} Closes it.
 */
export function toast(text, options = {}) {
  const close = () => made.remove();
  const made = h(
    "div.toast",
    null,
    h("span", null, text),
    options.action
      ? h("button.toast-action", {
        type: "button",
        onclick: () => {
          close();
          options.act?.();
        },
      }, options.action)
      : null,
    options.isKept
      ? h("button.icon-button", { type: "button", "aria-label": t("close"), onclick: close }, icon("close"))
      : null,
  );
  toasts.append(made);
  if (!options.isKept) setTimeout(close, 3000);
  return close;
}

/**
 * Says something to screen readers alone, such as that the numbers have changed.
 * @param {string} text What.
 */
export function say(text) {
  urgent.textContent = "";
  requestAnimationFrame(() => {
    urgent.textContent = text;
  });
}
