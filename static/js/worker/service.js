// The same app on a phone, run by Python inside this service worker.
//
// Requests go to the server as long as it answers within SERVER_TIMEOUT_MS (network.js). Otherwise, and as long as
// anything recorded here is unsent, the app in this worker answers. It stores entries in the browser's database before
// it answers.

import { boot, isBooting } from "./app.js";
import { appPath } from "./app_path.js";
import { copyStream, keyOf, copyStartPage } from "./stream_copies.js";
import { isUnreachable, plainFetch } from "./network.js";
import { deleteOldParts, isPrepared, prepare, reportFailure } from "./bundle_parts.js";
import { answerRequest, isStream } from "./routes.js";
import { ROOT } from "./root.js";
import { deleteOldCaches } from "./static_cache.js";
import { send } from "./upload.js";
import { broadcast, isPhoneAhead, setBroadcaster, state } from "./state.js";

let isWaiting = false; // whether this version waits until no page uses the older one

setBroadcaster(async (snapshot) => {
  if (isWaiting) return; // the older version still serves the pages
  for (const page of await self.clients.matchAll({ includeUncontrolled: true })) page.postMessage(snapshot());
});

// From one version to the next

self.addEventListener("install", (event) => {
  isWaiting = Boolean(self.registration.active);
  event.waitUntil(prepare().catch(reportFailure));
});

async function takeOver() {
  isWaiting = false;
  await deleteOldCaches();
  await deleteOldParts();
  await self.clients.claim();
  await boot();
}

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

// Requests of pages

const isOurs = (url) =>
  url.origin === self.location.origin && url.pathname.startsWith(ROOT) && appPath(url.pathname) !== "/sw.js";
const isBundlePart = (url) => appPath(url.pathname).startsWith("/pocket/");

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (!isOurs(url)) return;
  if (isBundlePart(url)) return;
  if (isStream(url) && !isUnreachable() && !isPhoneAhead(keyOf(url))) return; // the server sends its own news
  if (state.step === "ready" || isBooting()) event.respondWith(answerRequest(event, url));
  else
    event.respondWith(
      isPrepared().then((prepared) => (prepared ? answerRequest(event, url) : plainFetch(event.request))),
    );
});

// Messages of pages

// The browser may have deleted the parts.
const prepareAgain = () => prepare().then(takeOver).catch(reportFailure);

// What to do on a message of a page, by its first word.
const MESSAGE_HANDLERS = {
  prepare: prepareAgain,
  look: () => boot().then(broadcast),
  wake: () => boot().then(send),
  lost: boot,
  send,
  news: copyTables,
};

// Copies the table of a live page that got news, or the new tables of a start page, before the network is lost.
function copyTables(path) {
  if (appPath(path) === "/" && !isUnreachable()) return copyStartPage();
  const key = keyOf(new URL(path, self.location.origin));
  return key && !isPhoneAhead(key) ? copyStream(key) : Promise.resolve();
}

self.addEventListener("message", (event) => {
  const [word, details] = event.data;
  if (word in MESSAGE_HANDLERS) event.waitUntil(Promise.resolve(MESSAGE_HANDLERS[word](details)).catch(() => {}));
});
