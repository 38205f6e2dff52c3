// What is known of plans and runs, as cards.

import { h } from "../shell/dom.js";
import { has, t } from "../text/text.js";
import * as format from "../text/format.js";
import { app } from "../shell/app.js";
import { csvButton } from "../shell/download.js";

/** @typedef {import("../shell/types.js").RequestedRun} RequestedRun */
/** @typedef {import("../shell/types.js").ListedRun} ListedRun */
/** @typedef {import("../shell/types.js").Plan} Plan */

/**
 * Saved plans, each with what it changes, and the way to publish it.
 * @param {import("../shell/types.js").PlanList} list The plans.
 * @param {(plan: Plan | null, button: HTMLButtonElement) => void} start Begins one; without one, the folder as it is.
 * @returns {HTMLElement} The card.
 */
export function plansCard({ plans, unreadable }, start) {
  const press = (/** @type {Plan | null} */ plan) => (/** @type {Event} */ event) =>
    start(plan, /** @type {HTMLButtonElement} */ (event.currentTarget));
  const isAway = app.isOffline;
  return h(
    "section.card.flow",
    null,
    head(t("plans"), "/plans", plans.length > 0),
    plans.map((plan) => planNode(plan, press(plan))),
    plans.length ? null : h("p", null, t("no-plans")),
    unreadable ? h("p.caption", null, t("plans-unreadable", { count: unreadable })) : null,
    h(
      "div.plan.flow",
      null,
      h("p.caption", null, t("start-folder-note")),
      h(
        "button.button.second",
        { id: "plan-folder", type: "button", disabled: isAway, onclick: press(null) },
        t("start-folder"),
      ),
    ),
    isAway ? h("p.caption", null, t("needs-network")) : null,
  );
}

/** @param {Plan} plan @param {(event: Event) => void} press */
function planNode(plan, press) {
  const reason = plan.is_current ? "" : t("plan-outdated", { number: plan.generation });
  const [id, why] = ["plan-" + plan.id, "plan-why-" + plan.id];
  return h(
    "article.plan.flow",
    null,
    h("h3", null, t("plan", { id: plan.id })),
    h("p.caption", null, t("plan-made", { moment: format.fullMoment(plan.made_at), name: plan.made_by })),
    plan.edits.length ? h("ul.edits", null, plan.edits.map((each) => h("li", null, each))) : null,
    effects(plan),
    h(
      "button.button",
      {
        id,
        type: "button",
        disabled: app.isOffline || !plan.is_current,
        "aria-label": `${t("start-run")}: ${t("plan", { id: plan.id })}`,
        "aria-describedby": reason ? why : null,
        onclick: press,
      },
      t("start-run"),
    ),
    reason ? h("p.caption", { id: why }, reason) : null,
  );
}

/** @param {number} change @param {string} text Without a sign. */
const signed = (change, text) => change === 0 ? t("unchanged") : (change < 0 ? "−" : "+") + text;

/**
 * From what to what a number goes, and by how much.
 * @param {number | null} now
 * @param {number | null} planned
 * @param {(value: number) => string} written A value.
 * @param {(change: number) => string} difference A change, without a sign.
 * @returns {{values: string, change: string}}
 */
function move(now, planned, written, difference) {
  if (planned === null) return { values: "", change: t("cost-unknown") };
  // Of a generation that is no longer served, it is not known what it was.
  if (now === null) return { values: "", change: t("plan-planned", { value: written(planned) }) };
  const change = signed(planned - now, difference(Math.abs(planned - now)));
  return { values: now === planned ? written(now) : `${written(now)} → ${written(planned)}`, change };
}

/** @param {Plan} plan */
function movesOf(plan) {
  const [now, planned] = [format.hundredths(plan.in_house_pct_now), format.hundredths(plan.in_house_pct_planned)];
  return {
    trips: move(plan.trips_now, plan.trips_planned, format.count, format.count),
    share: move(now, planned, format.exactShare, format.exactPoints),
    cost: move(
      plan.contracted_cost_cents_now,
      plan.contracted_cost_cents_planned,
      format.exactMoney,
      format.exactMoney,
    ),
  };
}

