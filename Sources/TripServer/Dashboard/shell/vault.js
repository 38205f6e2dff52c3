// The last view, kept for offline use: sealed with AES-256-GCM under a key that the browser does
// not hand out, for a day. The end of the session destroys the key and what it sealed. Single trips
// are never given here.

import { settings } from "./memory.js";

const NAME = "triptych";
/** A day. */
const LIFETIME = 24 * 60 * 60 * 1000;
/** How far in the future a time may lie before the clock is taken for wrong. */
const CLOCK_SLACK = 5 * 60 * 1000;

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

/** @returns {Promise<CryptoKey>} */
async function key() {
  const found = await using("readonly", (store) => done(store.get("key")));
  if (found) return found;
  const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  await using("readwrite", (store) => done(store.put(made, "key")));
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
  if (!settings().keepsView) return false;
  try {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = new TextEncoder().encode(JSON.stringify({ at: Date.now(), account, value }));
    const sealed = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(name) },
      await key(),
      text,
    );
    await using("readwrite", (store) => done(store.put({ iv, sealed }, name)));
    return true;
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
    const found = await using("readonly", (store) => done(store.get(name)));
    if (!found) return null;
    const opening = { name: "AES-GCM", iv: found.iv, additionalData: new TextEncoder().encode(name) };
    const text = await crypto.subtle.decrypt(opening, await key(), found.sealed).catch(() => null);
    const view = text ? JSON.parse(new TextDecoder().decode(text)) : null;
    const age = view ? Date.now() - view.at : Infinity;
    if (age <= LIFETIME && age >= -CLOCK_SLACK) return view;
    await using("readwrite", (store) => done(store.delete(name)));
    return null;
  } catch {
    return null;
  }
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

/** Destroys the key and everything it sealed. */
export async function clear() {
  try {
    await using("readwrite", (store) => done(store.clear()));
    await done(indexedDB.deleteDatabase(NAME));
  } catch {
    // A browser that keeps nothing has nothing to delete.
  }
}
