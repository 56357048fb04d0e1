// A phone's own Bummerl: the same app, run by Python inside this service worker.
//
// Requests go to the server as long as it answers within PATIENCE. Otherwise, and as long as
// anything recorded here has not reached it, the app in this worker answers. What it records is
// in the browser's database before the answer leaves.

import { boot, isBooting } from "./app.js";
import { appPath } from "./app_path.js";
import { copied, keyOf, shelved } from "./copies.js";
import { outside, resting } from "./network.js";
import { failed, isPrepared, prepare, tidy } from "./parts.js";
import { CACHES, isStream, routed, STATIC } from "./routes.js";
import { ROOT } from "./root.js";
import { send } from "./upload.js";
import { isMine, state, tell, telling } from "./state.js";

let fresh = false; // whether this is a newer version that waits for the evening's end

telling(async (news) => {
  if (fresh) return; // the version before it still runs the pages
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

// What the pages ask for

const isOurs = (url) => url.origin === self.location.origin && url.pathname.startsWith(ROOT) && appPath(url.pathname) !== "/sw.js";
const isPart = (url) => appPath(url.pathname).startsWith("/pocket/");

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (!isOurs(url)) return;
  if (isPart(url)) return;
  if (isStream(url) && !resting() && !isMine(keyOf(url))) return; // the server tells its own news
  if (state.step === "ready" || isBooting()) event.respondWith(routed(event, url));
  else event.respondWith(isPrepared().then((there) => (there ? routed(event, url) : outside(event.request))));
});

// What the pages say

// The browser may have dropped what was downloaded.
const again = () => prepare().then(takeOver).catch(failed);

const WORDS = { prepare: again, look: () => boot().then(tell), wake: () => boot().then(send), lost: boot, send, news };

// A live page was told of another phone's round, a start page lists tables: they must be here too
// before the network goes.
function news(path) {
  if (appPath(path) === "/" && !resting()) return shelved();
  const key = keyOf(new URL(path, self.location.origin));
  return key && !isMine(key) ? copied(key) : Promise.resolve();
}

self.addEventListener("message", (event) => {
  const [word, about] = event.data;
  if (word in WORDS) event.waitUntil(Promise.resolve(WORDS[word](about)).catch(() => {}));
});