/** What a plan changes: trips, percent, dollars. @param {Plan} plan */
function effects(plan) {
  const { trips, share, cost } = movesOf(plan);
  const row = (/** @type {string} */ name, /** @type {string} */ change, /** @type {string} */ values) => [
    h("dt", null, name),
    h("dd", null, h("b", null, change), values ? h("span.caption.moved", null, values) : null),
  ];
  return h(
    "dl.facts",
    null,
    row(t("plan-trips"), format.count(plan.trips_changed), ""),
    row(t("plan-counted"), trips.change, trips.values),
    row(t("in-house-pct"), share.change, share.values),
    row(t("vendor-cost"), cost.change, cost.values),
  );
}

/**
 * What a plan changes, in a sentence.
 * @param {Plan} plan The plan.
 * @returns {string} The sentence.
 */
export function effectsText(plan) {
  const { share, cost } = movesOf(plan);
  return t("plan-effects", {
    count: plan.trips_changed,
    trips: format.count(plan.trips_changed),
    share: share.change,
    cost: cost.change,
  });
}

/** @param {RequestedRun[]} requests @param {(run: RequestedRun) => void} cancel */
export function requestsCard(requests, cancel) {
  if (requests.length === 0) return null;
  return h(
    "section.card",
    null,
    h("h2", null, t("requests")),
    h(
      "ul",
      null,
      requests.map((run) => {
        const { stage } = run;
        const known = stage && has("stage-" + stage.name)
          ? t(/** @type {any} */ ("stage-" + stage.name))
          : stage?.name ?? "";
        return h(
          "li.basis.flow",
          null,
          h(
            "div",
            null,
            h("b", null, t(`run-state-${run.state}`)),
            h(
              "span.caption",
              null,
              [
                run.plan ? t("plan", { id: run.plan }) : t("run-folder"),
                t("run-by", { name: run.requested_by, moment: format.fullMoment(run.requested_at) }),
                run.generation ? t("run-generation", { number: run.generation }) : "",
              ].filter(Boolean).join(" · "),
            ),
            run.summary ? h("p", null, run.summary) : null,
            run.waiting_for ? h("p", null, t(`run-waits-${run.waiting_for}`)) : null,
            run.hint ? h("p.caption", { lang: "en" }, run.hint) : null,
            stage && run.state === "running"
              ? [
                h(
                  "p.caption",
                  null,
                  stage.total === null
                    ? known
                    : t("run-stage", { name: known, done: format.count(stage.done), total: format.count(stage.total) }),
                ),
                h("progress.progress", {
                  "aria-label": known,
                  max: stage.total,
                  value: stage.total === null ? null : stage.done,
                }),
              ]
              : null,
          ),
          ["waiting", "running"].includes(run.state)
            ? h(
              "button.button.second",
              { id: "cancel-" + run.id, type: "button", onclick: () => cancel(run) },
              t("cancel-run"),
            )
            : null,
        );
      }),
    ),
  );
}

/** @param {string} title @param {string} path What has its rows. @param {boolean} hasRows */
function head(title, path, hasRows) {
  const save = hasRows ? csvButton(title, path, [path.slice(1)]) : null;
  return h("div.card-head", null, h("h2", null, title), save);
}

/** @param {ListedRun[]} list */
export function runsCard(list) {
  return h(
    "section.card",
    null,
    head(t("runs-before"), "/runs", list.length > 0),
    list.length === 0 ? h("p", null, t("no-runs")) : h(
      "ul",
      null,
      list.map((run) =>
        h(
          "li.basis",
          null,
          h("span", null, t(`command-${run.command}`), h("span.caption", null, format.fullMoment(run.started_at))),
          h(
            "span.basis-value",
            null,
            has("run-state-" + run.outcome) ? t(`run-state-${run.outcome}`) : run.outcome,
            h("span.caption", null, run.generation ? t("run-generation", { number: run.generation }) : "\u00a0"),
          ),
        )
      ),
    ),
  );
}
