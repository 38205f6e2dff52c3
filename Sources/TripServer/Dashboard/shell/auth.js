// Who is signed in: authorization code with PKCE by the server's own page, access tokens in this
// page's memory alone, the refresh token in a cookie that no script reads. Several tabs share the
// session, and end together.

import { early, lastSession, refreshed } from "./early.js";
import { keep, kept } from "./memory.js";
import { isDue, isOver, revoked } from "./revoke.js";

const CLIENT = "triptych-dashboard";
const HOME = location.origin + "/";

/**
 * Says `ended` with a reason, and whether another account is signed in now; `replaced` where it took this
 * one's place; `renewed`; `peer` with another tab's message.
 */
export const session = new EventTarget();
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("triptych") : null;

/** @type {{token: string, until: number, authenticatedAt: number, account: string} | null} */
let access = null;

/** Whose numbers this tab shows or is about to: the account of its last token, else of the session kept. */
let shown = lastSession()?.account ?? null;

/** @typedef {"none" | "expired" | "signed-out" | "locked" | "failed" | "refused"} EndReason */

tabs?.addEventListener("message", (event) => {
  const { kind, reason, account } = event.data ?? {};
  // Also where no token is here, such as after a start without a network.
  if (kind === "ended" && shown !== null && (account ?? shown) === shown) end(reason, false);
  // Another account signed in elsewhere: what this tab shows is no longer its reader's.
  if (kind === "began" && shown !== null && shown !== account) end("signed-out", false, true);
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
 * @returns {number} Milliseconds; infinite where no user is signed in.
 */
export function signInAge() {
  return access ? Date.now() - access.authenticatedAt : Infinity;
}

/**
 * The number of the account: of the one that is signed in, else of the one whose session has not ended.
 * @returns {string} Its number; empty where there is none.
 */
export function account() {
  return access?.account ?? lastSession()?.account ?? "";
}

/**
 * The token of now, such as to end its session after another sign-in.
 * @returns {string | null} The token; null where no user is signed in.
 */
export function currentToken() {
  return access?.token ?? null;
}

/** Whether the program began without a network, and does not know yet who is signed in. */
let isAway = false;

/**
 * Whether it is not known yet which user is signed in.
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
  const before = shown;
  shown = access.account;
  keep("session", `${Date.now()} ${access.account}`);
  if (before !== null && before !== shown) session.dispatchEvent(new Event("replaced"));
  session.dispatchEvent(new Event("renewed"));
}

/** @typedef {"in" | "offline" | EndReason} Beginning */

/** @type {Promise<Beginning> | null} */
let beginning = null;
let hasBegun = false;

/**
 * Whether it is known yet who is signed in.
 * @returns {boolean} Whether it is.
 */
export function isDecided() {
  return hasBegun;
}

/**
 * Begins, once: the end of a sign-in that comes back, or the session that is there.
 * @returns {Promise<Beginning>} What came of it.
 */
export function begin() {
  beginning ??= found().finally(() => {
    hasBegun = true;
  });
  return beginning;
}

/** @returns {Promise<Beginning>} */
async function found() {
  if (isDue() && navigator.onLine) await revoked();
  const query = new URLSearchParams(location.search);
  if (location.pathname === "/" && query.has("state")) return comeBack(query);
  if (early === null) return "none";
  const outcome = await early;
  // Signed out in another tab meanwhile.
  if (isOver()) return "signed-out";
  isAway = outcome === "offline";
  if (outcome === "none") shown = null;
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
  // The cookie is this session's now: what was due would end it.
  keep("revoke", null);
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
 * @returns {Promise<string | null>} The token; null where no user is signed in.
 */
export async function accessToken() {
  if (access && Date.now() >= access.until) await renewed();
  return access?.token ?? null;
}

/** @type {Promise<boolean> | null} */
let renewing = null;

/**
 * Renews the access token, once for all that ask at the same time.
 * @returns {Promise<boolean>} Whether there is a new one.
 */
export function renewed() {
  renewing ??= (async () => {
    if (isDue()) await revoked();
    const answer = isOver() ? "none" : await refreshed();
    // Signed out while it was on its way.
    const outcome = isOver() ? "none" : answer;
    if (outcome === "offline") return false;
    if (outcome === "none") {
      if (access || isAway) sessionEnded(isOver() ? "signed-out" : "expired");
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
 * Signs out, also where nothing answers: the session itself is then ended at the next start.
 * @param {EndReason} [reason] Why.
 */
export async function signOut(reason = "signed-out") {
  keep("revoke", "due");
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

/** @param {EndReason} reason @param {boolean} isOurs @param {boolean} [isReplaced] By another account's session. */
function end(reason, isOurs, isReplaced = (lastSession()?.account ?? shown) !== shown) {
  const account = shown;
  access = null;
  shown = null;
  isAway = false;
  // The record of another account's session, and what is kept for it, are not this tab's to end.
  if (!isReplaced) keep("session", "none");
  if (isOurs) tell({ kind: "ended", reason, account });
  session.dispatchEvent(new CustomEvent("ended", { detail: { reason, isReplaced } }));
}
