// The store of all pages of this phone. It contains entries that are being sent, entries that wait for the
// network, and unread refusals. Each change is one transaction, so that no page overwrites changes of another.
//
// An entry is {id, url, body, what, tab}. `what` is its text for notices, and `tab` is the tab of the tap. `why` is
// the reason of a refusal, and `asked` is the HTML of the server's question. `since` is the time at which a page of
// `tab` took the entry: no other page shows or sends it. An `ordered` entry waits behind refusals for its table.
//
// Neither `why` nor `since`: it waits to be sent. Only `since`: a page is sending it. Only `why`: it was refused, and
// nobody has read that yet. Both: the page sends it after an earlier tap; if the page is left, it counts as refused.

import { storageName, storage } from "./root.js";

const NAME = storageName("bummerl-outbox");
const STORE = "entries";
// Milliseconds after which another page may send an entry that a page took.
const TAKEN_MS = 15_000;
// Names in localStorage that earlier releases used.
const OLD_NAMES = ["bummerl-unsent", "bummerl-refused"].map(storageName);

const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
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
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id", autoIncrement: true });
  const db = await resultOf(request);
  const forget = () => (opened = undefined);
  db.onclose = forget;
  db.onversionchange = () => {
    db.close();
    forget();
  };
  return db;
}

// Entries that the browser cannot store (blocked or full). They last as long as this page.
let memoryOnly = [];
let lastId = 0;
export const isOnlyInMemory = () => memoryOnly.length > 0;

const isAbsentFrom = (before) => (entry) => !before.includes(entry);

const isStored = (entries, { body, why }) => entries.some((one) => (body ? one.body === body : one.why === why));

const withMemoryOnly = (stored) => [...stored, ...memoryOnly.filter((entry) => !isStored(stored, entry))];

// Writes the changes. Returns the new entries with the ids that they get when the transaction completes.
function write(store, before, after) {
  const ids = [];
  const removed = before.filter(({ id }) => !after.some((entry) => entry.id === id));
  for (const { id } of removed) store.delete(id);
  for (const entry of after.filter(isAbsentFrom(before))) {
    const { id, ...rest } = entry;
    store.put(id > 0 ? entry : rest).onsuccess = ({ target }) => ids.push([entry, target.result]);
  }
  return ids;
}

async function transact(work, durability) {
  const db = await database();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, "readwrite", { durability });
    const store = transaction.objectStore(STORE);
    let entries, isChanged, ids, memory;
    store.getAll().onsuccess = ({ target: { result: stored } }) => {
      memory = memoryOnly;
      entries = work(withMemoryOnly(stored));
      isChanged = entries.length !== stored.length || entries.some(isAbsentFrom(stored));
      ids = write(store, stored, entries);
    };
    transaction.oncomplete = () => {
      // Entries that another change failed to store meanwhile stay.
      memoryOnly = memoryOnly.filter(isAbsentFrom(memory));
      for (const [entry, id] of ids) entry.id = id;
      resolve([withMemoryOnly(entries), isChanged]);
    };
    transaction.onabort = () => reject(transaction.error);
  });
}

