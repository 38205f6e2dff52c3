// What a browser keeps for this program in plain text: settings, and nothing of patients, trips or
// numbers. A browser may refuse to keep anything (private windows, full disks); then it is kept
// until the page closes.

/** @type {Map<string, string>} */
const instead = new Map();

/**
 * @param {Storage | "local" | "session"} which
 * @returns {Storage | null}
 */
function storage(which) {
  try {
    return which === "session" ? sessionStorage : localStorage;
  } catch {
    return null;
  }
}

/**
 * A kept text.
 * @param {string} name Its name.
 * @param {"local" | "session"} [which] Until when: for good, or while the tab is open.
 * @returns {string | null} The text; null where there is none.
 */
export function kept(name, which = "local") {
  try {
    return storage(which)?.getItem("triptych-" + name) ?? instead.get(name) ?? null;
  } catch {
    return instead.get(name) ?? null;
  }
}

/**
 * Keeps a text.
 * @param {string} name Its name.
 * @param {string | null} text The text; null removes it.
 * @param {"local" | "session"} [which] Until when.
 * @returns {boolean} Whether it outlives the page.
 */
export function keep(name, text, which = "local") {
  if (text === null) instead.delete(name);
  else instead.set(name, text);
  try {
    const place = storage(which);
    if (!place) return false;
    if (text === null) place.removeItem("triptych-" + name);
    else place.setItem("triptych-" + name, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * What this browser has shown: a generation, and the last month settled in it.
 * @typedef {{account: string, generation: number, settled: string}} Seen
 */
/**
 * @typedef {object} Settings
 * @property {"auto" | "en" | "es"} language
 * @property {"auto" | "light" | "dark"} colours
 * @property {string} region The user's own region, pinned; empty where none.
 * @property {boolean} keepsView Whether the last view is kept, encrypted, for a day.
 * @property {Seen | null} seen What was on the first screen last; null where nothing was.
 */

/** @type {Settings} */
const standard = {
  language: "auto",
  colours: "auto",
  region: "",
  keepsView: true,
  seen: null,
};

/**
 * The settings of this browser.
 * @returns {Settings} Those that were set, and the standard ones.
 */
export function settings() {
  try {
    const found = JSON.parse(kept("settings") ?? "{}");
    return { ...standard, ...(found && typeof found === "object" ? found : {}) };
  } catch {
    return { ...standard };
  }
}

/**
 * Changes settings of this browser.
 * @param {Partial<Settings>} changes Those that change.
 */
export function set(changes) {
  keep("settings", JSON.stringify({ ...settings(), ...changes }));
}
