// One trip. What is protected is masked by the server, and shown one field at a time: with a
// reason, after a young sign-in, for ten seconds. Nothing of it is kept anywhere, and it is asked
// for anew each time.

import { fill, h, icon, refill } from "../shell/dom.js";
import { has, t } from "../text/text.js";
import * as format from "../text/format.js";
import { Fault, get, post } from "../shell/api.js";
import { app, loadChoices } from "../shell/app.js";
import { overlay } from "../shell/overlay.js";
import { reauthenticate } from "../shell/reauth.js";
import { addressOf, go } from "../shell/router.js";
import { presence, proved } from "../shell/session.js";
import { failed, faultText, skeleton } from "../shell/states.js";
import { regionName } from "../shell/filter.js";
import { toast } from "../shell/frame.js";

/** @typedef {import("../shell/types.js").Trip} Trip */
/** @typedef {"patient_id" | "provider_npi" | "cost"} Field */

const FIELDS = /** @type {const} */ (["patient_id", "cost", "provider_npi"]);
const REASONS = /** @type {const} */ ([
  "care_coordination",
  "billing",
  "quality_review",
  "data_correction",
  "patient_request",
  "investigation",
]);

/**
 * The trip of an address.
 * @param {import("../shell/router.js").Place} place The place.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function trip(place) {
  const { ref } = place.parameters;
  const node = h("div.screen.narrow", { "aria-busy": "true" });
  const ending = new AbortController();
  /** @type {Set<() => void>} */
  const masks = new Set();
  const maskAll = () => masks.forEach((mask) => mask());
  const load = async () => {
    refill(node, head(), skeleton("detail"));
    try {
      const naming = app.choices ? null : loadChoices().catch(() => {});
      /** @type {Trip} */
      const found = await get("/trip/" + ref, { signal: ending.signal, isKept: false });
      await naming;
      app.isSynthetic = found.synthetic;
      node.removeAttribute("aria-busy");
      refill(node, head(), protectedCard(found, masks), detailCard(found));
    } catch (fault) {
      if (ending.signal.aborted) return;
      node.removeAttribute("aria-busy");
      const isGone = fault instanceof Fault && fault.code === "no_such_trip";
      const back = { label: t("to-trips"), act: () => go(addressOf("trips", place.query)) };
      refill(node, head(), failed(fault, load, isGone ? { back } : {}));
    }
  };
  presence.addEventListener("hide", maskAll);
  load();
  return {
    title: t("trip-title"),
    node,
    refresh: load,
    leave: () => {
      ending.abort();
      maskAll();
      presence.removeEventListener("hide", maskAll);
      fill(node);
    },
  };
}

function head() {
  return h("div.screen-head", null, h("h1", { tabindex: "-1" }, t("trip-title")));
}

/** In which numbers a trip is. @param {Trip} trip */
function countedText({ counted, class: found }) {
  return t(!counted ? "no" : found === "undetermined" ? "counted-trips" : "yes");
}

/** @param {Trip} trip */
function detailCard(trip) {
  const region = app.choices?.regions.find((each) => each.region === trip.region);
  const type = app.choices?.types.find((each) => each.trip_type === trip.trip_type);
  const basis = trip.basis && (has("basis-" + trip.basis) ? t(`basis-${trip.basis}`) : trip.basis.replaceAll("_", " "));
  /** @type {[string, string][]} */
  const facts = [
    [t("picked-up"), format.clock(trip.picked_up_at)],
    [t("class"), [t(`class-${trip.class}`), basis].filter(Boolean).join(" · ")],
    [t("decided-by"), trip.rule ? trip.rule.because : t("undetermined-why")],
    [t("provider"), trip.provider ?? t("no-provider")],
    [t("distance"), format.miles(trip.loaded_miles_hundredths)],
    [t("region"), regionName(trip.region, region?.label)],
    [t("trip-type"), type?.label ?? trip.trip_type],
    [t("counted"), countedText(trip)],
    [t("versions"), format.count(trip.other_versions)],
  ];
  return h("dl.card.detail", null, facts.map(([term, fact]) => [h("dt", null, term), h("dd", { dir: "auto" }, fact)]));
}

