// The last view, kept for offline use: sealed with AES-256-GCM under a key that the browser does
// not hand out, for a day. The end of the session destroys the key and what it sealed. Single trips
// are never given here.

import { account, isSignedIn, session } from "./auth.js";
import { isAlive } from "./early.js";
import { settings } from "./memory.js";

/** @typedef {import("./numbers.js").View} View */

const NAME = "triptych";
/** A day. */
const LIFETIME = 24 * 60 * 60 * 1000;
/** How far in the future a time may lie before the clock is taken for wrong. */
const CLOCK_SLACK = 5 * 60 * 1000;

/** Counts the ends of what is kept: what was being sealed before one is not kept after it. */
let epoch = 0;
/** The clearing that is under way; sealing waits for it. */
let clearing = Promise.resolve();

session.addEventListener("ended", () => {
  epoch += 1;
});
// What is kept was the account's before.
session.addEventListener("replaced", () => clear());

/** @template Value @param {IDBRequest<Value>} request @returns {Promise<Value>} */
function done(request) {
  return new Promise((give, fail) => {
    request.onsuccess = () => give(request.result);
    request.onerror = () => fail(request.error);
  });
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("kept");
  };
  return done(request);
}

/**
 * @template Value
 * @param {"readonly" | "readwrite"} mode
 * @param {(store: IDBObjectStore) => Promise<Value>} work
 * @returns {Promise<Value>}
 */
async function using(mode, work) {
  const database = await opened();
  try {
    return await work(database.transaction("kept", mode).objectStore("kept"));
  } finally {
    database.close();
  }
}

/**
 * Writes an entry, unless what is kept has ended since.
 * @param {string} name
 * @param {unknown} entry
 * @param {number} begun The epoch in which it began.
 * @returns {Promise<boolean>} Whether it is written.
 */
async function put(name, entry, begun) {
  if (epoch !== begun) return false;
  return await using("readwrite", async (store) => {
    // It may have ended while the database was opened.
    if (epoch !== begun) return false;
    await done(store.put(entry, name));
    return true;
  });
}

/** @param {number} begun @returns {Promise<CryptoKey>} */
async function key(begun) {
  const found = await using("readonly", (store) => done(store.get("key")));
  if (found) return found;
  const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  await put("key", made, begun);
  return made;
}

/**
 * Keeps a view.
 * @param {string} name Its kind, such as `dashboard`.
 * @param {unknown} value The view.
 * @param {string} account Whose it is.
 * @returns {Promise<boolean>} Whether it is kept; a browser that keeps nothing is no fault.
 */
export async function seal(name, value, account) {
  await clearing;
  // A view that comes after the end of the session is of no user.
  if (!isSignedIn() || !settings().keepsView) return false;
  const begun = epoch;
  try {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = new TextEncoder().encode(JSON.stringify({ at: Date.now(), account, value }));
    const sealed = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(name) },
      await key(begun),
      text,
    );
    return await put(name, { iv, sealed }, begun);
  } catch {
    return false;
  }
}

/**
 * Opens a kept view; one that is older than a day, or does not open, is deleted.
 * @param {string} name Its kind.
 * @returns {Promise<{at: number, account: string, value: any} | null>} The view; null where there is none.
 */
export async function open(name) {
  try {
    const read = (/** @type {IDBObjectStore} */ store) => Promise.all([done(store.get(name)), done(store.get("key"))]);
    const [found, key] = await using("readonly", read);
    if (!found || !key) return null;
    const opening = { name: "AES-GCM", iv: found.iv, additionalData: new TextEncoder().encode(name) };
    const text = await crypto.subtle.decrypt(opening, key, found.sealed).catch(() => null);
    const view = text ? JSON.parse(new TextDecoder().decode(text)) : null;
    const age = view ? Date.now() - view.at : Infinity;
    if (age <= LIFETIME && age >= -CLOCK_SLACK) return view;
    await using("readwrite", (store) => done(store.delete(name)));
    return null;
  } catch {
    return null;
  }
}

/** What is kept of the first screen, opened at once where a young session lets it be shown. */
export const early = isAlive ? open("dashboard") : null;
let isEarlyUsed = false;

/**
 * Keeps the view of the first screen.
 * @param {View} view The view.
 */
export async function keepView(view) {
  await seal("dashboard", view, account());
}

/**
 * The kept view of the first screen; its filter is its own.
 * @returns {Promise<View | null>} The view; null where none of this account is kept.
 */
export async function keptView() {
  const found = await (isEarlyUsed ? null : early) ?? await open("dashboard");
  isEarlyUsed = true;
  return found?.account === account() ? { ...found.value, at: found.at } : null;
}

/** Destroys the key and everything it sealed, and the program's own files. */
export async function destroy() {
  await clear();
  try {
    for (const name of await caches.keys()) await caches.delete(name);
  } catch {
    // A browser that keeps nothing has nothing to delete.
  }
}

/**
 * Destroys the key and everything it sealed.
 * @returns {Promise<void>} When it is done.
 */
export function clear() {
  epoch += 1;
  clearing = cleared();
  return clearing;
}

async function cleared() {
  try {
    await using("readwrite", (store) => done(store.clear()));
    await done(indexedDB.deleteDatabase(NAME));
  } catch {
    // A browser that keeps nothing has nothing to delete.
  }
}
