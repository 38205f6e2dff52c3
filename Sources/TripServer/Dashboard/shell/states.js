// The states a screen has besides its content: loading, empty, and failed. None of them is ever
// blank.

import { h, icon } from "./dom.js";
import { has, t } from "../text/text.js";
import { Fault } from "./api.js";
import { addressOf, go, here } from "./router.js";

/**
 * Bones in the shape of what will stand there.
 * @param {"dashboard" | "list" | "detail"} shape Of which screen.
 * @returns {HTMLElement} The bones.
 */
export function skeleton(shape) {
  const bone = (/** @type {string} */ kind) => h("i.bone", { class: "bone-" + kind });
  const bones = {
    dashboard: () => [
      bone("title"),
      bone("text"),
      h("div.numbers", null, bone("card"), bone("card"), bone("card")),
      bone("chart"),
      bone("row"),
      bone("row"),
    ],
    list: () => Array.from({ length: 8 }, () => bone("row")),
    detail: () => [bone("title"), ...Array.from({ length: 6 }, () => bone("row"))],
  };
  return h("div.skeleton", { role: "status" }, h("span.unseen", null, t("loading")), bones[shape]());
}

/**
 * The text of a failure, which never holds more than its kind.
 * @param {unknown} fault What failed.
 * @returns {string} What happened, and what to do.
 */
export function faultText(fault) {
  if (!(fault instanceof Fault)) return t("fault-internal");
  const key = "fault-" + (fault.kind === "problem" ? fault.code : fault.kind);
  return has(key) ? t(key, { seconds: fault.after || 60 }) : t("fault-internal");
}

/** What asking again cannot mend. */
const FINAL = ["bad_parameter", "forbidden", "no_such_trip", "not_found", "trips_elsewhere", "trips_not_served"];

/**
 * A failure, with a way to try again; where that cannot help, with a way back.
 * @param {unknown} fault What failed.
 * @param {() => void} again Tries again.
 * @param {{isPart?: boolean, back?: {label: string, act: () => void}}} [options] Whether it is of a part of the screen,
 *   and the way back; without it, to the dashboard, which itself has none.
 * @returns {HTMLElement} The state.
 */
export function failed(fault, again, options = {}) {
  const isOffline = fault instanceof Fault && fault.kind === "offline";
  const isFinal = fault instanceof Fault && FINAL.includes(fault.code) && here()?.route.screen !== "dashboard";
  const { label, act } = !isFinal
    ? { label: t("retry"), act: again }
    : options.back ?? { label: t("to-dashboard"), act: () => go(addressOf("dashboard")) };
  return h(
    "section.state",
    { role: "alert", class: options.isPart ? "part-state" : "" },
    icon(isOffline ? "offline" : "fault"),
    h("h2", null, t("fault-title")),
    h("p", null, faultText(fault)),
    h("button.button", { type: "button", onclick: act }, label),
  );
}

/**
 * An empty screen, with what to do about it.
 * @param {string} title What is empty.
 * @param {string} note What to do.
 * @param {{label: string, act: () => void}[]} actions The ways out.
 * @returns {HTMLElement} The state.
 */
export function empty(title, note, actions) {
  return h(
    "section.state",
    null,
    icon("empty"),
    h("h2", null, title),
    h("p", null, note),
    actions.map(({ label, act }, index) =>
      h("button.button", { type: "button", class: index === 0 ? "" : "second", onclick: act }, label)
    ),
  );
}
