// Requests to the server, and whether the last one reached it.

import { STATIC_SITE, state, tell } from "./state.js";

export const PATIENCE = 4000;
const RETRY_MS = 10_000; // milliseconds before a lost network is tried again

export const plainFetch = self.fetch.bind(self);

export function isUnreachable() {
  return STATIC_SITE || (state.down && Date.now() - state.down < RETRY_MS);
}

// Our server marks its final answers, whatever their status. Answers of others (a proxy, a sign-in page) do not
// count: scorer/web/frame/answer_header.py
export const isFinal = ({ headers, redirected }) => headers.get("Bummerl-Answer") === "final" && !redirected;

const isRead = (method) => ["GET", "HEAD"].includes(method);
const isForeign = ({ type, headers }) => type !== "opaqueredirect" && !headers.has("Bummerl-Answer");

let back = () => {};

// Sets the work to do when the server answers again.
export function whenBack(work) {
  back = work;
}

export async function fetchFromServer(request, body) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const url = request.url;
    const { method, headers, credentials, redirect } = request;
    const options = { method, headers, credentials, redirect, signal: stop.signal };
    const answer = await plainFetch(url, body ? { ...options, body } : options);
    // A gateway's error counts as no network, and so does a foreign answer to a write. A foreign page is shown,
    // because it may be a sign-in page.
    if ([502, 504].includes(answer.status) || (!isRead(method) && isForeign(answer))) throw new Error("not the server");
    up();
    return answer;
  } catch (fault) {
    down();
    throw fault;
  } finally {
    clearTimeout(late);
  }
}

function up() {
  if (!state.down) return;
  state.down = 0;
  tell();
  back();
}

export function down() {
  const news = !state.down;
  state.down = Date.now();
  if (news) tell();
}
