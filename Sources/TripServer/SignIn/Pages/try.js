"use strict";
// Signs the user in (authorization code with PKCE) and sends requests with the token. Tokens live in this page alone and
// are gone with it.
(() => {
  const client = "triptych-dashboard";
  const home = location.origin + "/";
  const byID = (id) => document.getElementById(id);
  let tokens = null;

  const text = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  const secret = () => text(crypto.getRandomValues(new Uint8Array(32)));

  function show(state, isSignedIn) {
    byID("state").textContent = state;
    byID("sign-in").hidden = isSignedIn;
    byID("ask").hidden = !isSignedIn;
    if (isSignedIn) return;
    // The answer belongs to a user who has signed out: nothing of it stays in the page.
    byID("answer").textContent = "";
    byID("answer").hidden = true;
  }

  async function signIn() {
    const server = await (await fetch("/.well-known/oauth-authorization-server")).json();
    if (server.issuer !== location.origin) {
      show("Users sign in at " + server.issuer + "/ – open this page there.", false);
      return;
    }
    const [verifier, state] = [secret(), secret()];
    sessionStorage.setItem("verifier", verifier);
    sessionStorage.setItem("state", state);
    const challenge = text(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
    location.assign("/authorize?" + new URLSearchParams({
      response_type: "code", client_id: client, redirect_uri: home, state,
      code_challenge: challenge, code_challenge_method: "S256",
    }));
  }

  async function grant(fields) {
    const answer = await fetch("/token", {
      method: "POST", body: new URLSearchParams({ client_id: client, ...fields }),
    });
    tokens = answer.ok ? await answer.json() : null;
    return answer.ok;
  }

  async function comeBack() {
    const query = new URLSearchParams(location.search);
    if (!query.has("state")) return;
    const [verifier, state] = ["verifier", "state"].map((name) => sessionStorage.getItem(name));
    sessionStorage.clear();
    history.replaceState(null, "", "/");
    const isOurs = query.get("state") === state && query.get("iss") === location.origin && query.has("code");
    const isIn = isOurs && await grant({
      grant_type: "authorization_code", code: query.get("code"), redirect_uri: home, code_verifier: verifier,
    });
    show(isIn ? "You are signed in. Tokens live in this page alone." : "That sign-in did not work. Try again.", isIn);
  }

  async function ask(event) {
    event.preventDefault();
    const query = byID("query").value.trim();
    const address = byID("path").value + (query ? "?" + query : "");
    const send = () => fetch(address, { headers: { Authorization: "Bearer " + tokens.access_token } });
    let answer = await send();
    if (answer.status === 401) {
      if (!await grant({ grant_type: "refresh_token", refresh_token: tokens.refresh_token })) {
        show("The session is over. Sign in again.", false);
        return;
      }
      answer = await send();
    }
    const body = await answer.text();
    // Signed out while it was on its way.
    if (!tokens) return;
    const isJSON = (answer.headers.get("Content-Type") || "").includes("json");
    byID("answer").textContent = "HTTP " + answer.status + "\n\n"
      + (isJSON ? JSON.stringify(JSON.parse(body), null, 2) : body);
    byID("answer").hidden = false;
  }

  async function signOut() {
    // Where nothing answers there is no status.
    const answer = await fetch("/revoke", {
      method: "POST", body: new URLSearchParams({ client_id: client, token: tokens.refresh_token }),
    }).catch(() => ({ ok: false, status: "no answer" }));
    if (!answer.ok) {
      show("You are still signed in: signing out did not work (" + answer.status + "). Try again.", true);
      return;
    }
    tokens = null;
    show("You are signed out.", false);
  }

  byID("sign-in").addEventListener("click", signIn);
  byID("sign-out").addEventListener("click", signOut);
  byID("ask").addEventListener("submit", ask);
  comeBack();
})();
