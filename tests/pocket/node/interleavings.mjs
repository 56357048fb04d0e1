// Runs two pages and a worker against the real modules, static/js/outbox_store.js and
// worker/database.js, in as many orders as seeds are given. Every await is a possible switch: what comes
// next (a transaction, an answer, a lock, a message, another tap, the end of a page) is drawn by the seed.
//
//     node tests/pocket/node/interleavings.mjs STATIC_JS INDEXEDDB FROM TO
//
// Prints a line of JSON: how many runs, taps, kills and refusals; the first run that loses or doubles
// a tap ends it with status 1 and its seed.

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [scripts, database, from, to] = process.argv.slice(2);
const really = globalThis.setImmediate;
const pending = []; // tasks of IndexedDB, in their order
globalThis.setImmediate = (task) => pending.push(task);
const { IDBFactory } = await import(pathToFileURL(database).href);

const GLOBALS = ["indexedDB", "navigator", "BroadcastChannel", "localStorage", "Date"];

// Makes modules of one script, each with the globals of its own page.
async function modules(script) {
  const text = await readFile(`${scripts}/${script}`, "utf8");
  const names = [...text.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)].map(([, name]) => name);
  const body = text.replaceAll(/^export /gm, "").replaceAll(/^import .*$/gm, "").replaceAll("globalThis", "self");
  const made = new Function("self", "storageName", `const storage = self.localStorage;
const { ${GLOBALS.join(", ")} } = self;\n${body}\nreturn { ${names.join(", ")} };`);
  return (globals) => made(globals, (name) => name);
}

const openStore = await modules("outbox_store.js");
const openDatabase = await modules("worker/database.js");

const KILLS = 3;
const MAX_STEPS = 20_000; // steps of a run; what takes more goes round in circles

// Mulberry32: the same numbers for the same seed.
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const field = (body, name) => new URLSearchParams(body).get(name);
const tokenOf = (entry) => field(entry.body, "token");
// As on a page with forms: what is typed again in one place takes the place of what waits.
const merged = (one, entry) => field(one.body, "place") && field(one.body, "place") === field(entry.body, "place") && entry;

class World {
  constructor(seed) {
    this.random = numbers(seed);
    this.hasLocks = seed % 2 === 0;
    this.now = 1_000_000;
    this.tasks = []; // {of, run}: what may happen next
    this.databases = new IDBFactory();
    this.items = new Map(); // localStorage
    this.granted = undefined;
    this.asking = [];
    this.pages = new Set();
    this.recorded = new Map(); // how often, by token
    this.taps = new Map(); // what was kept, by token
    this.shown = new Set();
    this.replaced = new Set();
    this.forgotten = new Set();
    this.isFull = seed % 4 > 1;
    this.aborts = 0;
    this.kills = 0;
    this.isPerfect = false;
    this.steps = 0;
  }

  chance(part) {
    return this.random() < part;
  }

  // What `of` waits for; nothing where it is gone meanwhile.
  happens(of) {
    return new Promise((run) => this.tasks.push({ of, run }));
  }

  async step() {
    this.steps += 1;
    if (this.steps > MAX_STEPS) throw new Error("it does not end");
    this.tasks = this.tasks.filter(({ of }) => !of?.isGone);
    const count = this.tasks.length + Boolean(pending.length);
    if (!count) return false;
    const at = Math.floor(this.random() * count);
    if (at < this.tasks.length) this.tasks.splice(at, 1)[0].run();
    else pending.shift()();
    await new Promise(really);
    return true;
  }

  async quiet() {
    while (await this.step());
  }

  // The server refuses a quarter of all taps, each always.
  judged(token) {
    if (Number(token) % 4 === 0) return { why: "refused" };
    if (!this.recorded.has(token)) this.recorded.set(token, 1);
    return { why: "" };
  }

  // An answer, or null where the network lost the request, or the answer to it.
  async asked(of, token) {
    await this.happens(of);
    if (!this.isPerfect && this.chance(0.25)) return null;
    const answer = this.judged(token);
    await this.happens(of);
    return !this.isPerfect && this.chance(0.25) ? null : answer;
  }
}

// The browser of one page or worker: what it opens ends with it.
class Browser {
  constructor(world) {
    this.world = world;
    this.isGone = false;
    this.changes = new Set();
  }

  get globals() {
    const { world } = this;
    const own = this;
    return {
      indexedDB: { open: (...named) => this.opening(world.databases.open(...named)) },
      navigator: world.hasLocks ? { locks: { request: (_, work) => this.locked(work) } } : {},
      Date: { now: () => world.now },
      localStorage: {
        getItem: (name) => world.items.get(name) ?? null,
        removeItem: (name) => world.items.delete(name),
      },
      BroadcastChannel: class {
        constructor() {
          own.channel = this;
        }

        addEventListener(_, heard) {
          own.heard = heard;
        }

        postMessage() {
          for (const other of world.pages) if (other !== own && other.heard) world.happens(other).then(() => other.heard());
        }
      },
    };
  }

