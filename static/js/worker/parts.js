// The parts of the bundle: each fetched once, checked by the browser against its checksum, and kept
// under it. So a part that a new version has unchanged is there already.

import { BUNDLE } from "./bundle.js";
import { drop, keep, kept, keptNames } from "./database.js";
import { outside } from "./network.js";
import { state, tell } from "./state.js";

export const PARTS = new URL("./", import.meta.url);

async function missing() {
  const there = new Set(await keptNames("parts"));
  return BUNDLE.files.filter((part) => !there.has(part.sha256));
}

export async function isPrepared() {
  return !(await missing()).length;
}

// The checksum as `fetch` wants it; what does not match it never arrives.
function integrity({ sha256 }) {
  const bytes = sha256.match(/../g).map((digits) => parseInt(digits, 16));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}

async function fetched(part) {
  const url = new URL(part.name, PARTS).href;
  try {
    const answer = await outside(url, { cache: "no-store", integrity: integrity(part) });
    return await answer.arrayBuffer();
  } catch (fault) {
    // A browser does not say why; what is there and did not come is not the right one.
    const there = await outside(url, { method: "HEAD", cache: "no-store" });
    throw there.ok ? new Error(`tampered: ${part.name}`) : fault;
  }
}

export async function prepare() {
  const wanted = await missing();
  state.done = BUNDLE.bytes - wanted.reduce((sum, part) => sum + part.bytes, 0);
  for (const part of wanted) {
    await keep("parts", [
      [part.sha256, await fetched(part)]
    ]);
    state.done += part.bytes;
    tell();
  }
}

// Tells why a part could not be had or kept.
export async function failed(fault) {
  state.fault = /tampered/.test(fault.message) ? "tampered" : fault.name === "QuotaExceededError" ? "full" : "network";
  await tell();
  throw fault;
}

// Leaves only the parts of this version.
export async function tidy() {
  const needed = new Set(BUNDLE.files.map((part) => part.sha256));
  await drop("parts", (await keptNames("parts")).filter((name) => !needed.has(name)));
}

// What is not a script travels packed.
export async function unpacked(name) {
  const part = BUNDLE.files.find((file) => file.name === `${name}.gz`);
  const packed = part && (await kept("parts", part.sha256));
  if (!packed) throw new Error(`missing: ${name}`);
  const body = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(body, { headers: { "Content-Type": type } });
}

// Python asks for its parts by fetch; they lie in the database.
self.fetch = (wanted, options) => {
  const url = String(wanted.url ?? wanted);
  return url.startsWith(PARTS.href) ? unpacked(url.slice(PARTS.href.length)) : outside(wanted, options);
};
