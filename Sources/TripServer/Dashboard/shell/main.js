// Begins the program: texts, the sign-in, then the screen of the address. Each screen is a module
// of its own that is loaded when it is first shown.

import { prepare } from "../text/format.js";
import { loadTexts, t } from "../text/text.js";
import { app, forgetMe, loadKind, loadMe } from "./app.js";
import { begin, isDecided, isSignedIn, leaveForSignIn, session } from "./auth.js";
import { forgetAnswers, get, isOnline, network, published } from "./api.js";
import { isAlive } from "./early.js";
import { focusScreen, placeFrame, showAccount, showBanners, showInFrame, toast, upName } from "./frame.js";
import { keep, kept, settings } from "./memory.js";
import { follow, forgetPlaces, here, scrolledTo } from "./router.js";
import { skeleton } from "./states.js";
import * as vault from "./vault.js";

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

/** Those that are loaded. @type {Record<string, ScreenMaker>} */
const makers = {};

/** @param {string} name */
async function loadScreen(name) {
  makers[name] ??= (await (screens[name] ?? screens.missing)()).default;
}

/** @type {Screen | null} */
let current = null;
let currentTab = "";
/** The number of the last screen that was asked for, so that a slow one does not come after a later one. */
let asked = 0;

/** @param {import("./router.js").Place | null} place @param {"new" | "back" | "same"} how */
async function show(place, how) {
  const turn = ++asked;
  if (isDecided() && !isSignedIn() && !app.isOffline) return showSignIn("none");
  if (place?.route.screen === "login") return showSignIn("none");
  if (place?.route.phi && !app.isOffline && !await isProved(place.route)) return;
  const name = place?.route.screen ?? "missing";
  // One that is loaded is shown at once, without a picture of the frame alone.
  if (!makers[name]) await loadScreen(name);
  if (turn !== asked) return;
  current?.leave?.();
  const where = place ??
    {
      route: { screen: "missing", path: "", type: "child", parent: "dashboard" },
      parameters: {},
      query: new URLSearchParams(),
      address: "",
    };
  current = makers[name](where);
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

/** Whether the reader is known to be there, or proves it now. @param {import("./router.js").Route} route */
async function isProved(route) {
  const { mustProve, proved } = await import("./session.js");
  if (!mustProve()) return true;
  // Nothing of the trip is asked for before.
  current?.leave?.();
  current = null;
  showInFrame({ route, title: t("trip-title"), content: skeleton("detail"), up: upName(route) });
  const { reauthenticate } = await import("./reauth.js");
  if (!await reauthenticate({ canWait: false })) return false;
  proved();
  return true;
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
  forgetMe();
  forgetAnswers();
  forgetPlaces();
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
  const beginning = begin();
  // The kept view of a session that is not over stands there while it is asked for. Else the bones
  // that came with the page do until it is known who is there.
  const texts = loadTexts().then(prepare);
  const [view] = isAlive && here()?.route.screen === "dashboard"
    ? await Promise.all([vault.early, loadScreen("dashboard"), texts])
    : [null];
  await Promise.all([texts, view ? null : beginning]);
  placeFrame();
  listen();
  const isEarly = view !== null && !isDecided();
  if (isEarly) enter();
  const outcome = await beginning;
  const watching = keepWatch();
  if (!await admitted(outcome)) return;
  if (here()?.route.phi) await watching;
  if (!isEarly) enter();
  else if (outcome === "offline") current?.refresh?.();
  // Screens of numbers and trips know it by their own answers. Where it cannot be asked, the screen
  // says why.
  const route = here()?.route;
  if (route?.tab !== "dashboard" || route.screen === "runs") loadKind().then(showBanners, () => {});
  (await import("./worker.js")).keepProgram();
}

/** Watches how long the reader is away. */
async function keepWatch() {
  const { presence, watch } = await import("./session.js");
  watch();
  presence.addEventListener("show", () => {
    if (!isSignedIn()) return;
    if (current?.renew) current.renew();
    // Other screens stay as they are; the answer tells of newer data. Without one, the next look does.
    else get("/months").catch(() => {});
  });
}

function listen() {
  session.addEventListener("ended", (event) => {
    const { reason, isReplaced } = /** @type {CustomEvent} */ (event).detail;
    clear();
    if (!isReplaced) vault.destroy();
    showSignIn(reason);
  });
  network.addEventListener("change", () => {
    app.isOffline = !isOnline();
    if (!app.isOffline) app.keptAt = null;
    showBanners();
  });
  published.addEventListener("newer", async (event) => {
    (await import("./newer.js")).tellNewer(/** @type {CustomEvent} */ (event).detail);
  });
}

/**
 * Acts on who is there.
 * @param {import("./auth.js").Beginning} outcome
 * @returns {Promise<boolean>} Whether there is a screen to show.
 */
async function admitted(outcome) {
  const again = async () => (await import("./offline.js")).beginOffline(() => current?.refresh?.());
  if (outcome === "in") {
    loadMe().then(() => {
      showAccount();
      session.dispatchEvent(new Event("me"));
    });
    again();
    return true;
  }
  if (outcome === "offline") {
    const isThere = await again();
    if (!isThere) showSignIn("none");
    return isThere;
  }
  vault.destroy();
  const target = location.pathname + location.search;
  const isLeaving = outcome === "none" && isFresh() && here()?.route.screen !== "login" && await leaveForSignIn(target);
  if (!isLeaving) showSignIn(outcome);
  return false;
}

/** Shows the screen of the address, and follows the history from now on. */
function enter() {
  if (matchMedia("(display-mode: standalone)").matches && !history.state) {
    history.replaceState({ exit: true }, "");
    history.pushState({ position: 0 }, "");
  }
  follow(show, staysAtExit);
}

/** Whether the reader has just come, rather than come back from the sign-in page or reloaded it. */
function isFresh() {
  const [entry] = performance.getEntriesByType("navigation");
  const isFirst = kept("greeted", "session") === null;
  keep("greeted", "yes", "session");
  return isFirst && /** @type {PerformanceNavigationTiming} */ (entry)?.type === "navigate" &&
    kept("session") !== "none";
}

start();
