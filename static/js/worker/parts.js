// The parts of the bundle: every one fetched once, checked against its checksum and kept.

import { BUNDLE } from "./bundle.js";
import { outside } from "./network.js";
import { state, tell } from "./state.js";

export const PARTS = new URL("./", import.meta.url);
export const CACHE = `pocket-${BUNDLE.version}`;

async function checked(response, part) {
  const bytes = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== part.sha256) throw new Error(`tampered: ${part.name}`);
  return bytes;
}

// What an older version has of a part is as good, if it is the same.
async function older(part) {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const [found] = (await cache.keys()).filter(({ url }) => url.endsWith(`/${part.name}`));
    const bytes = found && (await checked(await cache.match(found), part).catch(() => null));
    if (bytes) return bytes;
  }
  return null;
}

export async function prepare() {
  const cache = await caches.open(CACHE);
  for (const part of BUNDLE.files) {
    const url = new URL(part.name, PARTS).href;
    if (!(await cache.match(url))) {
      const bytes = (await older(part)) ?? (await checked(await outside(url, { cache: "no-store" }), part));
      await cache.put(url, new Response(bytes));
    }
    state.done += part.bytes;
    tell();
  }
}

// What is not a script travels packed.
export async function unpacked(name) {
  const packed = await (await caches.open(CACHE)).match(new URL(`${name}.gz`, PARTS).href);
  if (!packed) throw new Error(`missing: ${name}`);
  const body = packed.body.pipeThrough(new DecompressionStream("gzip"));
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(body, { headers: { "Content-Type": type } });
}

// Python asks for its parts by fetch; they lie in the cache.
self.fetch = (wanted, options) => {
  const url = String(wanted.url ?? wanted);
  return url.startsWith(PARTS.href) ? unpacked(url.slice(PARTS.href.length)) : outside(wanted, options);
};
