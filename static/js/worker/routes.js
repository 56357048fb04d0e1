// Chooses whether server or phone answers a request.

import { ask, boot, isWrite } from "./app.js";
import { appPath } from "./app_path.js";
import { copyStream, keyOf } from "./stream_copies.js";
import { readValue } from "./database.js";
import { lastSeenPage, rememberPage } from "./last_seen.js";
import { liveStream, notifyLivePages } from "./live.js";
import { fetchFromServer, isUnreachable } from "./network.js";
import { fetchCached } from "./static_cache.js";
import { send } from "./upload.js";
import { isPhoneAhead, STATIC_SITE, state } from "./state.js";

const PASSED_HEADERS = [
  "accept",
  "accept-language",
  "content-type",
  "hx-request",
  "hx-target",
  "hx-trigger",
  "hx-current-url",
  "hx-history-restore-request",
  "idempotency-key",
  "if-match",
  "last-event-id",
];

const PHONE_ONLY = ["/pocket", "/book", "/book/file"];
const isStatic = (url) => appPath(url.pathname).startsWith("/static/");
export const isStream = (url) => url.pathname.endsWith("/stream");

async function answerOffline(request, url, body) {
  const headers = {};
  for (const name of PASSED_HEADERS)
    if (request.headers.has(name)) headers[name] = request.headers.get(name);
  const { status, headers: received, text } = await ask(request.method, url.pathname + url.search, headers, body);
  if (isWrite(request.method)) {
    notifyLivePages();
    if (!isUnreachable()) send();
  }
  const answerHeaders = new Headers(received);
  answerHeaders.delete("content-length");
  answerHeaders.set("X-Bummerl", "phone");
  if (status >= 300 && status < 400) return Response.redirect(new URL(answerHeaders.get("location"), url).href, status);
  return new Response(status === 204 ? null : text, { status, headers: answerHeaders });
}

export async function answerRequest(event, url) {
  const { request } = event;
  if (isStatic(url)) return fetchCached(request, () => fetchStatic(request, url));
  // Read at once, because the page may close before the app is ready.
  const body = isWrite(request.method) ? new Uint8Array(await request.arrayBuffer()) : undefined;
  if (state.step !== "ready") {
    const page = await answerWhileBooting(event, url);
    if (page) return page;
    await boot().catch(() => {});
  }
  const key = keyOf(url);
  const byPhone = isPhoneAhead(key) || PHONE_ONLY.includes(appPath(url.pathname));
  if (!isUnreachable() && !byPhone) {
    try {
      const answer = await fetchFromServer(request, body);
      rememberPage(event, url, answer);
      if (key && answer.ok) event.waitUntil(copyStream(key).catch(() => {}));
      return answer;
    } catch {
      // No network, or no answer in time: the phone answers.
    }
  }
  if (isStream(url)) return liveStream(request, url);
  let answer = await answerOffline(request, url, body);
  if (answer.status === 404 && key && byPhone && !isUnreachable()) {
    // The link is new to this phone. Waiting entries may need it.
    await copyStream(key).catch(() => {});
    answer = await answerOffline(request, url, body);
    event.waitUntil(send());
  }
  rememberPage(event, url, answer);
  return answer;
}

async function fetchStatic(request, url) {
  return isUnreachable() ?
    answerOffline(request, url) :
    fetchFromServer(request).catch(() => answerOffline(request, url));
}

// Answers a page that is opened before the app has started: by the server if nothing is unsent, else with the page
// as last seen, which reloads when the app is ready.
async function answerWhileBooting(event, url) {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return null;
  event.waitUntil(boot().catch(() => {}));
  if (!STATIC_SITE && !(await readValue("files", "unsent"))) {
    const answer = await fetchFromServer(event.request).catch(() => null);
    if (answer) {
      rememberPage(event, url, answer);
      return answer;
    }
  }
  const last = await lastSeenPage(url);
  return state.step === "ready" ? null : last;
}
