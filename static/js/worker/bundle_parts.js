// The parts of the bundle. Each is fetched once, checked against its checksum, and stored with the checksum as its
// key. So a new version fetches only changed parts, and a download that broke off continues.

import { BUNDLE } from "./bundle.js";
import { deleteValues, readNames, readValue, writeValues } from "./database.js";
import { plainFetch } from "./network.js";
import { broadcast, state } from "./state.js";

export const PARTS = new URL("./", import.meta.url);

async function missingParts() {
  const present = new Set(await readNames("parts"));
  return BUNDLE.files.filter((part) => !present.has(part.sha256));
}

export async function isPrepared() {
  return !(await missingParts()).length;
}

const REPORT_MS = 250; // between two progress reports

// Downloads a part, of which `begun` arrived before. Stores the beginning if it breaks off.
async function download(part, begun, report) {
  const from = begun?.byteLength ?? 0;
  const headers = from ? { Range: `bytes=${from}-` } : {};
  const answer = await plainFetch(new URL(part.name, PARTS).href, { cache: "no-store", headers });
  if (answer.status === 416) return begun; // all of it had arrived
  if (!answer.ok) throw new Error(`host: ${answer.status} ${part.name}`);
  const pieces = answer.status === 206 ? [begun] : [];
  let length = answer.status === 206 ? from : 0;
  const joined = () => new Blob(pieces).arrayBuffer();
  try {
    const reader = answer.body.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value);
      length += next.value.byteLength;
      report(length);
    }
  } catch (fault) {
    await writeValues("parts", [
      [begunName(part), await joined()]
    ]).catch(() => {});
    throw fault;
  }
  return joined();
}

const begunName = ({ sha256 }) => `begun ${sha256}`;
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const hasChecksum = async (part, bytes) => hex(await crypto.subtle.digest("SHA-256", bytes)) === part.sha256;

// Scripts cannot compute checksums over plain HTTP: there the browser checks, and reports no progress within a part.
async function checkedByBrowser(part) {
  const url = new URL(part.name, PARTS).href;
  const digits = part.sha256.match(/../g).map((two) => parseInt(two, 16));
  const integrity = `sha256-${btoa(String.fromCharCode(...digits))}`;
  try {
    const answer = await plainFetch(url, { cache: "no-store", integrity });
    return await answer.arrayBuffer();
  } catch (fault) {
    // Browsers give no reason. A file that exists has the wrong checksum.
    const response = await plainFetch(url, { method: "HEAD", cache: "no-store" });
    throw response.ok ? new Error(`tampered: ${part.name}`) : fault;
  }
}

async function downloadChecked(part, report) {
  if (!self.crypto.subtle) return checkedByBrowser(part);
  const begun = await readValue("parts", begunName(part));
  let bytes = await download(part, begun, report);
  // `begun` may come from another file.
  if (begun && !(await hasChecksum(part, bytes))) bytes = await download(part, undefined, report);
  if (begun) await deleteValues("parts", [begunName(part)]);
  if (await hasChecksum(part, bytes)) return bytes;
  throw new Error(`tampered: ${part.name}`);
}

export async function prepare() {
  state.fault = "";
  const wanted = await missingParts();
  let doneBytes = BUNDLE.bytes - wanted.reduce((sum, part) => sum + part.bytes, 0);
  let reportedAt = 0;
  const report = (length) => {
    state.done = doneBytes + length;
    if (Date.now() - reportedAt < REPORT_MS) return;
    reportedAt = Date.now();
    broadcast();
  };
  for (const part of wanted) {
    await writeValues("parts", [
      [part.sha256, await downloadChecked(part, report)]
    ]);
    doneBytes += part.bytes;
    report(0);
  }
}

// Returns why fetching or storing failed. Only the browser's storage throws a DOMException here.
function failureCode(fault) {
  const [kind] = /^(tampered|host)/.exec(fault.message) ?? [];
  if (kind) return kind;
  if (fault.name === "QuotaExceededError") return "full";
  return fault instanceof DOMException && fault.name !== "AbortError" ? "storage" : "network";
}

export async function reportFailure(fault) {
  state.fault = failureCode(fault);
  await broadcast();
  throw fault;
}

// Removes all but this version's parts.
export async function deleteOldParts() {
  const needed = new Set(BUNDLE.files.map((part) => part.sha256));
  await deleteValues("parts", (await readNames("parts")).filter((name) => !needed.has(name)));
}

// All parts but scripts are packed.
export async function unpackedPart(name) {
  const part = BUNDLE.files.find((file) => file.name === `${name}.gz`);
  const packed = part && (await readValue("parts", part.sha256));
  if (!packed) throw new Error(`missing: ${name}`);
  const body = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(body, { headers: { "Content-Type": type } });
}

// Pyodide fetches its parts. They come from the database.
self.fetch = (wanted, options) => {
  const url = String(wanted.url ?? wanted);
  return url.startsWith(PARTS.href) ? unpackedPart(url.slice(PARTS.href.length)) : plainFetch(wanted, options);
};
