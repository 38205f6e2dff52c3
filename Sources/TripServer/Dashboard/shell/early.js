// Asks for an access token before the rest of the program has arrived: the refresh token lies in a
// cookie that no script reads.

/** @typedef {{access_token: string, expires_in: number}} Tokens */
/** @typedef {Tokens | "none" | "offline"} EarlyOutcome */

const CLIENT = "triptych-dashboard";

/**
 * Asks for the next access token.
 * @returns {Promise<EarlyOutcome>} The tokens; "none" where there is no session; "offline" where nothing answers.
 */
export async function refreshed() {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch("/token", {
      method: "POST",
      cache: "no-store",
      signal: AbortSignal.timeout(10_000),
      body: new URLSearchParams({ grant_type: "refresh_token", client_id: CLIENT, refresh_token_in: "cookie" }),
    });
  } catch {
    return "offline";
  }
  if (answer.ok) return answer.json();
  return answer.status >= 500 ? "offline" : "none";
}

/**
 * Whether this browser signed in and did not sign out.
 * @returns {boolean} True also where it may not remember anything.
 */
function mayHaveSession() {
  try {
    return localStorage.getItem("triptych-session") === "there";
  } catch {
    return true;
  }
}

const isComingBack = new URLSearchParams(location.search).has("state") && location.pathname === "/";

/** The outcome, begun at once; null where a sign-in comes back or none is there. */
export const early = isComingBack || !mayHaveSession() ? null : refreshed();
