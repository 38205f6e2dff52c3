// Addresses and screens: the table of routes, the history of each tab, and where a screen was
// scrolled to.

import routes from "../routes.json" with { type: "json" };

/**
 * @typedef {object} Route
 * @property {string} screen
 * @property {string} path
 * @property {string} type
 * @property {string} [tab]
 * @property {string} [parent]
 * @property {string[]} [query]
 * @property {boolean} [phi]
 */
/** @typedef {{route: Route, parameters: Record<string, string>, query: URLSearchParams, address: string}} Place */

const table = /** @type {Route[]} */ (routes);
/** @type {Map<string, string>} */
const lastOf = new Map();
/** @type {Map<number, number>} */
const scrolled = new Map();
let position = 0;
/** @type {(place: Place | null, how: "new" | "back" | "same") => void} */
let show = () => {};
/** @type {() => boolean} */
let atExit = () => false;

/** What covers the screen, and takes the way back first. */
let cover = { isCovered: () => false, closedByBack: () => {} };

history.scrollRestoration = "manual";

/**
 * Names what may cover the screen.
 * @param {typeof cover} covering Whether it does, and what the way back does then.
 */
export function setCover(covering) {
  cover = covering;
}

/**
 * The route of a screen.
 * @param {string} screen Its name.
 * @returns {Route} The route.
 */
export function routeOf(screen) {
  const found = table.find((each) => each.screen === screen);
  if (!found) throw new Error("no route leads to " + screen);
  return found;
}

/**
 * The place an address names.
 * @param {string} address A path with its query.
 * @returns {Place | null} The place; null where there is none.
 */
export function placeOf(address) {
  const { pathname, searchParams } = new URL(address, location.origin);
  const path = pathname === "/" || pathname === "/app" || pathname === "/app/"
    ? "/app/dashboard"
    : pathname.replace(/\/$/, "");
  for (const route of table) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
    const pattern = new RegExp("^" + route.path.replace(/\{\w+\}/g, "([A-Za-z0-9_-]{1,200})") + "$");
    const values = path.match(pattern);
    if (!values) continue;
    const query = new URLSearchParams([...searchParams].filter(([name]) => route.query?.includes(name)));
    return {
      route,
      query,
      address: path + (query.size ? "?" + query : ""),
      parameters: Object.fromEntries(names.map((name, index) => [name, values[index + 1]])),
    };
  }
  return null;
}

/**
 * The address of a screen.
 * @param {string} screen Its name.
 * @param {URLSearchParams | string | Record<string, string>} [query] Its query, of which it takes what it knows.
 * @param {Record<string, string>} [parameters] Of its path.
 * @returns {string} The address.
 */
export function addressOf(screen, query = {}, parameters = {}) {
  const route = routeOf(screen);
  const known = new URLSearchParams(
    [...new URLSearchParams(query)].filter(([name, value]) => value && route.query?.includes(name)),
  );
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ""));
  return path + (known.size ? "?" + known : "");
}

/**
 * The place shown now.
 * @returns {Place | null} The place.
 */
export function here() {
  return placeOf(location.pathname + location.search);
}

/**
 * Goes to an address.
 * @param {string} address Where.
 * @param {{isReplacing?: boolean}} [options] Whether the place before is forgotten.
 */
export function go(address, options = {}) {
  scrolled.set(position, scrollY);
  if (options.isReplacing || address === location.pathname + location.search) {
    history.replaceState({ position }, "", address);
  } else history.pushState({ position: ++position }, "", address);
  arrive("new");
}

/**
 * Goes to a tab: to where one was in it, or to its first screen where one is in it.
 * @param {string} tab The tab.
 */
export function goToTab(tab) {
  const isHere = here()?.route.tab === tab;
  go(isHere ? addressOf(tab, here()?.query) : lastOf.get(tab) ?? addressOf(tab));
}

/**
 * Where one was last in a tab.
 * @param {string} tab The tab.
 * @returns {Place | null} The place; null where one was not in it.
 */
export function lastPlaceOf(tab) {
  const address = lastOf.get(tab);
  return address ? placeOf(address) : null;
}

/**
 * Goes up to the screen a screen belongs to; back where one came from it.
 * @param {Route} route The screen.
 */
export function goUp(route) {
  const parent = route.parent ?? "dashboard";
  const cameFrom = history.state?.from;
  if (cameFrom === parent) history.back();
  else go(addressOf(parent, here()?.query), { isReplacing: true });
}

/**
 * Goes to a screen below this one, so that the way up is the way back.
 * @param {string} address Where.
 */
export function goDown(address) {
  const from = here()?.route.screen;
  scrolled.set(position, scrollY);
  history.pushState({ position: ++position, from }, "", address);
  arrive("new");
}

/** Forgets where one was, such as when the session ends. */
export function forgetPlaces() {
  lastOf.clear();
  scrolled.clear();
}

/** @param {"new" | "back" | "same"} how */
function arrive(how) {
  const place = here();
  // A single trip is not what a tab comes back to.
  if (place?.route.tab && !place.route.phi) lastOf.set(place.route.tab, place.address);
  show(place, how);
}

/**
 * Where a place was scrolled to when one left it.
 * @returns {number} Pixels.
 */
export function scrolledTo() {
  return scrolled.get(position) ?? 0;
}

/**
 * Begins to follow the history.
 * @param {typeof show} showing Shows a place.
 * @param {typeof atExit} exiting Asked before the program would be left; whether it stays.
 */
export function follow(showing, exiting) {
  show = showing;
  atExit = exiting;
  position = history.state?.position ?? 0;
  const { pathname } = location;
  // The short address has a whole one, which can be passed on.
  const address = pathname === "/" || pathname === "/app" || pathname === "/app/" ? here()?.address : undefined;
  // What covered the screen before it was loaded again does not come back.
  history.replaceState({ position, from: history.state?.from, exit: history.state?.exit }, "", address);
  addEventListener("popstate", (event) => {
    if (event.state?.exit) {
      if (atExit()) return;
    }
    if (cover.isCovered()) {
      cover.closedByBack();
      return;
    }
    if (event.state?.overlay) return;
    scrolled.set(position, scrollY);
    const next = event.state?.position ?? 0;
    const isSame = next === position;
    position = next;
    if (!isSame) arrive("back");
  });
  arrive("same");
}
