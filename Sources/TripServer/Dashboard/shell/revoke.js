// Ends sessions at the server. A sign-out that it does not hear of stays due: it is sent before
// anything else when the network is back, or at the next start.

import { keep, kept } from "./memory.js";

const CLIENT = "triptych-dashboard";

/**
 * Ends the session of another sign-in, such as the one before a re-authentication.
 * @param {string} token Its access token.
 */
export function revokeToken(token) {
  // It ends by itself ten minutes later where this fails.
  fetch("/revoke", { method: "POST", body: new URLSearchParams({ client_id: CLIENT, token }) }).catch(() => {});
}

/**
 * Whether the server has not heard yet of a sign-out.
 * @returns {boolean} Whether it has to hear of it.
 */
export function isDue() {
  return kept("revoke") !== null;
}

/**
 * Whether this browser has signed out: the cookie, where it is still there, begins nothing again.
 * @returns {boolean} Whether it has.
 */
export function isOver() {
  return isDue() || kept("session") === "none";
}

/**
 * Whether this browser has signed out, and the server knows it.
 * @returns {boolean} Whether there is nothing left to try.
 */
export function isSignedOut() {
  return isOver() && !isDue();
}

addEventListener("online", () => {
  if (isDue()) revoked();
});

/** Ends the session of the cookie where that is due; after a renewal that is under way, which replaces the cookie. */
export async function revoked() {
  await (navigator.locks?.request("triptych-refresh", revoke) ?? revoke());
}

async function revoke() {
  // Another tab has sent it meanwhile, or signed in.
  if (!isDue()) return;
  const body = new URLSearchParams({ client_id: CLIENT, refresh_token_in: "cookie" });
  const answer = await fetch("/revoke", { method: "POST", body, keepalive: true }).catch(() => null);
  // 400: there was no cookie, and so no session.
  if (answer?.ok || answer?.status === 400) keep("revoke", null);
}
