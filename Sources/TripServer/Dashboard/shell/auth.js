// Who is signed in: authorization code with PKCE by the server's own page, access tokens in this
// page's memory alone, the refresh token in a cookie that no script reads. Several tabs share the
// session, and end together.

import { early, refreshed } from "./early.js";
import { keep, kept } from "./memory.js";

const CLIENT = "triptych-dashboard";
const HOME = location.origin + "/";

/** Says `ended` with a reason, `renewed`, `peer` with another tab's message. */
export const session = new EventTarget();
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("triptych") : null;

/** @type {{token: string, until: number, authenticatedAt: number, account: string} | null} */
let access = null;

/** @typedef {"none" | "expired" | "signed-out" | "locked" | "failed" | "refused"} EndReason */

tabs?.addEventListener("message", (event) => {
  const { kind, reason, account } = event.data ?? {};
  if (kind === "ended" && access) end(reason, false);
  // Another account signed in elsewhere: what this tab shows is no longer its reader's.
  if (kind === "began" && access && access.account !== account) end("signed-out", false);
  session.dispatchEvent(new CustomEvent("peer", { detail: event.data }));
});

/**
 * Tells the other tabs.
 * @param {Record<string, unknown>} message What.
 */
export function tell(message) {
  tabs?.postMessage(message);
}

/**
 * Whether an account is signed in.
 * @returns {boolean} Whether it is.
 */
export function isSignedIn() {
  return access !== null;
}

/**
 * The age of the sign-in itself, by the server's clock as of the token, so that a wrong clock here does not matter.
 * @returns {number} Milliseconds; infinite where nobody is signed in.
 */
export function signInAge() {
  return access ? Date.now() - access.authenticatedAt : Infinity;
}

/**
 * The number of the account.
 * @returns {string} Its number; empty where nobody is signed in.
 */
export function account() {
  return access?.account ?? "";
}

/**
 * The token of now, such as to end its session after another sign-in.
 * @returns {string | null} The token; null where nobody is signed in.
 */
export function currentToken() {
  return access?.token ?? null;
}

/** Whether the program began without a network, and does not know yet who is signed in. */
let isAway = false;

/**
 * Whether nobody could be asked yet who is signed in.
 * @returns {boolean} Whether the network has been away since the start.
 */
export function isUnknown() {
  return isAway && access === null;
}

/** @param {import("./early.js").Tokens} tokens */
function accept(tokens) {
  const claims = JSON.parse(atob(tokens.access_token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/")));
  access = {
    token: tokens.access_token,
    // A little early, so that no request meets its end.
    until: Date.now() + (tokens.expires_in - 20) * 1000,
    authenticatedAt: Date.now() - Math.max(0, claims.iat - claims.auth_time) * 1000,
    account: String(claims.sub),
  };
  keep("session", "there");
  session.dispatchEvent(new Event("renewed"));
}

/**
 * Begins: the end of a sign-in that comes back, or the session that is there.
 * @returns {Promise<"in" | "offline" | EndReason>} What came of it.
 */
export async function begin() {
  if (kept("revoke") && navigator.onLine) await revoked();
  const query = new URLSearchParams(location.search);
  if (location.pathname === "/" && query.has("state")) return comeBack(query);
  if (early === null) return "none";
  const outcome = await early;
  isAway = outcome === "offline";
  if (typeof outcome === "string") return outcome;
  accept(outcome);
  return "in";
}

/** @param {URLSearchParams} query @returns {Promise<"in" | EndReason>} */
async function comeBack(query) {
  const [verifier, state, target] = ["verifier", "state", "target"].map((name) => {
    const text = kept(name, "session");
    keep(name, null, "session");
    return text;
  });
  history.replaceState(null, "", target ?? "/app/dashboard");
  if (query.get("error")) return "refused";
  if (!verifier || query.get("state") !== state || query.get("iss") !== location.origin) return "failed";
  return await redeemed(query.get("code") ?? "", verifier) ? "in" : "failed";
}

/**
 * Exchanges a code for tokens.
 * @param {string} code The code.
 * @param {string} verifier What its challenge was made of.
 * @returns {Promise<boolean>} Whether it was good.
 */
export async function redeemed(code, verifier) {
  const answer = await fetch("/token", {
    method: "POST",
    cache: "no-store",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: CLIENT,
      code,
      redirect_uri: HOME,
      code_verifier: verifier,
      refresh_token_in: "cookie",
    }),
  }).catch(() => null);
  if (!answer?.ok) return false;
  accept(await answer.json());
  tell({ kind: "began", account: access?.account });
  return true;
}

