// The cache of static files, filled on demand. scorer/pocket/bundle.py lists the files of the offline app.

import { BUNDLE } from "./bundle.js";
import { storageName } from "./root.js";

const PREFIX = `${storageName("pocket-static")}-`;
const CACHE = PREFIX + BUNDLE.version;

// Returns the cached file, or fetches and caches it. Stylesheets and scripts have a digest in their address, so a
// cached one is always valid.
export async function fetchCached(request, fetchFile) {
  const cache = await caches.open(CACHE).catch(() => null);
  const cached = await cache?.match(request).catch(() => null);
  if (cached) return cached;
  const answer = await fetchFile();
  if (answer.ok && answer.type !== "opaque") cache?.put(request, answer.clone()).catch(() => {});
  return answer;
}

// Deletes the caches of other versions.
export async function deleteOldCaches() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
}
