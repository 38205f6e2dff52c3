// An address that leads nowhere.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import { addressOf, go } from "../shell/router.js";
import { empty } from "../shell/states.js";

/**
 * The screen.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function missing() {
  const title = t("not-found-title");
  return {
    title,
    node: h(
      "div.screen",
      null,
      h("h1.unseen", { tabindex: "-1" }, title),
      empty(title, t("not-found-note"), [{ label: t("to-dashboard"), act: () => go(addressOf("dashboard")) }]),
    ),
  };
}
