// What is known of plans and runs, as cards.

import { h } from "../shell/dom.js";
import { has, t } from "../text/text.js";
import * as format from "../text/format.js";
import { app } from "../shell/app.js";

/** @typedef {import("../shell/types.js").RequestedRun} RequestedRun */
/** @typedef {import("../shell/types.js").ListedRun} ListedRun */
/** @typedef {import("../shell/types.js").Plan} Plan */

/** @param {Plan[] | null} plans @param {(plan: Plan | null, button: HTMLButtonElement) => void} start */
export function plansCard(plans, start) {
  const press = (/** @type {Plan | null} */ plan) => (/** @type {Event} */ event) =>
    start(plan, /** @type {HTMLButtonElement} */ (event.currentTarget));
  const isAway = app.isOffline;
  return h(
    "section.card.flow",
    null,
    h("h2", null, t("plans")),
    (plans ?? []).map((plan) =>
      h(
        "article.plan.flow",
        null,
        h(
          "h3",
          null,
          t("plan", { id: plan.id }),
          plan.made_at ? h("span.caption", null, " · ", t("plan-made", { moment: format.moment(plan.made_at) })) : null,
        ),
        (plan.edits ?? []).map((each) => h("p", null, each)),
        effects(plan),
        h(
          "button.button",
          { id: "plan-" + plan.id, type: "button", disabled: isAway, onclick: press(plan) },
          t("start-run"),
        ),
      )
    ),
    plans?.length ? null : h("p", null, t("no-plans")),
    h(
      "button.button.second",
      { id: "plan-folder", type: "button", disabled: isAway, onclick: press(null) },
      t("start-folder"),
    ),
    isAway ? h("p.caption", null, t("needs-network")) : null,
  );
}

/** What a plan changes: trips, percent, dollars. @param {Plan} plan */
function effects(plan) {
  const { trips_changed: trips, in_house_pct_now: now, in_house_pct_planned: planned, cost_cents_changed: cents } =
    plan;
  if (trips === undefined) return h("p.caption", null, t("plan-unknown", { id: plan.id }));
  const change = now === undefined || planned === undefined
    ? null
    : /** @type {number} */ (format.hundredths(planned)) - /** @type {number} */ (format.hundredths(now));
  return h(
    "dl.facts",
    null,
    h("dt", null, t("plan-trips")),
    h("dd", null, format.count(trips)),
    change === null ? null : [
      h("dt", null, t("plan-share")),
      h(
        "dd",
        null,
        `${format.share(now)} → ${format.share(planned)} (${change < 0 ? "−" : "+"}${
          (Math.abs(change) / 100).toFixed(2)
        } ${t("pt")})`,
      ),
    ],
    cents === undefined ? null : [h("dt", null, t("plan-cost")), h("dd", null, format.exactMoney(cents))],
  );
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
                run.plan ? t("plan", { id: run.plan }) : t("start-folder"),
                t("run-by", { name: run.requested_by, moment: format.moment(run.requested_at) }),
                run.generation ? t("run-generation", { number: run.generation }) : "",
              ].filter(Boolean).join(" · "),
            ),
            run.summary ? h("p", null, run.summary) : null,
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

/** @param {ListedRun[]} list */
export function runsCard(list) {
  return h(
    "section.card",
    null,
    h("h2", null, t("runs-before")),
    list.length === 0 ? h("p", null, t("no-runs")) : h(
      "ul",
      null,
      list.map((run) =>
        h(
          "li.basis",
          null,
          h("span", null, run.command, h("span.caption", null, format.moment(run.started_at))),
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
