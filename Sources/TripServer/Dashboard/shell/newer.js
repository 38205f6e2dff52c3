// Says once that new data was published while the program was open, on whatever screen, and leads to
// what changed.

import { t } from "../text/text.js";
import * as format from "../text/format.js";
import { Fault, get } from "./api.js";
import { toast } from "./frame.js";
import { addressOf, go, here, lastPlaceOf } from "./router.js";

let told = 0;
let close = () => {};

/**
 * Says so, unless it was said.
 * @param {import("./api.js").Newer} newer An answer of the newer generation.
 */
export async function tellNewer({ generation, as_of }) {
  if (generation <= told) return;
  told = generation;
  const published = as_of ?? await publishedAt();
  if (!published) return;
  close();
  const day = format.day(published.slice(0, 10));
  close = toast(t("newer", { day }), { action: t("show"), act: see, isKept: true });
}

/** When the newest data was published: lists of months and regions do not say it. */
async function publishedAt() {
  try {
    return /** @type {import("./types.js").KPI} */ (await get("/kpi")).as_of;
  } catch (fault) {
    // The next look at the numbers shows what is new all the same.
    if (fault instanceof Fault) return "";
    throw fault;
  }
}

/** Leads to what changed since the reader last looked; where nothing is said of it, to the numbers; the filter stays. */
function see() {
  if (here()?.route.screen !== "dashboard") return go(addressOf("dashboard", lastPlaceOf("dashboard")?.query));
  const notice = /** @type {HTMLElement | null} */ (document.querySelector(".restated"));
  if (notice) notice.scrollIntoView();
  else scrollTo(0, 0);
  (notice ?? document.querySelector("h1"))?.focus({ preventScroll: true });
}
