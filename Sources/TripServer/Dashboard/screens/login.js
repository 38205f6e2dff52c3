// Before a sign-in and after its end: why one is here, and the way to the server's own page, where
// alone passwords are typed.

import { h, icon } from "../shell/dom.js";
import { t } from "../text/text.js";
import { app } from "../shell/app.js";
import { isSignedIn, leaveForSignIn, signOut } from "../shell/auth.js";
import { addressOf, go, placeOf } from "../shell/router.js";
import { toast } from "../shell/frame.js";

/**
 * The screen.
 * @param {import("../shell/auth.js").EndReason} reason Why no user is signed in.
 * @returns {{title: string, node: HTMLElement}} The screen.
 */
export default function login(reason) {
  const place = placeOf(location.pathname + location.search);
  const target = place && place.route.screen !== "login" ? place.address : addressOf("dashboard");
  const leave = async () => {
    if (!await leaveForSignIn(target)) toast(t("login-no-storage"), { isKept: true });
  };
  const words = reason === "none" && app.isOffline ? t("login-offline") : t(`ended-${reason}`);
  const buttons = isSignedIn()
    ? [
      h("p", null, t("login-signed-in", { name: app.me?.name ?? "" })),
      // A link from elsewhere must not sign anyone out: it takes a press.
      h("button.button.second", { type: "button", onclick: () => signOut() }, icon("logout"), t("log-out")),
      h("button.button", {
        type: "button",
        onclick: () => go(addressOf("dashboard")),
      }, t("to-dashboard")),
    ]
    : [h("button.button", { type: "button", onclick: leave }, t("login-button"))];
  return {
    title: t("login-title"),
    node: h(
      "div.screen",
      null,
      h(
        "section.welcome",
        null,
        icon("dashboard"),
        h("h1", { tabindex: "-1" }, t("product-long")),
        h("p", null, t("login-lead")),
        words ? h("p.notice", { role: "status" }, words) : null,
        buttons,
      ),
    ),
  };
}
