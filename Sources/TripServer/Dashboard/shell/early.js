// Asks for an access token, and with it for the first numbers, before the rest of the program has
// arrived: the refresh token lies in a cookie that no script reads.

/** @typedef {{access_token: string, expires_in: number}} Tokens */
/** @typedef {Tokens | "none" | "offline"} EarlyOutcome */

const CLIENT = "triptych-dashboard";
/** How long an answer may take; the server itself gives up after two seconds. */
export const PATIENCE = 8_000;
/** How long the server keeps an unused session at least, in milliseconds. */
const ALIVE = 10 * 60_000;

/**
 * Asks for the next access token, in one tab after the other.
 * @returns {Promise<EarlyOutcome>} The tokens; "none" where there is no session; "offline" where nothing answers.
 */
export function refreshed() {
  return navigator.locks?.request("triptych-refresh", ask) ?? ask();
}

/** @returns {Promise<EarlyOutcome>} */
async function ask() {
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
 * The session that this browser began last and did not end.
 * @returns {{at: number, account: string} | null} When its last token came, and whose it is; null where there is
 *   none, or the browser keeps nothing.
 */
export function lastSession() {
  try {
    const [, at, account] = localStorage.getItem("triptych-session")?.match(/^(\d+) (\S+)$/) ?? [];
    return at ? { at: Number(at), account } : null;
  } catch {
    return null;
  }
}

/** Whether the browser may not remember anything, so that there may be a session all the same. */
function isForgetful() {
  try {
    localStorage.getItem("triptych-session");
    return false;
  } catch {
    return true;
  }
}

const isComingBack = new URLSearchParams(location.search).has("state") && location.pathname === "/";
const last = lastSession();

/** The outcome, begun at once; null where a sign-in comes back or none is there. */
export const early = isComingBack || !last && !isForgetful() ? null : refreshed();

/** Whether the session is so young that the server has not ended it by itself. */
export const isAlive = early !== null && last !== null && Date.now() >= last.at && Date.now() - last.at < ALIVE;

/**
 * What the first screen asks for first: paths and their answers, null where none came.
 * @type {Map<string, Promise<Response | null>>}
 */
export const questions = new Map();

/** @param {string} path */
function begin(path) {
  const answer = early?.then((outcome) =>
    typeof outcome === "string" ? null : fetch(path, {
      cache: "no-store",
      headers: { Authorization: "Bearer " + outcome.access_token },
      signal: AbortSignal.timeout(PATIENCE),
    })
  ).catch(() => null);
  if (answer) questions.set(path, answer);
}

if (["/", "/app", "/app/", "/app/dashboard"].includes(location.pathname)) {
  const asked = new URLSearchParams(location.search);
  const query = (/** @type {string[]} */ names) => {
    const found = new URLSearchParams(names.flatMap((name) => asked.get(name) ? [[name, asked.get(name) ?? ""]] : []));
    return found.size ? "?" + found : "";
  };
  begin("/kpi" + query(["trip_type", "region"]));
  if (/^\d{4}-\d\d$/.test(asked.get("month") ?? "")) begin("/kpi" + query(["month", "trip_type", "region"]));
}
