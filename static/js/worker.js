// A phone's own Bummerl: the same app, run by Python inside this service worker.
//
// Requests go to the server as long as it answers within PATIENCE. Otherwise, and as long as
// anything recorded here has not reached it, the app in this worker answers. What it records is
// in the browser's database before the answer leaves.
//
// `bundle.py` puts BUNDLE, createPyodideModule and loadPyodide in front of this file.

const PATIENCE = 4000;
const RESTING = 10_000; // how long a dead network is not tried again by a tap
const CACHE = `pocket-${BUNDLE.version}`;
const STATIC = `pocket-static-${BUNDLE.version}`;
const BASE = new URL("./", self.registration.scope);
const PARTS = new URL(`./pocket/${BUNDLE.version}/`, BASE);
const STATIC_SITE = BUNDLE.site === true;

// What the pages are told

let fresh = false; // whether this is a newer version that waits for the evening's end

const state = { step: "preparing", done: 0, unsent: 0, parted: false, sending: false, down: 0, fault: "" };

function shown() {
  if (state.step !== "ready") return "preparing";
  if (state.parted) return "conflict";
  if (state.unsent) return state.sending ? "sending" : "offline";
  return !STATIC_SITE && state.down ? "offline" : "ready";
}

async function tell() {
  if (fresh) return; // the version before it still runs the pages
  const news = { pocket: shown(), unsent: state.unsent, done: state.done, bytes: BUNDLE.bytes, fault: state.fault };
  for (const page of await self.clients.matchAll({ includeUncontrolled: true })) page.postMessage(news);
}

// Preparing: every part fetched once and checked against its checksum

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

