// Who one is here, how it looks, what this device keeps, and the way out.

import { h, icon } from "../shell/dom.js";
import { t } from "../text/text.js";
import { app, hasRole, loadChoices } from "../shell/app.js";
import { session, signOut } from "../shell/auth.js";
import { isOnline } from "../shell/api.js";
import { regionName } from "../shell/filter.js";
import { set, settings } from "../shell/memory.js";
import { question } from "../shell/overlay.js";
import { addressOf, go, goDown } from "../shell/router.js";
import { toast } from "../shell/frame.js";
import * as vault from "../shell/vault.js";

/**
 * The screen.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function settingsScreen() {
  const node = h("div.screen.narrow");
  const show = () => {
    // The field under the reader's hand stays where it is.
    const focused = node.contains(document.activeElement) ? document.activeElement?.id : "";
    node.replaceChildren(
      h("div.screen-head", null, h("h1", { tabindex: "-1" }, t("settings-title"))),
      you(),
      look(),
      privacy(),
    );
    if (focused) document.getElementById(focused)?.focus();
  };
  show();
  session.addEventListener("me", show);
  if (!app.choices) {
    // Without it the region cannot be chosen, and nothing else is missing.
    loadChoices().then(show, () => {});
  }
  return { title: t("settings-title"), node, leave: () => session.removeEventListener("me", show) };
}

function you() {
  const { me } = app;
  return h(
    "section.card.flow",
    null,
    h("h2", null, t("settings-you")),
    me
      ? h(
        "p",
        null,
        h("b", null, me.name ?? ""),
        h("span.caption", null, " · ", me.roles.map((role) => t(`role-${role}`)).join(", ")),
      )
      : null,
    h(
      "div.side-by-side",
      null,
      hasRole("analyst") ? link(addressOf("runs"), t("runs-link")) : null,
      h("a.button.second", { href: "/account" }, icon("key"), t("account-page")),
    ),
    h("p.caption", null, t("account-note")),
    h("button.button", { type: "button", onclick: leave }, icon("logout"), t("log-out")),
  );
}

/** @param {string} address @param {string} label */
function link(address, label) {
  return h(
    "a.button.second",
    {
      href: address,
      onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        goDown(address);
      },
    },
    label,
    icon("next"),
  );
}

async function leave() {
  const isSure = isOnline() && navigator.onLine ||
    await question({
      title: t("offline-sign-out"),
      note: t("offline-sign-out-note"),
      yes: t("log-out"),
      no: t("stay"),
    });
  if (isSure) await signOut();
}

function look() {
  const now = settings();
  return h(
    "section.card",
    null,
    h("h2", null, t("settings-look")),
    select(
      "language",
      t("language"),
      [["auto", t("language-auto")], ["en", t("language-en")], ["es", t("language-es")]],
      now.language,
      (value) => {
        set({ language: /** @type {any} */ (value) });
        // Every text changes: the program begins anew, the session stays.
        location.reload();
      },
    ),
    select(
      "colours",
      t("colours"),
      [["auto", t("colours-auto")], ["light", t("colours-light")], ["dark", t("colours-dark")]],
      now.colours,
      (value) => {
        set({ colours: /** @type {any} */ (value) });
        document.documentElement.dataset.colours = value;
        toast(t("saved"));
      },
    ),
    select(
      "region",
      t("my-region"),
      [
        ["", t("no-region")],
        .../** @type {[string, string][]} */ ((app.choices?.regions ?? []).map((
          each,
        ) => [each.region, regionName(each.region, each.label)])),
      ],
      now.region,
      (region) => {
        set({ region });
        toast(t("saved"));
      },
    ),
    h("p.caption", null, t("my-region-note")),
  );
}

/**
 * @param {string} id
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} change
 */
function select(id, label, options, chosen, change) {
  return h(
    "div.labelled",
    null,
    h("label", { for: "set-" + id }, label),
    h("select.field", {
      id: "set-" + id,
      onchange: (/** @type {Event} */ event) => change(/** @type {HTMLSelectElement} */ (event.target).value),
    }, options.map(([value, name]) => h("option", { value, selected: value === chosen }, name))),
  );
}

function privacy() {
  const now = settings();
  const check = (
    /** @type {boolean} */ isOn,
    /** @type {string} */ label,
    /** @type {(isOn: boolean) => void} */ change,
  ) =>
    h(
      "label.choice",
      null,
      h("input", {
        type: "checkbox",
        checked: isOn,
        onchange: (/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target).checked),
      }),
      label,
    );
  return h(
    "section.card.flow",
    null,
    h("h2", null, t("settings-privacy")),
    check(now.keepsView, t("keeps-view"), (keepsView) => {
      set({ keepsView });
      if (!keepsView) vault.clear();
      toast(t("saved"));
    }),
    h("p.caption", null, t("keeps-view-note")),
    h("button.button.second", { type: "button", onclick: () => go(addressOf("privacy")) }, t("privacy-policy")),
  );
}
