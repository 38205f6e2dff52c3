// Runs, for analysts: what a saved plan would change, publishing it, how far it is, and what came
// of it.

import { h, refill } from "../shell/dom.js";
import { t } from "../text/text.js";
import { Fault, get, post } from "../shell/api.js";
import { app, hasRole } from "../shell/app.js";
import { session } from "../shell/auth.js";
import { question } from "../shell/overlay.js";
import { addressOf, go } from "../shell/router.js";
import { empty, failed, faultText, skeleton } from "../shell/states.js";
import { say, toast } from "../shell/frame.js";
import { effectsText, plansCard, requestsCard, runsCard } from "../parts/run-cards.js";

/** @typedef {import("../shell/types.js").RequestedRun} RequestedRun */
/** @typedef {import("../shell/types.js").RunList} RunList */
/** @typedef {import("../shell/types.js").PlanList} PlanList */
/** @typedef {import("../shell/types.js").Plan} Plan */

const FINAL = ["published", "unchanged", "failed", "cancelled"];
/** Pauses between questions about a run, in milliseconds: longer each time. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * The screen.
 * @returns {import("../shell/main.js").Screen} The screen.
 */
export default function runs() {
  return new RunsScreen().screen();
}

class RunsScreen {
  constructor() {
    this.node = h("div.screen.narrow", { "aria-busy": "true" });
    this.ending = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
    this.askedCount = 0;
    this.spoken = "";
    /**
     * The key of each press that was not answered, so that pressing again is the same request.
     * @type {Map<string, string>}
     */
    this.keys = new Map();
    this.load = this.load.bind(this);
  }

  /** @returns {import("../shell/main.js").Screen} */
  screen() {
    session.addEventListener("me", this.load);
    this.load();
    const leave = () => {
      this.ending.abort();
      clearTimeout(this.waiting);
      session.removeEventListener("me", this.load);
    };
    return { title: t("runs-title"), node: this.node, refresh: this.load, leave };
  }

  async load() {
    clearTimeout(this.waiting);
    if (app.me && !hasRole("analyst")) {
      const leave = { label: t("to-dashboard"), act: () => go(addressOf("dashboard")) };
      return this.show(empty(t("fault-title"), t("fault-forbidden"), [leave]));
    }
    if (this.node.childElementCount === 0) refill(this.node, head(), skeleton("list"));
    const { signal } = this.ending;
    try {
      /** @type {[Promise<RunList>, Promise<PlanList>]} */
      const asked = [get("/runs", { signal, isKept: false }), get("/plans", { signal, isKept: false })];
      const [{ requests, runs }, plans] = await Promise.all(asked);
      this.show(
        h("p", null, t("runs-lead")),
        requestsCard(requests, (run) => this.cancel(run)),
        plansCard(plans, (plan, button) => this.start(plan, button)),
        runsCard(runs),
      );
      this.tell(requests);
      if (requests.some((each) => !FINAL.includes(each.state) || isAhead(each, plans))) {
        this.waiting = setTimeout(this.load, PAUSES[Math.min(this.askedCount++, PAUSES.length - 1)]);
      }
    } catch (fault) {
      if (!signal.aborted) this.show(failed(fault, this.load));
    }
  }

  /** @param {...import("../shell/dom.js").Child} content */
  show(...content) {
    // The button under the reader's hand stays where it is.
    const focused = document.activeElement?.id ?? "";
    this.node.removeAttribute("aria-busy");
    refill(this.node, head(), ...content);
    if (focused) document.getElementById(focused)?.focus();
  }

  /** @param {RequestedRun[]} requests */
  tell(requests) {
    const text = requests.map((each) => t(`run-state-${each.state}`)).join(", ");
    if (this.spoken && text !== this.spoken) say(text);
    this.spoken = text;
  }

  /** @param {Plan | null} plan @param {HTMLButtonElement} button */
  async start(plan, button) {
    const isSure = await question({
      title: t(plan ? "run-confirm" : "run-confirm-folder"),
      note: [plan ? effectsText(plan) : "", t("run-confirm-note")].filter(Boolean).join(" "),
      yes: t("publish"),
      no: t("not-now"),
      isMajor: true,
    });
    if (!isSure) return;
    button.disabled = true;
    const name = plan?.id ?? "";
    const key = this.keys.get(name) ?? crypto.randomUUID();
    this.keys.set(name, key);
    try {
      await post("/runs", plan ? { plan: plan.id } : {}, { "Idempotency-Key": key });
      this.keys.delete(name);
      toast(t("run-queued"));
      this.askedCount = 0;
    } catch (fault) {
      // What was refused is over; what nothing answered may have arrived.
      if (fault instanceof Fault && fault.kind === "problem" && fault.status < 500) this.keys.delete(name);
      toast(faultText(fault), { isKept: true });
    }
    await this.load();
  }

  /** @param {RequestedRun} run */
  async cancel(run) {
    try {
      await post(`/runs/${run.id}/cancel`, {});
      toast(t("run-cancelled"));
    } catch (fault) {
      toast(faultText(fault));
    }
    await this.load();
  }
}

/**
 * Whether what a run published is not served yet: its plans would still seem to be of what is.
 * @param {RequestedRun} run
 * @param {PlanList} list
 */
function isAhead({ generation }, { plans }) {
  return plans.some((each) => each.is_current && each.generation < (generation ?? 0));
}

function head() {
  return h("div.screen-head", null, h("h1", { tabindex: "-1" }, t("runs-title")));
}
