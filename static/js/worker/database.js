// The browser's databases: the phone's files, copies of the server's data, and the app's parts.

import { storageName } from "./root.js";

// The parts have their own database, because an older version may still hold the other one open.
const STORES = { bummerl: ["files", "copies"], "bummerl-parts": ["parts"] };
const databases = new Map();

function database(store) {
  const [name] = Object.entries(STORES).find(([, stores]) => stores.includes(store));
  if (!databases.has(name)) databases.set(name, open(name));
  return databases.get(name);
}

// After a failure, or if the browser closed it, a database is opened anew.
function open(name) {
  const request = indexedDB.open(storageName(name), 1);
  request.onupgradeneeded = () => {
    for (const store of STORES[name]) request.result.createObjectStore(store);
  };
  const opening = resultOf(request);
  const forget = () => databases.delete(name);
  opening.then((db) => {
    db.onclose = forget;
    db.onversionchange = () => {
      db.close();
      forget();
    };
  }, forget);
  return opening;
}

const resultOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function openForReading(store) {
  return (await database(store)).transaction(store).objectStore(store);
}

async function inTransaction(store, work) {
  const db = await database(store);
  return new Promise((resolve, reject) => {
    const change = db.transaction(store, "readwrite", { durability: "strict" });
    change.oncomplete = () => resolve(true);
    change.onabort = () => (change.error ? reject(change.error) : resolve(false));
    work(change.objectStore(store), change);
  });
}

export async function readValue(store, name) {
  return resultOf((await openForReading(store)).get(name));
}

// Reads several in one transaction.
export async function readValues(store, names) {
  const all = await openForReading(store);
  return Promise.all(names.map((name) => resultOf(all.get(name))));
}

export async function readNames(store) {
  return resultOf((await openForReading(store)).getAllKeys());
}

export function writeValues(store, entries) {
  return inTransaction(store, (all) => {
    for (const [name, value] of entries) all.put(value, name);
  });
}

// Stores the entries if `name` is still `before`. Returns whether it was.
export function writeValuesIf(store, name, before, entries) {
  return inTransaction(store, (all, change) => {
    all.get(name).onsuccess = ({ target }) => {
      if (target.result !== before) return change.abort();
      for (const [other, value] of entries) all.put(value, other);
    };
  });
}

export function deleteValues(store, names) {
  return inTransaction(store, (all) => {
    for (const name of names) all.delete(name);
  });
}