/**
 * The parameters of `/authorize`, and the secret that belongs to them.
 * @returns {Promise<{query: URLSearchParams, verifier: string, state: string}>} Both.
 */
export async function authorization() {
  const secret = () => base64URL(crypto.getRandomValues(new Uint8Array(32)));
  const [verifier, state] = [secret(), secret()];
  const challenge = base64URL(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
  );
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT,
    redirect_uri: HOME,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  return { query, verifier, state };
}

/**
 * Leaves for the server's sign-in page, and comes back to an address.
 * @param {string} target Where to, afterwards: a path of this program.
 * @returns {Promise<boolean>} False where the browser keeps nothing, so that a sign-in cannot come back.
 */
export async function leaveForSignIn(target) {
  const { query, verifier, state } = await authorization();
  const isKept = [
    keep("verifier", verifier, "session"),
    keep("state", state, "session"),
    keep("target", target, "session"),
  ];
  if (isKept.includes(false)) return false;
  location.assign("/authorize?" + query);
  return true;
}

/** @param {Uint8Array} bytes */
export function base64URL(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * A token that is good now.
 * @returns {Promise<string | null>} The token; null where nobody is signed in.
 */
export async function accessToken() {
  if (access && Date.now() >= access.until) await renewed();
  return access?.token ?? null;
}

/** @type {Promise<boolean> | null} */
let renewing = null;

/**
 * Renews the access token, once for all that ask at the same time, in one tab after the other.
 * @returns {Promise<boolean>} Whether there is a new one.
 */
export function renewed() {
  renewing ??= (async () => {
    const outcome = await (navigator.locks?.request("triptych-refresh", refreshed) ?? refreshed());
    if (outcome === "offline") return false;
    if (outcome === "none") {
      if (access || isAway) sessionEnded("expired");
      isAway = false;
      return false;
    }
    accept(outcome);
    return true;
  })().finally(() => {
    renewing = null;
  });
  return renewing;
}

/**
 * Ends the session of another sign-in, such as the one before a re-authentication.
 * @param {string} token Its access token.
 */
export function revokeToken(token) {
  // It ends by itself ten minutes later where this fails.
  fetch("/revoke", { method: "POST", body: new URLSearchParams({ client_id: CLIENT, token }) }).catch(() => {});
}

/** @returns {Promise<boolean>} */
async function revoked() {
  const body = new URLSearchParams({ client_id: CLIENT, refresh_token_in: "cookie" });
  const answer = await fetch("/revoke", { method: "POST", body, keepalive: true }).catch(() => null);
  // 400: there was no cookie, and so no session.
  const isOver = answer !== null && (answer.ok || answer.status === 400);
  keep("revoke", isOver ? null : "due");
  return isOver;
}

/**
 * Signs out, also where nothing answers: the session itself is then ended at the next start.
 * @param {EndReason} [reason] Why.
 */
export async function signOut(reason = "signed-out") {
  const ending = revoked();
  end(reason, true);
  await ending;
}

/**
 * The session is over at the server.
 * @param {EndReason} reason Why.
 */
export function sessionEnded(reason) {
  end(reason, true);
}

/** @param {EndReason} reason @param {boolean} isOurs */
function end(reason, isOurs) {
  access = null;
  keep("session", "none");
  if (isOurs) tell({ kind: "ended", reason });
  session.dispatchEvent(new CustomEvent("ended", { detail: reason }));
}
