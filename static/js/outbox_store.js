// All that must not be lost on this phone: what is on its way, what waits for the network, and why
// something was refused, until somebody has read it. Its pages share one store, and each change reads
// and writes in one transaction, so that no page writes over what another keeps.
//
// An entry is {id, url, body, what, tab}: `tab` is the tab it was tapped in. With `why` it was refused, and
// `asked` is the form, as HTML, that the server asked with; with `since` a page of `tab` is still at it, and no
// other shows or sends it. With `ordered` it waits behind what was refused of its `url`.

import { own, storage } from "./root.js";

const NAME = own("bummerl-outbox");
const STORE = "entries";
// Milliseconds after which a page is no longer at what it took up.
const LATE = 15_000;
// What earlier releases wrote.
const EARLIER = ["bummerl-unsent", "bummerl-refused"].map(own);

const done = (asked) => new Promise((found, failed) => {
  asked.onsuccess = () => found(asked.result);
  asked.onerror = () => failed(asked.error);
});

let opened;

function database() {
  opened ??= open().catch((fault) => {
    opened = undefined;
    throw fault;
  });
  return opened;
}

async function open() {
  const asked = indexedDB.open(NAME, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id", autoIncrement: true });
  const db = await done(asked);
  const forget = () => (opened = undefined);
  db.onclose = forget;
  db.onversionchange = () => {
    db.close();
    forget();
  };
  return db;
}

// What the browser does not keep, because it is blocked or full, lives as long as this page.
let unkept = [];
let last = 0;
export const isUnkept = () => unkept.length > 0;

const isNew = (before) => (entry) => !before.includes(entry);

const isThere = (entries, { body, why }) => entries.some((one) => (body ? one.body === body : one.why === why));

const together = (stored) => [...stored, ...unkept.filter((entry) => !isThere(stored, entry))];

// Says under which names it wrote what has none there: it has them once the whole change is kept.
function write(store, before, after) {
  const named = [];
  const gone = before.filter(({ id }) => !after.some((entry) => entry.id === id));
  for (const { id } of gone) store.delete(id);
  for (const entry of after.filter(isNew(before))) {
    const { id, ...rest } = entry;
    store.put(id > 0 ? entry : rest).onsuccess = ({ target }) => named.push([entry, target.result]);
  }
  return named;
}

async function kept(work, durability) {
  const db = await database();
  return new Promise((found, failed) => {
    const change = db.transaction(STORE, "readwrite", { durability });
    const store = change.objectStore(STORE);
    let entries, isChanged, named, taken;
    store.getAll().onsuccess = ({ target: { result: stored } }) => {
      taken = unkept;
      entries = work(together(stored));
      isChanged = entries.length !== stored.length || entries.some(isNew(stored));
      named = write(store, stored, entries);
    };
    change.oncomplete = () => {
      // What another change of this page could not keep meanwhile stays.
      unkept = unkept.filter(isNew(taken));
      for (const [entry, id] of named) entry.id = id;
      found([together(entries), isChanged]);
    };
    change.onabort = () => failed(change.error);
  });
}

// Makes other entries of all of them by `work`, and says which they are then. What was changed is on
// the disk then, unless it is only on its way.
export async function change(work, durability = "strict") {
  const [entries, isChanged] = await kept(work, durability).catch(() => {
    unkept = work(unkept);
    for (const entry of unkept) entry.id ??= --last;
    return [unkept, true];
  });
  if (isChanged) {
    pages?.postMessage(null);
    show(entries);
  }
  return entries;
}

// Other pages

let show = () => {};
const pages = globalThis.BroadcastChannel && new BroadcastChannel(NAME);
const look = async () => show(await change((entries) => entries));

// Names who shows all entries, as often as they change.
export function watch(way) {
  show = way;
  pages?.addEventListener("message", look);
  return look();
}

// One page after the other sends, where browsers have a lock; where not, what two send at once is
// recorded once all the same.
export const inTurn = (work) => (globalThis.navigator?.locks ? navigator.locks.request(NAME, work) : work());

// What happens to an entry

export const isWaiting = ({ why, since }) => !why && !since;
export const isUnread = ({ why, since }) => why && !since;

export const isHeld = (entry, entries) =>
  entry.ordered && entries.slice(0, entries.indexOf(entry)).some(({ ordered, url, why }) => ordered && why && url === entry.url);

const free = ({ since, ...entry }) => entry;
const without = (entries, { id }) => entries.filter((one) => one.id !== id);
// Something typed since may have taken its place.
const isSame = (one, entry) => one.id === entry.id && one.body === entry.body && !one.why;

const inPlace = (entries, entry) =>
  entries.some(({ id }) => id === entry.id) ? entries.map((one) => (one.id === entry.id ? entry : one)) : [...entries, entry];

// Puts what waits where it belongs: `merged` tells which of two counts, nothing where they are not the same.
function queued(entries, entry, merged) {
  const other = entries.find((one) => isWaiting(one) && one.id !== entry.id && merged?.(one, entry));
  const rest = without(entries, entry);
  if (!other) return [...rest, free(entry)];
  const counts = merged(other, entry);
  return rest.map((one) => (one === other && counts !== other ? { ...free(counts), id: other.id } : one));
}

// A page is at it: it is sent right now, or waits in the page for what is sent before it.
export async function begin(entry, tab) {
  const taken = { ...entry, tab, since: Date.now() };
  await change((entries) => [...entries, taken], "relaxed");
  return taken;
}

// It waits, or it was refused and is shown.
export const keep = (entry, merged) => change((entries) => (entry.why ? inPlace(entries, free(entry)) : queued(entries, entry, merged)));

// Nothing more is to be done: it was recorded, or read.
export const drop = (entry) => change((entries) => without(entries, entry));

// It was answered for good; if that says why it was refused, this stays until somebody has read it. Another
// page may have been quicker.
async function settle(entry, { why, asked }) {
  let isSettled = false;
  await change((entries) => {
    const settled = entries.find((one) => isSame(one, entry));
    isSettled = Boolean(settled);
    if (!isSettled) return entries;
    return why ? inPlace(entries, { ...settled, why, ...(asked && { asked }) }) : without(entries, entry);
  });
  return isSettled;
}

// Sends what waits, the oldest first, as long as `ask` answers. `show` shows an answer in its place, where it
// can.
export function send(ask, show) {
  return inTurn(async () => {
    for (;;) {
      const entries = await change((all) => all);
      const first = entries.find((one) => isWaiting(one) && !isHeld(one, entries));
      const answer = first && (await ask(first));
      if (!answer) return;
      const isSettled = await settle(first, answer);
      // Nothing can be noted of the answer: it is asked for again later, not at once.
      if (!isSettled && (await change((all) => all)).some((one) => isSame(one, first))) return;
      show(first, answer);
    }
  });
}

// What a page was at that is no more waits, or is shown. Who opens a page has left the one before it
// in the same tab.
export function recover(tab) {
  const now = Date.now();
  const isLeft = ({ since, tab: its }) => since && (its === tab || Math.abs(now - since) > LATE);
  return change((entries) => entries.map((entry) => (isLeft(entry) ? free(entry) : entry)));
}

// What an earlier release left in the browser's other storage comes here. It goes there only when it is
// here: what is taken over twice is recorded once, under the name it has.
export async function takeOver() {
  const found = EARLIER.map((name) => storage.getItem(name));
  const [unsent, refused] = found;
  if (!unsent && !refused) return;
  const earlier = [].concat(JSON.parse(unsent ?? "[]"), refused ? { why: refused } : []);
  await change((entries) => [...entries, ...earlier.filter((entry) => !isThere(entries, entry))]);
  if (isUnkept()) return;
  for (const [at, name] of EARLIER.entries()) {
    if (storage.getItem(name) === found[at]) storage.removeItem(name);
  }
}
