// The same app on a phone, run by Python inside this service worker.
//
// Requests go to the server as long as it answers within PATIENCE. Otherwise, and as long as anything recorded
// here is unsent, the app in this worker answers. It stores entries in the browser's database before it answers.

import { boot, isBooting } from "./app.js";
import { appPath } from "./app_path.js";
import { copyStream, keyOf, copyStartPage } from "./stream_copies.js";
import { isUnreachable, plainFetch } from "./network.js";
import { failed, isPrepared, prepare, tidy } from "./parts.js";
import { CACHES, isStream, routed, STATIC } from "./routes.js";
import { ROOT } from "./root.js";
import { send } from "./upload.js";
import { isMine, state, tell, telling } from "./state.js";

let fresh = false; // whether this version waits until no page uses the older one

telling(async (news) => {
  if (fresh) return; // the older version still serves the pages
  for (const page of await self.clients.matchAll({ includeUncontrolled: true })) page.postMessage(news());
});

// From one version to the next

self.addEventListener("install", (event) => {
  fresh = Boolean(self.registration.active);
  event.waitUntil(prepare().catch(failed));
});

async function takeOver() {
  fresh = false;
  for (const name of await caches.keys()) {
    if (name.startsWith(CACHES) && name !== STATIC) await caches.delete(name);
  }
  await tidy();
  await self.clients.claim();
  await boot();
}

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

// Requests of pages

const isOurs = (url) => url.origin === self.location.origin && url.pathname.startsWith(ROOT) && appPath(url.pathname) !== "/sw.js";
const isPart = (url) => appPath(url.pathname).startsWith("/pocket/");

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (!isOurs(url)) return;
  if (isPart(url)) return;
  if (isStream(url) && !isUnreachable() && !isMine(keyOf(url))) return; // the server sends its own news
  if (state.step === "ready" || isBooting()) event.respondWith(routed(event, url));
  else event.respondWith(isPrepared().then((there) => (there ? routed(event, url) : plainFetch(event.request))));
});

// Messages of pages

// The browser may have deleted the parts.
const again = () => prepare().then(takeOver).catch(failed);

const WORDS = { prepare: again, look: () => boot().then(tell), wake: () => boot().then(send), lost: boot, send, news };

// Copies the table of a live page that got news, or the new tables of a start page, before the network is lost.
function news(path) {
  if (appPath(path) === "/" && !isUnreachable()) return copyStartPage();
  const key = keyOf(new URL(path, self.location.origin));
  return key && !isMine(key) ? copyStream(key) : Promise.resolve();
}

self.addEventListener("message", (event) => {
  const [word, about] = event.data;
  if (word in WORDS) event.waitUntil(Promise.resolve(WORDS[word](about)).catch(() => {}));
});
