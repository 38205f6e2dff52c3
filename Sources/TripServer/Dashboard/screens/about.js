// What this is, which version, who may use it; the crisis line.

import { h } from "../shell/dom.js";
import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { get } from "../shell/api.js";

/**
 * The screen.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function about() {
  const version = h("dd", null, document.documentElement.dataset.version ?? "");
  const generation = h("dd", null, format.NONE);
  // The screen stands without it, too.
  get("/months").then((/** @type {any} */ answer) => {
    generation.textContent = String(answer.generation);
  }).catch(() => {});
  return {
    title: t("about-title"),
    node: h(
      "div.screen.narrow",
      null,
      h("div.screen-head", null, h("h1", { tabindex: "-1" }, t("about-title"))),
      h(
        "section.card.flow",
        null,
        h("p", null, h("b", null, t("product-long"))),
        h("p", null, t("about-product")),
        h("dl.facts", null, h("dt", null, t("version")), version, h("dt", null, t("generation")), generation),
      ),
      h(
        "section.card.flow",
        null,
        h("h2", null, t("about-legal")),
        h("p", null, t("about-disclaimer")),
        h("p.caption", null, t("licences")),
      ),
      h(
        "section.card.flow",
        null,
        h("h2", null, t("crisis")),
        h("p", null, t("crisis-note")),
        h("a.button.second", { href: "https://www.veteranscrisisline.net/", rel: "noreferrer" }, t("crisis")),
      ),
      h("a.button.second", { href: "/api" }, t("api-page")),
    ),
  };
}
