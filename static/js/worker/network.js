// Requests to the server, and whether the last one reached it.

import { SERVER_TIMEOUT_MS } from "./root.js";
import { broadcast, STATIC_SITE, state } from "./state.js";

const RETRY_MS = 10_000; // after the last failure, before the server is tried again

export const plainFetch = self.fetch.bind(self);

export function isUnreachable() {
  return STATIC_SITE || (state.lastFailureAt && Date.now() - state.lastFailureAt < RETRY_MS);
}

// Our server marks its final answers, whatever their status. Answers of others (a proxy, a sign-in page) do not
// count: scorer/web/frame/answer_header.py
export const isFinal = ({ headers, redirected }) => headers.get("Bummerl-Answer") === "final" && !redirected;

const isRead = (method) => ["GET", "HEAD"].includes(method);
const isForeign = ({ type, headers }) => type !== "opaqueredirect" && !headers.has("Bummerl-Answer");

let reconnectWork = () => {};

// Sets the work to do when the server answers again.
export function onReconnect(work) {
  reconnectWork = work;
}

export async function fetchFromServer(request, body) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), SERVER_TIMEOUT_MS);
  try {
    const url = request.url;
    const { method, headers, credentials, redirect } = request;
    const options = { method, headers, credentials, redirect, signal: controller.signal };
    const answer = await plainFetch(url, body ? { ...options, body } : options);
    // A gateway's error counts as no network, and so does a foreign answer to a write. A foreign page is shown,
    // because it may be a sign-in page.
    if ([502, 504].includes(answer.status) || (!isRead(method) && isForeign(answer))) throw new Error("not the server");
    markUp();
    return answer;
  } catch (error) {
    markDown();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function markUp() {
  if (!state.lastFailureAt) return;
  state.lastFailureAt = 0;
  broadcast();
  reconnectWork();
}

export function markDown() {
  const isNew = !state.lastFailureAt;
  state.lastFailureAt = Date.now();
  if (isNew) broadcast();
}
