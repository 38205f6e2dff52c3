// Keeps the program itself on the device, so that it starts without a network; data is never kept
// by it.

import { t } from "../text/text.js";
import { toast } from "./frame.js";

/** Registers the service worker, where the browser has them and lets a page have one. */
export async function keepProgram() {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", (event) => {
    if (event.data?.kind === "newer") {
      toast(t("new-version"), { action: t("reload"), act: () => location.reload(), isKept: true });
    }
  });
  try {
    const registration = await navigator.serviceWorker.register(address());
    registration.active?.postMessage({ kind: "renew", version: document.documentElement.dataset.version });
  } catch {
    // A private window may refuse: the program then needs a network to start.
  }
}

/** @returns {any} */
function address() {
  const path = "/service-worker.js";
  const types = /** @type {any} */ (globalThis).trustedTypes;
  if (!types) return path;
  return types.createPolicy("triptych", {
    createScriptURL: (/** @type {string} */ wanted) => {
      if (wanted !== path) throw new TypeError("only the program's own worker");
      return wanted;
    },
  }).createScriptURL(path);
}
