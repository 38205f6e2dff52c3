// Without a network: the view that was kept, its age, and trying again by itself.

import { app } from "./app.js";
import { isOnline, network, noteAway } from "./api.js";
import { isSignedIn, renewed } from "./auth.js";
import { isSignedOut } from "./revoke.js";
import { here } from "./router.js";
import * as vault from "./vault.js";

/** Seconds between tries: longer each time. */
const PAUSES = [2, 5, 10, 20, 30];

/**
 * Begins to try again whenever the network is away; at a start without it, opens what was kept.
 * @param {() => void} again Loads the screen again.
 * @returns {Promise<boolean>} Whether there is something to show.
 */
export async function beginOffline(again) {
  if (!isSignedIn()) noteAway();
  let count = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const tryAgain = async () => {
    clearTimeout(waiting);
    if (isOnline() && isSignedIn()) {
      count = 0;
      return;
    }
    // The sign-in may be reached where the numbers are not: this goes on until they are.
    if (await renewed()) again();
    // A sign-out ends the trying, once the server has heard of it.
    if (isSignedOut()) return;
    waiting = setTimeout(tryAgain, PAUSES[Math.min(count++, PAUSES.length - 1)] * 1000);
  };
  addEventListener("online", tryAgain);
  network.addEventListener("change", () => {
    if (!isOnline()) tryAgain();
  });
  if (isSignedIn()) return true;
  // The list may be all that is kept, such as where a link led to it.
  const list = here()?.route.screen === "trips" ? await vault.open("trips") : null;
  const kept = list ?? await vault.open("dashboard");
  if (kept) app.keptAt = kept.at;
  waiting = setTimeout(tryAgain, PAUSES[0] * 1000);
  return kept !== null;
}