// Replaces all entries by the result of `work`, and returns them. With "strict" they are on the disk by then,
// unless the browser cannot store them.
export async function change(work, durability = "strict") {
  const [entries, isChanged] = await transact(work, durability).catch(() => {
    memoryOnly = work(memoryOnly);
    for (const entry of memoryOnly) entry.id ??= --lastId;
    return [memoryOnly, true];
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
const showStored = async () => show(await change((entries) => entries));

// Sets the function that shows all entries, now and after each change.
export function showChanges(showAll) {
  show = showAll;
  pages?.addEventListener("message", showStored);
  return showStored();
}

// With the browser's locks, one page sends at a time. Without them two pages may send the same entry, and the
// server records it once.
export const withLock = (work) => (globalThis.navigator?.locks ? navigator.locks.request(NAME, work) : work());

// The life of an entry

export const isWaiting = ({ why, since }) => !why && !since;
export const isUnread = ({ why, since }) => why && !since;

const isSameTable = (one, other) => {
  const [first, second] = [one, other].map(({ body }) => new URLSearchParams(body));
  return one.url === other.url && ["round", "table"].every((name) => first.get(name) === second.get(name));
};

export const waitsBehindRefusal = (entry, entries) =>
  entry.ordered &&
  entries.slice(0, entries.indexOf(entry)).some((one) => one.ordered && one.why && isSameTable(one, entry));

const freed = ({ since, ...entry }) => entry;
const without = (entries, { id }) => entries.filter((one) => one.id !== id);
// Newer input may have replaced the entry.
const isSame = (one, entry) => one.id === entry.id && one.body === entry.body && !one.why;

const withEntry = (entries, entry) =>
  entries.some(({ id }) => id === entry.id) ?
  entries.map((one) => (one.id === entry.id ? entry : one)) : [...entries, entry];

// Returns the entries with a waiting one added, or merged with an older one: `newer` returns which of two counts, or
// false if both do.
function withWaiting(entries, entry, newer) {
  const older = entries.find((one) => isWaiting(one) && one.id !== entry.id && newer?.(one, entry));
  const others = without(entries, entry);
  if (!older) return [...others, freed(entry)];
  const counts = newer(older, entry);
  return others.map((one) => (one === older && counts !== older ? { ...freed(counts), id: older.id } : one));
}

// Stores an entry that the page is sending, or will send after an earlier tap.
export async function begin(entry, tab) {
  const sending = { ...entry, tab, since: Date.now() };
  await change((entries) => [...entries, sending], "relaxed");
  return sending;
}

// Stores an entry that waits or was refused.
export const keep = (entry, newer) =>
  change((entries) => (entry.why ? withEntry(entries, freed(entry)) : withWaiting(entries, entry, newer)));

// Removes an entry that was recorded, read or taken back.
export const drop = (entry) => change((entries) => without(entries, entry));

// Removes an entry after its final response, or stores the reason of its refusal. Returns false if the entry is
// gone or changed, for example because another page was quicker.
async function settle(entry, { why, asked }) {
  let isSettled = false;
  await change((entries) => {
    const settled = entries.find((one) => isSame(one, entry));
    isSettled = Boolean(settled);
    if (!isSettled) return entries;
    return why ? withEntry(entries, { ...settled, why, ...(asked && { asked }) }) : without(entries, entry);
  });
  return isSettled;
}

// Sends waiting entries, the oldest first, until `ask` returns no response. `showResponse` shows one on the page.
export function send(ask, showResponse) {
  return withLock(async () => {
    for (;;) {
      const entries = await change((all) => all);
      const first = entries.find((one) => isWaiting(one) && !waitsBehindRefusal(one, entries));
      const response = first && (await ask(first));
      if (!response) return;
      const isSettled = await settle(first, response);
      // The response could not be stored, so the entry is sent again later.
      if (!isSettled && (await change((all) => all)).some((one) => isSame(one, first))) return;
      showResponse(first, response);
    }
  });
}

// Releases entries of closed pages: they wait again, or their refusal is shown. A new page in a tab has replaced
// the page before it.
export function recover(tab) {
  const now = Date.now();
  const isLeft = (one) => one.since && (one.tab === tab || Math.abs(now - one.since) > TAKEN_MS);
  return change((entries) => entries.map((entry) => (isLeft(entry) ? freed(entry) : entry)));
}

// Moves entries of earlier releases from localStorage to this store. They are removed there last. If an entry is
// moved twice, the server records it once, because it keeps its token.
export async function moveOld() {
  const texts = OLD_NAMES.map((name) => storage.getItem(name));
  const [unsent, refused] = texts;
  if (!unsent && !refused) return;
  const earlier = [].concat(JSON.parse(unsent ?? "[]"), refused ? { why: refused } : []);
  await change((entries) => [...entries, ...earlier.filter((entry) => !isStored(entries, entry))]);
  if (isOnlyInMemory()) return;
  for (const [at, name] of OLD_NAMES.entries()) {
    if (storage.getItem(name) === texts[at]) storage.removeItem(name);
  }
}