async function prepare() {
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

self.addEventListener("install", (event) => {
  fresh = Boolean(self.registration.active);
  event.waitUntil(
    prepare().catch((fault) => {
      state.fault = /tampered/.test(fault.message) ? "tampered" : fault.name === "QuotaExceededError" ? "full" : "network";
      return tell().then(() => {
        throw fault;
      });
    }),
  );
});

async function tidy() {
  fresh = false;
  for (const name of await caches.keys()) {
    if (name.startsWith("pocket-") && ![CACHE, STATIC].includes(name)) await caches.delete(name);
  }
  await self.clients.claim();
}

self.addEventListener("activate", (event) => event.waitUntil(tidy().then(boot)));

// The browser's database: the phone's files, and the last page seen at each address

let opened;

function database() {
  opened ??= new Promise((done, failed) => {
    const asked = indexedDB.open("bummerl", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("files");
      asked.result.createObjectStore("copies");
    };
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  return opened;
}

async function kept(store, name) {
  const db = await database();
  return new Promise((done, failed) => {
    const asked = db.transaction(store).objectStore(store).get(name);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

async function keep(store, entries) {
  const db = await database();
  await new Promise((done, failed) => {
    const change = db.transaction(store, "readwrite", { durability: "strict" });
    for (const [name, value] of entries) change.objectStore(store).put(value, name);
    change.oncomplete = done;
    change.onabort = () => failed(change.error);
  });
}

// The app

const FOLDER = "/book";
const FILES = ["bummerl.db", "cookies.json"];
let python, phone, booting;

async function unpacked(name) {
  const response = await (await caches.open(CACHE)).match(new URL(name, PARTS).href);
  if (!response) throw new Error(`missing: ${name}`);
  return response;
}

// Python asks for its parts by fetch; they lie in the cache.
const outside = self.fetch.bind(self);
self.fetch = async (wanted, options) => {
  const url = String(wanted.url ?? wanted);
  if (!url.startsWith(PARTS.href)) return outside(wanted, options);
  if (!url.endsWith(".wasm")) return unpacked(url.slice(PARTS.href.length));
  const packed = await unpacked("pyodide.asm.wasm.gz");
  const body = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "Content-Type": "application/wasm" } });
};

function boot() {
  booting ??= start().catch((fault) => {
    booting = undefined;
    throw fault;
  });
  return booting;
}

const START = `
import os, sys
if "/app" not in sys.path: sys.path.insert(0, "/app")
os.chdir("/book")
from scorer.pocket.host import Phone
Phone("/book", here, serverless)
`;

async function unpackBook() {
  for (const name of FILES) {
    const path = `${FOLDER}/${name}`;
    if (python.FS.analyzePath(path).exists) python.FS.unlink(path);
    const bytes = await kept("files", name);
    if (bytes) python.FS.writeFile(path, bytes);
  }
}

async function start() {
  python = await loadPyodide({ createPyodideModule, indexURL: PARTS.href });
  const app = await (await unpacked("app.zip")).arrayBuffer();
  python.unpackArchive(new Uint8Array(app), "zip", { extractDir: "/app" });
  python.FS.mkdirTree(FOLDER);
  await unpackBook();
  python.globals.set("here", self.location.origin);
  python.globals.set("serverless", STATIC_SITE);
  phone = python.runPython(START);
  state.step = "ready";
  look();
  tell();
  send();
}

function look() {
  state.unsent = STATIC_SITE ? 0 : phone.unsent;
  state.parted = phone.parted();
}

async function save() {
  const files = FILES.filter((name) => python.FS.analyzePath(`${FOLDER}/${name}`).exists);
  const entries = files.map((name) => [name, python.FS.readFile(`${FOLDER}/${name}`)]);
  look();
  await keep("files", [...entries, ["unsent", state.unsent]]);
}

// What could not be kept did not happen: the app goes back to what the browser's database has.
async function forget() {
  await unpackBook();
  phone.destroy();
  phone = python.runPython(START);
  look();
}

// One request after the other, as Python runs them; none is answered before it is kept.
let turn = Promise.resolve();

function inTurn(work) {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

async function ask(method, url, headers, body) {
  await boot();
  return inTurn(async () => {
    const bytes = python.toPy(body ?? new Uint8Array()).tobytes();
    const answer = taken(phone.answer(method, url, python.toPy(headers), bytes));
    if (method !== "GET" && method !== "HEAD") {
      try {
        await save();
      } catch (fault) {
        console.warn("Bummerl: not kept:", fault);
        await forget();
        return full(headers);
      }
      tell();
      moved();
      if (!resting()) send();
    }
    return answer;
  });
}

// What Python answers, as this worker reads it.
function taken(found) {
  const [status, headers, text] = found.toJs();
  found.destroy();
  return { status, headers, text };
}

// The phone says itself that it is full, in the reader's language.
function full(headers) {
  return taken(phone.full(python.toPy(headers)));
}

const HEADERS = ["accept", "accept-language", "content-type", "hx-request", "hx-target", "hx-trigger", "hx-current-url", "idempotency-key", "if-match", "last-event-id"];

async function alone(request, url, body) {
  const headers = {};
  for (const name of HEADERS)
    if (request.headers.has(name)) headers[name] = request.headers.get(name);
  const { status, headers: lines, text } = await ask(request.method, url.pathname + url.search, headers, body);
  const found = new Headers(lines);
  found.delete("content-length");
  found.set("X-Bummerl", "phone");
  if (status >= 300 && status < 400) return Response.redirect(new URL(found.get("location"), url).href, status);
  return new Response([204, 304].includes(status) ? null : text, { status, headers: found });
}

// Live pages of a phone without network: told whenever it writes

const watching = new Set();

function moved() {
  for (const wake of watching) wake();
}

function live(request, url) {
  let last = request.headers.get("last-event-id") ?? "-1";
  let wake;
  const body = new ReadableStream({
    async start(out) {
      const next = async () => {
        const headers = { "last-event-id": last };
        const { text } = await ask("GET", url.pathname + url.search, headers);
        last = /^id: (\d+)$/m.exec(new TextDecoder().decode(text))?.[1] ?? last;
        out.enqueue(text);
      };
      wake = () => next().catch(() => watching.delete(wake));
      watching.add(wake);
      wake();
    },
    cancel() {
      watching.delete(wake);
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

// Server or phone

const isStatic = (url) => url.pathname.startsWith("/static/");
const isStream = (url) => url.pathname.endsWith("/stream");
const isPart = (url) => url.pathname.startsWith(new URL("./pocket/", BASE).pathname);
const isOurs = (url) => url.origin === self.location.origin && url.pathname !== "/sw.js";

function resting() {
  return STATIC_SITE || (state.down && Date.now() - state.down < RESTING);
}

async function asked(request, body) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const url = request.url;
    const { method, headers, mode, credentials, redirect } = request;
    const options = { method, headers, credentials, redirect, signal: stop.signal };
    const answer = await outside(url, body ? { ...options, body } : options);
    // A gateway that stands before a dead server answers in its place.
    if ([502, 504].includes(answer.status)) throw new Error("gateway");
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
  send();
}

function down() {
  const news = !state.down;
  state.down = Date.now();
  if (news) tell();
}

const keyOf = (url) => /^\/[tbgp]\/([a-z0-9]{20,})/.exec(url.pathname)?.[1];

async function routed(event, url) {
  const { request } = event;
  if (isStatic(url)) return stylish(request, url);
  if (state.step !== "ready") {
    const page = await waking(event, url);
    if (page) return page;
    await boot().catch(() => {});
  }
  const body = ["GET", "HEAD"].includes(request.method) ? undefined : new Uint8Array(await request.arrayBuffer());
  // As long as anything is unsent the phone knows more than the server; some pages only it has.
  const mine = state.unsent || url.pathname === "/pocket";
  const key = keyOf(url);
  if (!resting() && !mine) {
    try {
      const answer = await asked(request, body);
      remember(event, url, answer);
      if (key && answer.ok) event.waitUntil(copied(key).catch(() => {}));
      return answer;
    } catch {
      // No network, or one that hangs: the phone answers itself.
    }
  }
  if (isStream(url)) return live(request, url);
  let answer = await alone(request, url, body);
  if (answer.status === 404 && key && mine && !resting()) {
    // A link that is new to this phone; what waits may be sent by it.
    await copied(key).catch(() => {});
    answer = await alone(request, url, body);
    event.waitUntil(send());
  }
  remember(event, url, answer);
  return answer;
}

// Stylesheets and scripts change their address with their content: what was fetched is good.
async function stylish(request, url) {
  const cache = await caches.open(STATIC);
  const known = await cache.match(request);
  if (known) return known;
  const answer = resting() ? await alone(request, url) : await asked(request).catch(() => alone(request, url));
  if (answer.ok && answer.type !== "opaque") cache.put(request, answer.clone()).catch(() => {});
  return answer;
}

// The last page seen at each table, shown while the app wakes

const isPage = (url) => /^\/([tb]\/\w+)?$/.test(url.pathname) && !url.search;

function remember(event, url, answer) {
  if (event.request.mode !== "navigate" || !answer.ok || !isPage(url)) return;
  const policy = answer.headers.get("content-security-policy");
  const page = answer.clone().text();
  event.waitUntil(page.then((text) => keep("copies", [
    [url.pathname, { text, policy }]
  ])).catch(() => {}));
}

// Answers a page that is opened before the app is awake: by the server where nothing is unsent,
// else as it was last seen; it is loaded again as soon as the app can draw it.
async function waking(event, url) {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return null;
  event.waitUntil(boot().catch(() => {}));
  if (!STATIC_SITE && !(await kept("files", "unsent"))) {
    const answer = await asked(event.request).catch(() => null);
    if (answer) {
      remember(event, url, answer);
      return answer;
    }
  }
  const last = isPage(url) && (await kept("copies", url.pathname));
  if (!last || state.step === "ready") return null;
  const page = last.text.replace(/<html([^>]*) data-pocket="\w+"/, '<html$1 data-last data-pocket="preparing"');
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": last.policy };
  return new Response(page, { headers });
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (!isOurs(url)) return;
  if (isPart(url)) return;
  if (isStream(url) && !resting() && !state.unsent) return; // the server tells its own news
  if (state.step === "ready" || booting) event.respondWith(routed(event, url));
  else event.respondWith(caches.has(CACHE).then((there) => (there ? routed(event, url) : outside(event.request))));
});

// A copy of what this phone holds, fetched while there is a server

const copying = new Map();
const seen = new Map(); // the version of each copy this phone has

function fetchCopy(key, headers = {}) {
  const signal = AbortSignal.timeout(3 * PATIENCE);
  return outside(`/pocket/streams/${key}`, { headers, cache: "no-store", signal });
}

function copied(key) {
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

// What was recorded without network goes to the server, one event after the other

let sending;

function send() {
  if (STATIC_SITE || !phone) return Promise.resolve();
  sending ??= sendAll().finally(() => {
    sending = undefined;
  });
  return sending;
}

async function sendAll() {
  look();
  if (!state.unsent) return;
  state.sending = true;
  tell();
  try {
    for (const parcel of JSON.parse(await inTurn(() => phone.waiting()))) await sendOne(parcel);
    state.down = 0;
  } catch (fault) {
    console.warn("Bummerl: not sent yet:", fault);
    down();
  } finally {
    state.sending = false;
    look();
    tell();
    moved();
  }
}

async function post(path, data, headers = {}) {
  const answer = await outside(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(data),
    signal: AbortSignal.timeout(3 * PATIENCE),
  });
  if (answer.status >= 500 || answer.status === 429) throw new Error("later");
  if (!answer.ok) console.warn(`Bummerl: ${path} answers ${answer.status}:`, await answer.clone().text());
  return answer;
}

// Whether the server says that a link was closed; a 404 of anybody else on the way says nothing.
async function isClosed(answer) {
  const told = await answer.json().catch(() => ({}));
  return ["unknown-key", "not-the-writer"].includes(told.error?.code);
}

// What a closed link keeps from being sent waits for a person, like a version that parted.
async function refused(answer, stream, key, events) {
  if (!(await isClosed(answer))) return copied(key);
  await inTurn(async () => {
    phone.closed(stream, key, events);
    await save();
  });
}

async function sendOne(parcel) {
  if (parcel.birth) {
    const answer = await post("/pocket/streams", parcel.birth);
    if (answer.ok) {
      await inTurn(async () => {
        phone.born(parcel.stream, parcel.birth.streams[0].events.length);
        await save();
      });
    }
    return;
  }
  const key = parcel.keys.scorer ?? Object.values(parcel.keys)[0];
  if (parcel.boxes.length) {
    const answer = await post(`/pocket/streams/${key}/boxes`, parcel.boxes);
    if (!answer.ok) return refused(answer, parcel.stream, key, parcel.base);
  }
  let base = parcel.base;
  for (const [at, { name, role, body }] of parcel.events.entries()) {
    const writer = parcel.keys[role] ?? key;
    const path = `/pocket/streams/${writer}/events`;
    const answer = await post(path, body, { "Idempotency-Key": name, "If-Match": `"${base}"` });
    if (!answer.ok) return refused(answer, parcel.stream, writer, parcel.base + at);
    base = (await answer.json()).seq;
  }
  const answer = await fetchCopy(key);
  if (!answer.ok) throw new Error("later");
  const text = await answer.text();
  await inTurn(async () => {
    phone.settle(parcel.stream, text, parcel.base + parcel.events.length);
    await save();
  });
}

// What the pages say

const WORDS = { look: () => boot().then(tell), wake: () => boot().then(send), send, news };

// A live page was told of another phone's round: it must be here too before the network goes.
function news(path) {
  const key = keyOf(new URL(path, BASE));
  return key && !state.unsent ? copied(key) : Promise.resolve();
}

self.addEventListener("message", (event) => {
  const [word, about] = event.data;
  if (word in WORDS) event.waitUntil(Promise.resolve(WORDS[word](about)).catch(() => {}));
});
