// What is done with data, in a few sentences.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";

/**
 * The screen.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function privacy() {
  const parts = /** @type {const} */ (["privacy-1", "privacy-2", "privacy-3", "privacy-4"]);
  return {
    title: t("privacy-title"),
    node: h(
      "div.screen.narrow",
      null,
      h("div.screen-head", null, h("h1", { tabindex: "-1" }, t("privacy-title"))),
      h("section.card.flow", null, parts.map((each) => h("p", null, t(each)))),
    ),
  };
}
