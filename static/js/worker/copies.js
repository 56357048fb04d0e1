// A copy of what this phone holds, fetched while there is a server.

import { boot, inTurn, look, phone, save } from "./app.js";
import { outside, PATIENCE } from "./network.js";

const copying = new Map();
const seen = new Map(); // the version of each copy this phone has

export const keyOf = (url) => /^\/[tbgp]\/([a-z0-9]{20,})/.exec(url.pathname)?.[1];

export function fetchCopy(key, headers = {}) {
  const signal = AbortSignal.timeout(3 * PATIENCE);
  return outside(`/pocket/streams/${key}`, { headers, cache: "no-store", signal });
}

export function copied(key) {
  const done = (copying.get(key) ?? Promise.resolve()).then(async () => {
    const answer = await fetchCopy(key, seen.has(key) ? { "If-None-Match": seen.get(key) } : {});
    if (!answer.ok) return;
    const text = await answer.text();
    await boot();
    await inTurn(async () => {
      const what = phone.adopt(key, text);
      if (what !== "same") await save();
      seen.set(key, answer.headers.get("etag"));
      look();
    });
  });
  copying.set(key, done.catch(() => {}));
  return done;
}