  opening(asked) {
    asked.addEventListener("success", (event) => {
      if (this.isGone) return event.stopImmediatePropagation();
      const transaction = asked.result.transaction.bind(asked.result);
      asked.result.transaction = (...about) => {
        const change = transaction(...about);
        this.changes.add(change);
        this.refused(change);
        for (const end of ["complete", "abort"]) change.addEventListener(end, () => this.changes.delete(change));
        return change;
      };
    });
    return asked;
  }

  // Full storage: the whole change is taken back, even behind what seemed to be written.
  refused() {}

  async locked(work) {
    const { world } = this;
    const mine = { of: this };
    world.asking.push(mine);
    await new Promise((run) => {
      mine.run = run;
      world.grant();
    });
    try {
      return await work();
    } finally {
      if (!this.isGone) world.release();
    }
  }

  // As an empty battery or a closed page does it: a change is either whole or never was.
  kill() {
    const { world } = this;
    this.isGone = true;
    world.kills += 1;
    world.pages.delete(this);
    // What the browser refused to keep ends with its page, which says so as long as it stands.
    for (const entry of this.unkept ?? []) world.forgotten.add(tokenOf(entry));
    for (const change of this.changes) {
      if (world.chance(0.5)) change.abort();
      change.oncomplete = null;
      change.onabort = null;
    }
    world.asking = world.asking.filter(({ of }) => of !== this);
    if (world.granted === this) world.release();
  }
}

Object.assign(World.prototype, {
  grant() {
    if (this.granted || !this.asking.length) return;
    const next = this.asking.shift();
    this.granted = next.of;
    this.happens(next.of).then(next.run);
  },
  release() {
    this.granted = undefined;
    this.grant();
  },
});

// The worker: judges by a book of its own, which it sends home later. Each page on plain HTTP has one, so
// two write in one book.
class Worker extends Browser {
  constructor(world) {
    super(world);
    this.database = openDatabase(this.globals);
  }

  async change(work) {
    for (;;) {
      const [revision, book = []] = await this.database.readValues("files", ["revision", "book"]);
      const after = work(book);
      if (!after) return;
      const entries = [["book", after], ["revision", (revision ?? 0) + 1]];
      if (await this.database.writeValuesIf("files", "revision", revision, entries)) return;
    }
  }

  async judge(token) {
    if (Number(token) % 4 === 0) return { why: "refused" };
    await this.change((book) => !book.includes(token) && [...book, token]);
    return { why: "" };
  }

  async home() {
    const [book = []] = await this.database.readValues("files", ["book"]);
    for (const token of book) {
      if (await this.world.asked(this, token)) await this.change((now) => now.filter((one) => one !== token));
    }
  }
}

// A page as static/js/outbox.js is one: it keeps, sends, shows and has read.
class Page extends Browser {
  constructor(world, tab, workers) {
    super(world);
    Object.assign(this, { tab, workers, entries: [], store: openStore(this.globals) });
    world.pages.add(this);
  }

  get unkept() {
    return this.entries.filter(({ id, body }) => id < 0 && body);
  }

  async refused(change) {
    const { world } = this;
    if (world.isPerfect || !world.isFull || change.mode !== "readwrite" || !world.chance(0.15)) return;
    for (let wait = Math.floor(world.random() * 6); wait; wait--) await world.happens(this);
    if (this.changes.delete(change)) {
      world.aborts += 1;
      change.abort();
    }
  }

  async start() {
    await this.store.recover(this.tab);
    await this.store.showChanges((entries) => (this.entries = entries));
    await this.store.moveOld();
    return this;
  }

  async tap(token) {
    const { world, store } = this;
    const place = world.chance(0.3) ? `&place=${Math.floor(world.random() * 2)}` : "";
    const tap = { url: "/t/x/events", body: `token=${token}${place}`, what: token };
    if (this.entries.some(store.isWaiting)) {
      await store.keep(tap, this.merging);
      if (this.isGone) return;
      world.taps.set(token, tap);
      return;
    }
    const entry = await store.begin(tap, this.tab);
    // Not even kept by the page, which is gone.
    if (this.isGone) return;
    world.taps.set(token, tap);
    const answer = await world.asked(this, token);
    if (!answer) return store.keep(entry, this.merging);
    if (answer.why) world.shown.add(token);
    await store.drop(entry);
  }

  get merging() {
    return (one, entry) => {
      const counts = merged(one, entry);
      if (counts) this.world.replaced.add(tokenOf(one));
      return counts;
    };
  }

