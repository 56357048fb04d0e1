// Two pages share the real modules, static/js/outbox_store.js and outbox_attempt.js, and are refused: each
// case is an order in which a refusal was lost once.
//
//     node tests/pocket/node/refusals.mjs STATIC_JS INDEXEDDB
//
// Prints a line of JSON: by case, what is left to be read or sent.

import { pathToFileURL } from "node:url";

const [scripts, database] = process.argv.slice(2);
const { IDBFactory } = await import(pathToFileURL(database).href);

const none = () => {};
const shown = [];
let answers, asked;

class DOMParser {
  parseFromString(text) {
    return { querySelector: (found) => (found === "[data-seq]" ? {} : null), body: { textContent: text } };
  }
}
Object.assign(globalThis, {
  DOMParser,
  htmx: { swap: (_, text) => shown.push(text) },
  fetch: async (url) => {
    asked.push(url);
    const { status, text } = answers[url];
    return { status, headers: new Headers({ "Bummerl-Answer": "final" }), redirected: false, text: async () => text };
  },
  location: { href: "http://127.0.0.1/t/x", pathname: "/t/x", reload: none },
  document: { dispatchEvent: none, querySelector: () => null },
  localStorage: { getItem: () => null, removeItem: none },
});

let pages = 0;

async function page() {
  pages += 1;
  const load = (script) => import(`${pathToFileURL(`${scripts}/${script}`).href}?${pages}`);
  const store = await load("outbox_store.js");
  const { createAttempt } = await load("outbox_attempt.js");
  const tab = `tab ${pages}`;
  return { store, tab, send: createAttempt(store, null), all: () => store.change((kept) => kept) };
}

const refusal = (text, status = 422) => ({ status, text });
const entry = (url) => ({ url, body: `token=${url}`, what: url });
const left = async ({ all, store }) => (await all()).map((one) => [one.url, one.why ?? "", store.isUnread(one) ? "unread" : "waits"]);

const CASES = {
  // Shown in its place is not read.
  async seen(one, two) {
    answers = { "/t/x/events": refusal("not now") };
    await one.store.keep(entry("/t/x/events"));
    await one.send();
    return [await left(two), shown.length];
  },
  // A page that sends what was tapped on another.
  async elsewhere(one, two) {
    answers = { "/t/x/events": refusal("not now") };
    await one.store.keep(await one.store.begin(entry("/t/x/events"), one.tab));
    await two.send();
    return [await left(one), shown.length];
  },
  // Of two results that are refused neither takes the other's place.
  async two(one, two) {
    answers = { "/e/a": refusal("15:15"), "/e/b": refusal("16:2") };
    for (const url of ["/e/a", "/e/b"]) await one.store.keep(entry(url));
    await one.send();
    return [await left(two), asked.length];
  },
  // Who understood the first on one page has not read what another page was told meanwhile.
  async understood(one, two) {
    answers = { "/e/a": refusal("15:15"), "/e/b": refusal("16:2") };
    await one.store.keep(entry("/e/a"));
    await one.send();
    const read = (await one.all()).find(one.store.isUnread);
    await two.store.keep(entry("/e/b"));
    await two.send();
    await one.store.drop(read);
    return [await left(one), await left(two)];
  },
  // Another result stands: it is told, and not asked for again.
  async superseded(one, two) {
    answers = { "/e/a": refusal("another stands", 409) };
    await one.store.keep(entry("/e/a"));
    await one.send();
    await two.send();
    return [await left(two), asked.length];
  },
};

const found = {};
for (const [name, run] of Object.entries(CASES)) {
  globalThis.indexedDB = new IDBFactory();
  shown.length = 0;
  asked = [];
  found[name] = await run(await page(), await page());
}
console.log(JSON.stringify(found));
process.exit(0);
