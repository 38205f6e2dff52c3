// Begins the program: texts, the sign-in, then the screen of the address. Each screen is a module
// of its own that is loaded when it is first shown.

import { loadTexts, t } from "../text/text.js";
import { app, forgetMe, loadKind, loadMe } from "./app.js";
import { begin, isSignedIn, leaveForSignIn, session } from "./auth.js";
import { forgetAnswers, isOnline, network } from "./api.js";
import { h } from "./dom.js";
import { focusScreen, placeFrame, showAccount, showBanners, showInFrame, upName } from "./frame.js";
import { keep, kept, settings } from "./memory.js";
import { closeAll } from "./overlay.js";
import { follow, forgetPlaces, here, scrolledTo } from "./router.js";
import { mustProve, presence, proved, watch } from "./session.js";
import { placeToasts, toast } from "./toast.js";
import { reauthenticate } from "./reauth.js";
import { skeleton } from "./states.js";
import * as vault from "./vault.js";
import { beginOffline } from "./offline.js";
import { forgetList } from "./trip-list.js";

/**
 * What a screen is to the frame.
 * @typedef {object} Screen
 * @property {string} title Its name.
 * @property {HTMLElement} node What it shows.
 * @property {() => void} [leave] Ends what it began.
 * @property {() => void} [refresh] Loads it again, such as when the network is back.
 * @property {() => void} [renew] Looks whether there is something newer, where that moves nothing under the
 *   reader's hand.
 */
/** @typedef {(place: import("./router.js").Place) => Screen} ScreenMaker */

/** @type {Record<string, () => Promise<{default: ScreenMaker}>>} */
const screens = {
  dashboard: () => import("../screens/dashboard.js"),
  why: () => import("../screens/why.js"),
  trips: () => import("../screens/trips.js"),
  trip: () => import("../screens/trip.js"),
  settings: () => import("../screens/settings.js"),
  runs: () => import("../screens/runs.js"),
  privacy: () => import("../screens/privacy.js"),
  about: () => import("../screens/about.js"),
  missing: () => import("../screens/missing.js"),
};

/** @type {Screen | null} */
let current = null;
let currentTab = "";
/** The number of the last screen that was asked for, so that a slow one does not come after a later one. */
let asked = 0;

/** @param {import("./router.js").Place | null} place @param {"new" | "back" | "same"} how */
async function show(place, how) {
  const turn = ++asked;
  if (!isSignedIn() && !app.isOffline) return showSignIn("none");
  if (place?.route.screen === "login") return showSignIn("none");
  if (place?.route.phi && !app.isOffline && mustProve()) {
    // Nothing of the trip is asked for before.
    current?.leave?.();
    current = null;
    showInFrame({ route: place.route, title: t("trip-title"), content: skeleton("detail"), up: upName(place.route) });
    if (!await reauthenticate({ canWait: false })) return;
    proved();
  }
  const maker = (await (screens[place?.route.screen ?? "missing"] ?? screens.missing)()).default;
  if (turn !== asked) return;
  current?.leave?.();
  const where = place ??
    {
      route: { screen: "missing", path: "", type: "child", parent: "dashboard" },
      parameters: {},
      query: new URLSearchParams(),
      address: "",
    };
  current = maker(where);
  const tab = where.route.tab ?? "";
  const entering = how === "same"
    ? "none"
    : tab !== currentTab || where.route.type === "category landing"
    ? "tab"
    : "push";
  currentTab = tab;
  showInFrame({ route: where.route, title: current.title, content: current.node, up: upName(where.route), entering });
  if (how !== "same") focusScreen();
  const top = how === "back" ? scrolledTo() : 0;
  scrollTo(0, top);
  // What was loaded before stands at once; what comes later must not move the reader.
  if (top > 0) requestAnimationFrame(() => scrollTo(0, top));
}

/** @param {import("./auth.js").EndReason} reason */
async function showSignIn(reason) {
  current?.leave?.();
  current = null;
  const { default: signIn } = await import("../screens/login.js");
  const { title, node } = signIn(reason);
  showInFrame({ route: null, title, content: node, entering: "modal" });
  focusScreen();
}

function clear() {
  closeAll();
  forgetMe();
  forgetAnswers();
  forgetPlaces();
  forgetList();
  vault.destroy();
}

/** Stays once where the way back would leave the installed program. */
function staysAtExit() {
  if (!matchMedia("(display-mode: standalone)").matches) return false;
  toast(t("exit-toast"));
  // A second step back within three seconds leaves.
  setTimeout(() => {
    if (history.state?.exit) history.forward();
  }, 3000);
  return true;
}

async function start() {
  document.documentElement.dataset.colours = settings().colours;
  const [outcome] = await Promise.all([begin(), loadTexts()]);
  placeFrame();
  placeToasts();
  watch();
  session.addEventListener("ended", (event) => {
    clear();
    showSignIn(/** @type {CustomEvent} */ (event).detail);
  });
  presence.addEventListener("show", () => {
    if (isSignedIn()) current?.renew?.();
  });
  network.addEventListener("change", () => {
    app.isOffline = !isOnline();
    if (!app.isOffline) app.keptAt = null;
    showBanners();
  });
  if (outcome === "offline") {
    const isThere = await beginOffline(() => current?.refresh?.());
    if (!isThere) return showSignIn("none");
  } else if (outcome !== "in") {
    vault.destroy();
    if (
      outcome === "none" && isFresh() && here()?.route.screen !== "login" &&
      await leaveForSignIn(location.pathname + location.search)
    ) return;
    return showSignIn(outcome);
  } else {
    loadMe().then(() => {
      showAccount();
      session.dispatchEvent(new Event("me"));
    });
    beginOffline(() => current?.refresh?.());
  }
  if (matchMedia("(display-mode: standalone)").matches && !history.state) {
    history.replaceState({ exit: true }, "");
    history.pushState({ position: 0 }, "");
  }
  follow(show, staysAtExit);
  // Screens of numbers and trips know it by their own answers. Where it cannot be asked, the screen
  // says why.
  if (here()?.route.tab !== "dashboard") loadKind().then(showBanners, () => {});
  (await import("./worker.js")).keepProgram();
}

/** Whether the reader has just come, rather than come back from the sign-in page or reloaded it. */
function isFresh() {
  const [entry] = performance.getEntriesByType("navigation");
  const isFirst = kept("greeted", "session") === null;
  keep("greeted", "yes", "session");
  return isFirst && /** @type {PerformanceNavigationTiming} */ (entry)?.type === "navigate" &&
    kept("session") !== "none";
}

document.body.append(h("div.printed", { "aria-hidden": "true" }));
start();
