// Chooses whether server or phone answers a request.

import { ask, boot, isWrite } from "./app.js";
import { appPath } from "./app_path.js";
import { BUNDLE } from "./bundle.js";
import { copyStream, keyOf } from "./stream_copies.js";
import { kept } from "./database.js";
import { lastSeen, remember } from "./last_seen.js";
import { live, moved } from "./live.js";
import { fetchFromServer, isUnreachable } from "./network.js";
import { own } from "./root.js";
import { send } from "./upload.js";
import { isMine, STATIC_SITE, state } from "./state.js";

export const CACHES = `${own("pocket-static")}-`;
export const STATIC = CACHES + BUNDLE.version;
const HEADERS = [
  "accept", "accept-language", "content-type", "hx-request", "hx-target", "hx-trigger", "hx-current-url",
  "hx-history-restore-request", "idempotency-key", "if-match", "last-event-id",
];

const PHONE_ONLY = ["/pocket", "/book", "/book/file"];
const isStatic = (url) => appPath(url.pathname).startsWith("/static/");
export const isStream = (url) => url.pathname.endsWith("/stream");

async function answerOffline(request, url, body) {
  const headers = {};
  for (const name of HEADERS)
    if (request.headers.has(name)) headers[name] = request.headers.get(name);
  const { status, headers: lines, text } = await ask(request.method, url.pathname + url.search, headers, body);
  if (isWrite(request.method)) {
    moved();
    if (!isUnreachable()) send();
  }
  const answerHeaders = new Headers(lines);
  answerHeaders.delete("content-length");
  answerHeaders.set("X-Bummerl", "phone");
  if (status >= 300 && status < 400) return Response.redirect(new URL(answerHeaders.get("location"), url).href, status);
  return new Response(status === 204 ? null : text, { status, headers: answerHeaders });
}

export async function routed(event, url) {
  const { request } = event;
  if (isStatic(url)) return staticFile(request, url);
  // Read at once, because the page may close before the app is ready.
  const body = isWrite(request.method) ? new Uint8Array(await request.arrayBuffer()) : undefined;
  if (state.step !== "ready") {
    const page = await waking(event, url);
    if (page) return page;
    await boot().catch(() => {});
  }
  const key = keyOf(url);
  const mine = isMine(key) || PHONE_ONLY.includes(appPath(url.pathname));
  if (!isUnreachable() && !mine) {
    try {
      const answer = await fetchFromServer(request, body);
      remember(event, url, answer);
      if (key && answer.ok) event.waitUntil(copyStream(key).catch(() => {}));
      return answer;
    } catch {
      // No network, or no answer in time: the phone answers.
    }
  }
  if (isStream(url)) return live(request, url);
  let answer = await answerOffline(request, url, body);
  if (answer.status === 404 && key && mine && !isUnreachable()) {
    // The link is new to this phone. Waiting entries may need it.
    await copyStream(key).catch(() => {});
    answer = await answerOffline(request, url, body);
    event.waitUntil(send());
  }
  remember(event, url, answer);
  return answer;
}

// Stylesheets and scripts have a digest in their address, so a cached one is always valid.
async function staticFile(request, url) {
  const cache = await caches.open(STATIC).catch(() => null);
  const cached = await cache?.match(request).catch(() => null);
  if (cached) return cached;
  const answer = isUnreachable() ? await answerOffline(request, url) : await fetchFromServer(request).catch(() => answerOffline(request, url));
  if (answer.ok && answer.type !== "opaque") cache?.put(request, answer.clone()).catch(() => {});
  return answer;
}

// Answers a page that is opened before the app has started: by the server if nothing is unsent, else with the page
// as last seen, which reloads when the app is ready.
async function waking(event, url) {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return null;
  event.waitUntil(boot().catch(() => {}));
  if (!STATIC_SITE && !(await kept("files", "unsent"))) {
    const answer = await fetchFromServer(event.request).catch(() => null);
    if (answer) {
      remember(event, url, answer);
      return answer;
    }
  }
  const last = await lastSeen(url);
  return state.step === "ready" ? null : last;
}
