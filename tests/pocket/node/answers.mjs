// Sends what waits by the real modules, static/js/outbox_store.js, outbox_attempt.js and outbox_forms.js, while
// something else answers in the server's place: every status, with each body, and redirects that end on
// pages of the server itself. Then the server answers.
//
//     node tests/pocket/node/answers.mjs STATIC_JS INDEXEDDB SERVER ENTRIES PAGES
//
// ENTRIES are {url, body, what} as JSON, PAGES addresses of the server. Prints a line of JSON: how many
// answers came, those after which an entry did not wait any more, and what waits in the end.

import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [scripts, database, server, ...lists] = process.argv.slice(2);
const [entries, pages] = lists.map((list) => JSON.parse(list));
const load = (path) => import(pathToFileURL(path).href);
const { indexedDB } = await load(database);

const BODIES = ["", "<!doctype html><title>Gateway</title><h1>Sign in</h1>", '<div class="notice" role="alert" data-seq="1">OK</div>'];
const EMPTY = [204, 205, 304];
const ODD = [600, 799, 999];
const LED = [300, 301, 302, 303, 307, 308];

// What answers in the server's place.
let instead;
const standIn = createServer((asked, answer) => {
  asked.resume();
  asked.on("end", () => {
    const { status, text, location } = instead;
    answer.writeHead(status, location ? { location } : { "content-type": "text/html" });
    answer.end(EMPTY.includes(status) ? undefined : text);
  });
});
await new Promise((ready) => standIn.listen(0, "127.0.0.1", ready));
let address = `http://127.0.0.1:${standIn.address().port}`;

// What of a browser the modules need.
class DOMParser {
  parseFromString(text) {
    return { querySelector: () => null, body: { textContent: text.replaceAll(/<[^>]*>/g, " ") } };
  }
}
const asked = globalThis.fetch;
const none = () => {};
Object.assign(globalThis, {
  indexedDB,
  DOMParser,
  CustomEvent: class {
    constructor(name, { detail }) {
      this.detail = detail;
    }
  },
  fetch: (url, options) => asked(new URL(url, address), options),
  addEventListener: none,
  location: { get href() { return `${address}/`; }, pathname: "/", reload: none },
  document: { dispatchEvent: none, querySelector: () => null, visibilityState: "visible" },
  localStorage: { getItem: () => null, removeItem: none },
});

const store = await load(`${scripts}/outbox_store.js`);
const { createAttempt } = await load(`${scripts}/outbox_attempt.js`);
const forms = await load(`${scripts}/outbox_forms.js`);

const all = () => store.change((kept) => kept);
const send = createAttempt(store, forms, "tab");

const cases = [];
for (let status = 200; status < 600; status++) for (const text of BODIES) cases.push({ status, text });
for (const status of ODD) cases.push({ status, text: BODIES[1] });
for (const status of LED) for (const page of pages) cases.push({ status, text: "", location: server + page });

const lost = [];
let count = 0;
for (const entry of entries) {
  await store.keep(entry);
  for (instead of cases) {
    await send();
    count += 1;
    const kept = await all();
    if (kept.length === 1 && store.isWaiting(kept[0])) continue;
    lost.push({ url: entry.url, ...instead });
    for (const one of kept) await store.drop(one);
    await store.keep(entry);
  }
  for (const one of await all()) await store.drop(one);
}

// The server answers, and is sent all of it.
address = server;
for (const entry of entries) await store.keep(entry);
await send();
console.log(JSON.stringify({ count, lost, left: await all() }));
process.exit(0);
