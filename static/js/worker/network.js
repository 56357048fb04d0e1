// The network: whether there is one, as far as the last request could tell.

import { STATIC_SITE, state, tell } from "./state.js";

export const PATIENCE = 4000;
const RESTING = 10_000; // how long a dead network is not tried again by a tap

export const outside = self.fetch.bind(self);

export function resting() {
  return STATIC_SITE || (state.down && Date.now() - state.down < RESTING);
}

// Only what our server marks so is its final answer, whatever its status; anything else that answers in
// its place (a proxy, the page a guest signs in on) says nothing: scorer/web/frame/answer_header.py
export const isFinal = ({ headers, redirected }) => headers.get("Bummerl-Answer") === "final" && !redirected;

const isRead = (method) => ["GET", "HEAD"].includes(method);
const isForeign = ({ type, headers }) => type !== "opaqueredirect" && !headers.has("Bummerl-Answer");

let back = () => {};

// Names what is done when the server answers again.
export function whenBack(work) {
  back = work;
}

export async function asked(request, body) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const url = request.url;
    const { method, headers, credentials, redirect } = request;
    const options = { method, headers, credentials, redirect, signal: stop.signal };
    const answer = await outside(url, body ? { ...options, body } : options);
    // A gateway before a dead server counts as no network, and so does whatever else takes what is written;
    // a page to sign in on has to be seen.
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