/** @param {Trip} trip @param {Set<() => void>} masks */
function protectedCard(trip, masks) {
  return h(
    "section.card",
    { "aria-labelledby": "protected" },
    h("h2", { id: "protected" }, t("protected")),
    FIELDS.map((field) => secret(trip, field, masks)),
  );
}

/** What stands where a trip has none: a cost is not nothing then, it is not known. @param {Field} field */
const missingText = (field) => t(field === "cost" ? "cost-unknown" : "none-there");

/** @param {Trip} trip @param {Field} field @param {Set<() => void>} masks */
function secret(trip, field, masks) {
  const mask = trip.masked[field];
  const value = h("span.secret-value");
  const left = h("span.caption", { "aria-hidden": "true" });
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let counting;
  const eye = h("button.icon-button", {
    type: "button",
    onclick: () => {
      if (counting) hide(true);
      else ask();
    },
  });
  const hidden = () => [h("span", { "aria-hidden": "true" }, mask ?? ""), h("span.unseen", null, t("masked"))];
  /** @param {boolean} [isSilent] */
  const hide = (isSilent = false) => {
    clearInterval(counting);
    counting = undefined;
    masks.delete(hideAtOnce);
    fill(value, hidden());
    fill(left);
    showEye(false);
    if (!isSilent) toast(t("auto-hidden"));
  };
  const hideAtOnce = () => hide(true);
  /** @param {boolean} isShown */
  const showEye = (isShown) => {
    eye.setAttribute("aria-label", isShown ? t("hide", { name: t(field) }) : t(`show-${field}`));
    eye.setAttribute("aria-pressed", String(isShown));
    fill(eye, icon(isShown ? "eye-off" : "eye"));
  };
  /** @param {string | number | null} found @param {number} seconds */
  const show = (found, seconds) => {
    masks.forEach((each) => each());
    fill(value, found === null ? missingText(field) : field === "cost" ? format.exactMoney(Number(found)) : String(found));
    showEye(true);
    masks.add(hideAtOnce);
    const end = Date.now() + seconds * 1000;
    const tick = () => {
      const rest = Math.ceil((end - Date.now()) / 1000);
      if (rest <= 0) hide();
      else fill(left, t("seconds-left", { count: rest }));
    };
    counting = setInterval(tick, 250);
    tick();
  };
  const ask = async () => {
    if (app.isOffline) return toast(t("needs-network"));
    const reason = await reasonFor(field);
    if (reason) await reveal(trip.ref, field, reason, show);
  };
  if (mask === null) fill(value, missingText(field));
  else {
    fill(value, hidden());
    showEye(false);
  }
  return h(
    "div.secret",
    null,
    h("div", null, h("div.caption", null, t(field)), value, " ", left),
    mask === null ? null : eye,
  );
}

/**
 * @param {string} ref
 * @param {Field} field
 * @param {string} reason
 * @param {(value: string | number | null, seconds: number) => void} show
 * @param {boolean} [isAgain]
 */
async function reveal(ref, field, reason, show, isAgain = false) {
  try {
    /** @type {import("../shell/types.js").Revealed} */
    const answer = await post(`/trip/${ref}/reveal`, { field, reason });
    // Left meanwhile: nothing is shown behind one's back.
    if (!document.hidden) show(answer.value, answer.show_for_seconds);
  } catch (fault) {
    if (!isAgain && fault instanceof Fault && fault.code === "authenticate_again") {
      if (!await reauthenticate({ canWait: true })) return;
      proved();
      return reveal(ref, field, reason, show, true);
    }
    toast(faultText(fault));
  }
}

/** @param {Field} field @returns {Promise<string | null>} */
function reasonFor(field) {
  return new Promise((answer) => {
    /** @type {string | null} */
    let chosen = null;
    overlay({
      title: t(`show-${field}`),
      kind: "sheet",
      whenClosed: () => answer(chosen),
      content: (close) => [h(
        "form",
        {
          onsubmit: (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            chosen = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("reason"));
            close();
          },
        },
        h(
          "fieldset",
          null,
          h("legend", null, t("reveal-why")),
          REASONS.map((each) =>
            h(
              "label.choice",
              null,
              h("input", { type: "radio", name: "reason", value: each, required: true }),
              t(`reason-${each}`),
            )
          ),
        ),
        h("p.caption", null, t("reveal-note")),
        h("div.stack", null, h("button.button", { type: "submit" }, t("show"))),
      )],
    });
  });
}
