// Who is there? By passkey without leaving the page, else by password on the server's own page. The
// server counts failed passkeys and offers none after three in a row.

import { fill, h } from "./dom.js";
import { t } from "../text/text.js";
import { overlay } from "./overlay.js";
import { say, toast } from "./frame.js";
import {
  account,
  authorization,
  base64URL,
  currentToken,
  leaveForSignIn,
  redeemed,
  signOut,
} from "./auth.js";
import { revokeToken } from "./revoke.js";
import { here } from "./router.js";

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
/** @param {ArrayBuffer} buffer */
const text = (buffer) => base64URL(new Uint8Array(buffer));

/** @type {Promise<boolean> | null} */
let asking = null;

/**
 * Asks for a proof.
 * @param {{canWait?: boolean}} [options] Whether it may be put off, where the screen below holds nothing that is
 *   protected.
 * @returns {Promise<boolean>} Whether it was given; where a password is used, the page is left.
 */
export function reauthenticate(options = {}) {
  const canWait = options.canWait ?? !here()?.route.phi;
  asking ??= new Promise((answer) => {
    let isProved = false;
    let failures = 0;
    const words = h("p", { role: "status" }, t("reauth-note"));
    const close = overlay({
      title: t("reauth-title"),
      kind: "dialog",
      role: "alertdialog",
      isFixed: true,
      whenClosed: () => {
        asking = null;
        answer(isProved);
      },
      content: () => {
        const passkey = h("button.button", {
          type: "button",
          onclick: async () => {
            const outcome = await byPasskey();
            if (outcome === "proved") {
              isProved = true;
              close();
              toast(t("reauth-done"));
              return;
            }
            failures += 1;
            const isOver = outcome === "over" || failures >= 3;
            fill(words, isOver ? t("passkey-over") : t("passkey-failed", { count: failures }));
            if (isOver) passkey.remove();
          },
        }, t("use-passkey"));
        const password = h("button.button.second", { type: "button", onclick: byPassword }, t("use-password"));
        const canSign = "PublicKeyCredential" in globalThis && isSecureContext;
        if (!canSign) password.classList.remove("second");
        const order = canSign ? [passkey, password] : [password];
        return [
          words,
          h(
            "div.stack",
            null,
            ...order,
            canWait ? h("button.button.plain", { type: "button", onclick: () => close() }, t("not-now")) : null,
            h("button.button.plain", {
              type: "button",
              onclick: () => {
                close();
                signOut();
              },
            }, t("log-out")),
          ),
        ];
      },
    });
  });
  return asking;
}

/** Leaves for the server's page; the session before ends first. */
async function byPassword() {
  const token = currentToken();
  if (token) revokeToken(token);
  if (!await leaveForSignIn(location.pathname + location.search)) say(t("login-no-storage"));
}

/** @returns {Promise<"proved" | "failed" | "over">} */
async function byPasskey() {
  const { query, verifier, state } = await authorization();
  try {
    const page = await (await fetch("/authorize?" + query, { cache: "no-store", headers: { Accept: "text/html" } }))
      .text();
    const asked = page.match(/data-use="sign" data-party="([^"]+)" data-challenge="([^"]+)"/);
    if (!asked) return "over";
    const form = new URLSearchParams(query);
    form.set("challenge", asked[2]);
    const signed = await signature(asked[1], asked[2]);
    for (const [name, value] of Object.entries(signed ?? {})) form.set(name, value);
    // Where nothing was signed, the server counts that.
    const answer = await fetch("/authorize", { method: "POST", body: form, cache: "no-store" });
    const back = new URL(answer.url).searchParams;
    if (!signed || !answer.ok || back.get("state") !== state || back.get("iss") !== location.origin) return "failed";
    const [before, whose] = [currentToken(), account()];
    if (!await redeemed(back.get("code") ?? "", verifier)) return "failed";
    if (before) revokeToken(before);
    // Another account's passkey: what this page holds is not theirs.
    if (whose !== account()) location.reload();
    return "proved";
  } catch {
    return "failed";
  }
}

/** @param {string} party @param {string} challenge @returns {Promise<Record<string, string> | null>} */
async function signature(party, challenge) {
  try {
    const signed = /** @type {PublicKeyCredential | null} */ (await navigator.credentials.get({
      publicKey: { challenge: bytes(challenge), rpId: party, userVerification: "required" },
    }));
    if (!signed) return null;
    const response = /** @type {AuthenticatorAssertionResponse} */ (signed.response);
    return {
      passkey: signed.id,
      client_data: text(response.clientDataJSON),
      authenticator_data: text(response.authenticatorData),
      signature: text(response.signature),
      user_handle: response.userHandle ? text(response.userHandle) : "",
    };
  } catch {
    return null;
  }
}