  send() {
    const { world } = this;
    const ask = async (entry) => (await world.asked(this, tokenOf(entry))) ?? this.alone(tokenOf(entry));
    return this.store.send(ask, () => {});
  }

  // Its own app on the phone, where there is one.
  alone(token) {
    if (this.world.isPerfect || this.world.chance(0.5)) return null;
    return this.workers[Math.floor(this.world.random() * this.workers.length)].judge(token);
  }

  async understand() {
    const first = this.entries.find(this.store.isUnread);
    if (!first) return;
    if (first.body) this.world.shown.add(tokenOf(first));
    await this.store.drop(first);
  }

  // What somebody does on it, until it is gone.
  async live(next) {
    const { world } = this;
    for (let deed = 0; deed < 4; deed++) {
      await world.happens(this);
      const drawn = world.random();
      if (drawn < 0.5) await this.tap(next());
      else if (drawn < 0.75) await this.send();
      else if (drawn < 0.85) await this.understand();
      else await this.store.recover();
    }
  }
}

async function stored(world) {
  const read = (name, store) => new Promise((found) => {
    const asked = world.databases.open(name, 1);
    asked.onupgradeneeded = () => asked.transaction.abort(); // nobody has kept anything yet
    asked.onerror = () => found([]);
    asked.onsuccess = () => {
      asked.result.transaction(store).objectStore(store).getAll().onsuccess = ({ target }) => found(target.result);
    };
  });
  const both = Promise.all([read("bummerl-outbox", "entries"), read("bummerl", "files")]);
  await world.quiet();
  const [entries, files] = await both;
  return [entries, files.find(Array.isArray) ?? []];
}

// Every tap that was kept is recorded, refused and told, or waits; none is more than one of them.
async function check(world, isEnd) {
  const [entries, book] = await stored(world);
  for (const [token] of world.taps) {
    const unkept = [...world.pages].flatMap((page) => page.unkept);
    const rows = [...entries, ...unkept].filter((entry) => entry.body && tokenOf(entry) === token);
    const isRecorded = world.recorded.has(token) || book.includes(token);
    const isRefused = world.shown.has(token) || rows.some(({ why }) => why);
    const isWaiting = rows.some(({ why }) => !why);
    const isThere = isRecorded || isRefused || isWaiting || world.replaced.has(token) || world.forgotten.has(token);
    const isOne = !(isRecorded && isRefused) && rows.length < 2 && !(isEnd && isWaiting);
    if (!isThere || !isOne) throw new Error(JSON.stringify({ token, rows, isRecorded, isRefused, isEnd }));
  }
}

async function run(seed) {
  const world = new World(seed);
  let token = 0;
  const next = () => String((token += 1));
  world.items.set("bummerl-unsent", JSON.stringify([{ url: "/t/x/events", body: "token=901" }, { url: "/t/x/events", body: "token=904" }]));
  world.items.set("bummerl-refused", "an earlier refusal");
  const workers = [new Worker(world), new Worker(world)];
  const life = async (tab) => {
    const page = new Page(world, tab, workers);
    await page.start();
    for (const body of ["token=901", "token=904"]) world.taps.set(field(body, "token"), { body });
    await page.live(next);
  };
  const faults = [];
  const begin = (tab) => void life(tab).catch((fault) => faults.push(fault));
  ["one", "two"].forEach(begin);
  for (const worker of workers) void world.happens(worker).then(() => worker.home()).catch((fault) => faults.push(fault));
  let left = KILLS;
  while (await world.step()) {
    world.now += Math.floor(world.random() * 400);
    const page = [...world.pages].find(() => world.chance(0.02));
    if (!page || !left) continue;
    left -= 1;
    page.kill();
    begin(page.tab);
  }
  if (faults.length) throw faults[0];
  await check(world, false);
  // The network is back, and somebody opens a page.
  world.isPerfect = true;
  world.now += 60_000;
  for (const page of world.pages) page.kill();
  const final = new Page(world, "three", workers);
  const end = (async () => {
    await final.start();
    await final.store.recover();
    await final.send();
    for (const worker of workers) await worker.home();
  })();
  await world.quiet();
  await end;
  await check(world, true);
  return [world.taps.size, world.kills, world.shown.size, world.aborts];
}

const sums = [0, 0, 0, 0];
for (let seed = Number(from); seed < Number(to); seed++) {
  try {
    (await run(seed)).forEach((value, at) => (sums[at] += value));
  } catch (fault) {
    console.log(`seed ${seed}: ${fault.stack}`);
    process.exit(1);
  }
}
const [taps, kills, shown, aborts] = sums;
console.log(JSON.stringify({ runs: to - from, taps, kills, shown, aborts }));
process.exit(0);
