// Keeps the program's own files, under their hashed names, and nothing else: questions and answers
// pass by. The document that was kept is shown at once and looked at again behind it; a changed one
// brings its files along before it takes its place.

const NAME = "program";
const DOCUMENT = "/";

/** @param {string} text */
function filesOf(text) {
  return [...new Set([...text.matchAll(/"(\/assets\/[^"]+\.[0-9a-f]{8,}\.[a-z]+)"/g)].map((found) => found[1]))];
}

/** Loads the document and its files; whether it is another one than the one kept. */
async function renew() {
  const answer = await fetch(DOCUMENT, { cache: "no-store" });
  if (!answer.ok || answer.redirected) return false;
  const cache = await caches.open(NAME);
  const [text, before] = [await answer.clone().text(), await (await cache.match(DOCUMENT))?.text()];
  if (text === before) return false;
  const files = filesOf(text);
  for (const file of files) {
    if (!await cache.match(file)) await cache.add(file);
  }
  await cache.put(DOCUMENT, answer);
  // What the new document does not name stays for pages that still show the old one, until the next
  // change.
  const old = new Set(before ? filesOf(before) : []);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname !== DOCUMENT && !files.includes(pathname) && !old.has(pathname)) await cache.delete(request);
  }
  return before !== undefined;
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // Where the browser can, it takes kept files without asking here, and others from the network.
  event.addRoutes?.([{ condition: { urlPattern: "/assets/*" }, source: { cacheName: NAME } }]);
  event.waitUntil(renew());
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event) => {
  if (event.data?.kind !== "renew") return;
  event.waitUntil(
    renew().then(async (isNewer) => {
      const kept = await (await (await caches.open(NAME)).match(DOCUMENT))?.text();
      const version = kept?.match(/data-version="([^"]+)"/)?.[1];
      if (isNewer || (version && version !== event.data.version)) event.source?.postMessage({ kind: "newer" });
    }).catch(() => {}),
  );
});

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  const isDocument = event.request.mode === "navigate" && (pathname === "/" || pathname.startsWith("/app/"));
  if (!isDocument && !pathname.startsWith("/assets/")) return;
  event.respondWith((async () => {
    const cache = await caches.open(NAME);
    const kept = await cache.match(isDocument ? DOCUMENT : pathname);
    return kept ?? fetch(event.request);
  })());
});
