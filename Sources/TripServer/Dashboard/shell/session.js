// How long a reader may be away. Ten minutes without a touch: a bar with thirty seconds. Five
// minutes, or the background: the next single trip asks who is there. Fifteen minutes in the
// background: locked. The server keeps times of its own; these are sooner.

import { fill, h } from "./dom.js";
import { t } from "../text/text.js";
import { isSignedIn, renewed, session, signInAge, signOut, tell } from "./auth.js";
import { closeAll, isCovered } from "./overlay.js";
import { here } from "./router.js";

const MINUTE = 60_000;
const PHI_AFTER = 5 * MINUTE, IDLE_AFTER = 10 * MINUTE, GRACE = 30_000, LOCK_AFTER = 15 * MINUTE;
/** The server ends a session ten and a half minutes after its last request; a reader who reads is kept in. */
const ALIVE_EVERY = 4 * MINUTE;

/**
 * Says `hide` when the page is left: what is shown unmasked is masked again; and `show` when its
 * reader is back.
 */
export const presence = new EventTarget();

let touchedAt = Date.now();
let toldAt = 0;
let aliveAt = Date.now();
/** @type {number | null} */
let hiddenAt = null;
let isProtected = true;
/** @type {HTMLElement | null} */
let bar = null;
/** @type {HTMLElement} */
let veil;

/**
 * Whether the next single trip asks who is there.
 * @returns {boolean} Whether it does.
 */
export function mustProve() {
  return isProtected || signInAge() === Infinity;
}

/** Begins to watch. */
export function watch() {
  veil = h("div.veil", { hidden: true }, h("p", null, t("veil")));
  document.body.append(veil);
  isProtected = signInAge() > PHI_AFTER;
  for (const kind of ["pointerdown", "keydown", "wheel", "touchstart"]) {
    addEventListener(kind, touched, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hidden();
    else shown();
  });
  session.addEventListener("renewed", () => {
    aliveAt = Date.now();
  });
  session.addEventListener("peer", (event) => {
    const { kind, at } = /** @type {CustomEvent} */ (event).detail ?? {};
    if (kind === "touched" && at > touchedAt) touchedAt = Math.min(at, Date.now());
  });
  setInterval(tick, 1000);
}

/** The user has proved their identity just now. */
export function proved() {
  isProtected = false;
  touchedAt = Date.now();
  hideBar();
}

function touched() {
  const now = Date.now();
  if (!isSignedIn()) {
    touchedAt = now;
    return;
  }
  if (now - touchedAt > PHI_AFTER) isProtected = true;
  // The bar is answered by its buttons, not by a stray touch.
  if (bar || now - touchedAt > IDLE_AFTER) return;
  touchedAt = now;
  if (now - toldAt > 10_000) {
    toldAt = now;
    tell({ kind: "touched", at: now });
  }
  if (now - aliveAt > ALIVE_EVERY) {
    aliveAt = now;
    renewed();
  }
}

function hidden() {
  hiddenAt = Date.now();
  isProtected = true;
  veil.hidden = !isSignedIn();
  presence.dispatchEvent(new Event("hide"));
}

function shown() {
  const away = hiddenAt === null ? 0 : Date.now() - hiddenAt;
  hiddenAt = null;
  veil.hidden = true;
  if (!isSignedIn()) return;
  if (away > LOCK_AFTER) signOut("locked");
  else if (signInAge() > PHI_AFTER) ask();
  presence.dispatchEvent(new Event("show"));
}

async function ask() {
  closeAll();
  // Behind the question nothing of a trip is seen.
  veil.hidden = !here()?.route.phi;
  const { reauthenticate } = await import("./reauth.js");
  if (await reauthenticate()) proved();
  veil.hidden = true;
}

function tick() {
  if (!isSignedIn()) {
    hideBar();
    return;
  }
  const now = Date.now();
  if (hiddenAt !== null) {
    if (now - hiddenAt > LOCK_AFTER) signOut("locked");
    return;
  }
  const idle = now - touchedAt;
  if (idle > IDLE_AFTER + GRACE) signOut("expired");
  else if (idle > IDLE_AFTER) showBar(Math.ceil((IDLE_AFTER + GRACE - idle) / 1000));
  else hideBar();
}

/** @param {number} left Seconds. */
function showBar(left) {
  if (!bar) {
    const answered = async () => {
      hideBar();
      touchedAt = Date.now();
      await renewed();
      await ask();
    };
    bar = h(
      "div.idle",
      { role: "alertdialog", "aria-labelledby": "idle-title", "aria-live": "polite" },
      h("p", { id: "idle-title" }, t("idle-title")),
      h("p.idle-left", { "aria-hidden": "true" }),
      h(
        "div.choices",
        null,
        h("button.button.second", { type: "button", onclick: () => signOut() }, t("log-out")),
        h("button.button", { type: "button", onclick: answered }, t("continue")),
      ),
    );
    // Above a sheet as well, which the browser keeps on top of everything else.
    if (isCovered()) closeAll();
    document.body.append(bar);
  }
  if (left <= 10) bar.setAttribute("aria-live", "assertive");
  const place = /** @type {Element} */ (bar.querySelector(".idle-left"));
  fill(place, t("idle-left", { count: left }));
}

function hideBar() {
  bar?.remove();
  bar = null;
}
