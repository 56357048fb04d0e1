// Copies of the server's streams, fetched while it answers.

import { boot, changeAndStore, offlineApp, refreshState, runExclusively } from "./app.js";
import { appPath } from "./app_path.js";
import { isFinal, plainFetch } from "./network.js";
import { ROOT, SERVER_TIMEOUT_MS } from "./root.js";

const copying = new Map();
const etags = new Map(); // the ETag of each copy on this phone

export const keyOf = (url) => /^\/[tbgp]\/([a-z0-9]{20,})/.exec(appPath(url.pathname))?.[1];

export function fetchCopy(key, headers = {}) {
  const signal = AbortSignal.timeout(3 * SERVER_TIMEOUT_MS);
  const allHeaders = { "Bummerl-Copy": "2", ...headers }; // the format that this version reads
  return plainFetch(`${ROOT}pocket/streams/${key}`, { headers: allHeaders, cache: "no-store", signal });
}

// Adopts a copy. Returns "unchanged", "updated" or "conflict".
export async function adopt(key, text) {
  await boot();
  const outcome = await changeAndStore(
    () => offlineApp.adopt(key, text),
    (result) => result !== "unchanged",
  );
  refreshState();
  return outcome;
}

// Copies the streams listed on the start page that are not yet on this phone, in the page's order, and the lists.
export async function copyStartPage() {
  const answer = await plainFetch(`${ROOT}pocket/streams`, {
    cache: "no-store",
    signal: AbortSignal.timeout(3 * SERVER_TIMEOUT_MS),
  });
  if (!answer.ok || !isFinal(answer)) return;
  const keys = await answer.text();
  await boot();
  for (const key of JSON.parse(await runExclusively(() => offlineApp.unknown_keys(keys)))) await copyStream(key);
  await changeAndStore(() => offlineApp.set_key_lists(keys), Boolean);
}

export function copyStream(key, take = adopt) {
  const copied = (copying.get(key) ?? Promise.resolve()).then(async () => {
    const answer = await fetchCopy(key, etags.has(key) ? { "If-None-Match": etags.get(key) } : {});
    if (!answer.ok || !isFinal(answer)) return;
    await take(key, await answer.text());
    etags.set(key, answer.headers.get("etag"));
  });
  copying.set(
    key,
    copied.catch(() => {}),
  );
  return copied;
}
