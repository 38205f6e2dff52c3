"use strict";
// Signs users in (authorization code with PKCE), says who is signed in, and sends the questions of
// the page. The session is the dashboard's: its refresh token lies in a cookie that no script reads,
// the access token in this page alone.
// PKCE stands here beside the dashboard's shell/auth.js: these pages are one document each, whose
// policy lets this text run by its hash and loads no script. A shared module would need 'self'.
(() => {
  const client = "triptych-dashboard";
  const home = location.origin + "/api";
  const byID = (id) => document.getElementById(id);
  const tabs = new BroadcastChannel("triptych");
  // Some browsers keep nothing, such as in private windows.
  const stores = (() => {
    try {
      return { local: localStorage, tab: sessionStorage };
    } catch {
      return null;
    }
  })();
  let token = null;
  // The account of the token.
  let account = null;

  const text = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  const secret = () => text(crypto.getRandomValues(new Uint8Array(32)));
  // The record of the session that the dashboard keeps as well: when its last token came, and whose it
  // is; "none" after signing out.
  const keep = (record) => stores?.local.setItem("triptych-session", record);
  const isThere = () => /^\d+ \S+$/.test(stores?.local.getItem("triptych-session") ?? "");
  // A sign-out, such as one without a network, that the server has yet to hear of.
  const isDue = () => Boolean(stores?.local.getItem("triptych-revoke"));

  function show(state) {
    byID("state").textContent = state;
    byID("sign-in").hidden = token !== null;
    byID("sign-out").hidden = token === null;
    if (token) return;
    // The answers belong to a user who has signed out: nothing of them stays in the page.
    for (const answer of document.querySelectorAll(".answer")) {
      answer.hidden = true;
      answer.querySelector("p").textContent = answer.querySelector("pre").textContent = "";
    }
  }

  const send = (address) => fetch(address, { headers: token ? { Authorization: "Bearer " + token } : {} });

  async function showAccount() {
    const answer = await send("/me");
    if (!token) return;
    if (!answer.ok) return show("You are signed in.");
    const { name, roles } = await answer.json();
    show(`You are signed in as ${name ?? "an account"} (${roles.join(", ").replaceAll("_", " ")}).`);
  }

  async function signIn() {
    const answer = await fetch("/.well-known/oauth-authorization-server");
    if (!answer.ok) return show("Users sign in at another server here; this page cannot sign you in.");
    const { issuer } = await answer.json();
    if (issuer !== location.origin) return show(`Users sign in at ${issuer}/ – open this page there.`);
    if (!stores) return show("This browser keeps nothing, so that a sign-in cannot come back.");
    const [verifier, state] = [secret(), secret()];
    stores.tab.setItem("sign-in", JSON.stringify({ verifier, state, page: location.pathname }));
    const challenge = text(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
    location.assign("/authorize?" + new URLSearchParams({
      response_type: "code", client_id: client, redirect_uri: home, state,
      code_challenge: challenge, code_challenge_method: "S256",
    }));
  }

  async function comeBack(query) {
    const asked = JSON.parse(stores?.tab.getItem("sign-in") ?? "null");
    stores?.tab.removeItem("sign-in");
    history.replaceState(null, "", "/api");
    const isOurs = asked && query.get("state") === asked.state && query.get("iss") === location.origin && query.has("code");
    const isIn = isOurs && await grant({
      grant_type: "authorization_code", code: query.get("code"), redirect_uri: home, code_verifier: asked.verifier,
    });
    if (!isIn) return show("That sign-in did not work. Try again.");
    // The cookie is this session's now: what was due would end it.
    stores?.local.removeItem("triptych-revoke");
    tabs.postMessage({ kind: "began", account });
    if (asked.page !== "/api") return location.replace(asked.page);
    return showAccount();
  }

  async function grant(fields) {
    const body = new URLSearchParams({ client_id: client, refresh_token_in: "cookie", ...fields });
    const answer = await fetch("/token", { method: "POST", cache: "no-store", body });
    const granted = answer.ok ? (await answer.json()).access_token : null;
    // Signed out in another tab while it was on its way.
    const isEnded = fields.grant_type === "refresh_token" && (!isThere() || isDue());
    token = isEnded ? null : granted;
    if (!token) return false;
    account = String(JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/"))).sub);
    keep(`${Date.now()} ${account}`);
    return true;
  }

  // One tab after the other: each token takes the place of the one before.
  const renew = () => navigator.locks.request("triptych-refresh", () => grant({ grant_type: "refresh_token" }));

  async function begin() {
    const query = new URLSearchParams(location.search);
    if (isDue()) await navigator.locks.request("triptych-refresh", revoke);
    if (query.has("state")) return comeBack(query);
    if (isThere() && !isDue() && await renew()) return showAccount();
  }

  function address(form) {
    const query = new URLSearchParams();
    let path = form.dataset.path;
    for (const [name, value] of new FormData(form)) {
      if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value.trim()));
      else if (value.trim()) query.append(name, value.trim());
    }
    return path + (String(query) && "?" + query);
  }

  async function ask(form) {
    const wasSignedIn = token !== null;
    let answer = await send(address(form));
    if (answer.status === 401 && wasSignedIn) {
      if (!isThere() || !await renew()) return show("The session is over. Sign in again.");
      answer = await send(address(form));
    }
    const body = await answer.text();
    // Signed out while it was on its way.
    if (wasSignedIn && !token) return;
    const isJSON = (answer.headers.get("Content-Type") || "").includes("json");
    fill(form, `HTTP ${answer.status} · GET ${address(form)}`, isJSON ? JSON.stringify(JSON.parse(body), null, 2) : body);
  }

  function fill(form, line, body) {
    form.querySelector(".answer").hidden = false;
    form.querySelector("pre").textContent = body;
    form.querySelector("pre").scrollTop = 0;
    form.querySelector(".answer p").textContent = line;
  }

  // Whether the session of the cookie is over; else what the server said.
  async function revoke() {
    const body = new URLSearchParams({ client_id: client, refresh_token_in: "cookie" });
    // Where nothing answers there is no status.
    const answer = await fetch("/revoke", { method: "POST", body }).catch(() => ({ ok: false, status: "no answer" }));
    // 400: there was no cookie, and so no session.
    if (!answer.ok && answer.status !== 400) return answer.status;
    stores?.local.removeItem("triptych-revoke");
    return "over";
  }

  async function signOut() {
    const outcome = await navigator.locks.request("triptych-refresh", revoke);
    if (outcome !== "over") {
      show("You are still signed in: signing out did not work (" + outcome + "). Try again.");
      return;
    }
    token = null;
    keep("none");
    tabs.postMessage({ kind: "ended", reason: "signed-out", account });
    show("You are logged out.");
  }

  // Another tab signed out, or signed another account in.
  tabs.addEventListener("message", async ({ data }) => {
    if (data.kind !== "ended" && data.kind !== "began") return;
    // Another account's session ended, such as the one before this.
    if (data.kind === "ended" && token && data.account && data.account !== account) return;
    token = null;
    show("You are logged out.");
    if (data.kind === "began" && await renew()) showAccount();
  });

  byID("sign-in").addEventListener("click", () => signIn().catch(() => show("The server does not answer. Try again.")));
  byID("sign-out").addEventListener("click", signOut);
  for (const form of document.forms) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask(form).catch(() => fill(form, "No answer. Try again.", ""));
    });
    form.querySelector(".second").addEventListener("click", () =>
      navigator.clipboard.writeText(form.querySelector("pre").textContent));
  }
  begin().catch(() => show("The server does not answer. Load this page again."));
})();
