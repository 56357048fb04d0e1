// The browser's databases: the phone's files, copies of the server's data, and the app's parts.

import { own } from "./root.js";

// The parts have their own database, because an older version may still hold the other one open.
const STORES = { bummerl: ["files", "copies"], "bummerl-parts": ["parts"] };
const opened = new Map();

function database(store) {
  const [name] = Object.entries(STORES).find(([, stores]) => stores.includes(store));
  if (!opened.has(name)) opened.set(name, open(name));
  return opened.get(name);
}

// After a failure, or if the browser closed it, a database is opened anew.
function open(name) {
  const request = indexedDB.open(own(name), 1);
  request.onupgradeneeded = () => {
    for (const store of STORES[name]) request.result.createObjectStore(store);
  };
  const opening = done(request);
  const forget = () => opened.delete(name);
  opening.then((db) => {
    db.onclose = forget;
    db.onversionchange = () => {
      db.close();
      forget();
    };
  }, forget);
  return opening;
}

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function reading(store) {
  return (await database(store)).transaction(store).objectStore(store);
}

async function writing(store, work) {
  const db = await database(store);
  return new Promise((resolve, reject) => {
    const change = db.transaction(store, "readwrite", { durability: "strict" });
    change.oncomplete = () => resolve(true);
    change.onabort = () => (change.error ? reject(change.error) : resolve(false));
    work(change.objectStore(store), change);
  });
}

export async function kept(store, name) {
  return done((await reading(store)).get(name));
}

// Reads several in one transaction.
export async function keptTogether(store, names) {
  const all = await reading(store);
  return Promise.all(names.map((name) => done(all.get(name))));
}

export async function keptNames(store) {
  return done((await reading(store)).getAllKeys());
}

export function keep(store, entries) {
  return writing(store, (all) => {
    for (const [name, value] of entries) all.put(value, name);
  });
}

// Stores the entries if `name` is still `before`. Returns whether it was.
export function keepWhile(store, name, before, entries) {
  return writing(store, (all, change) => {
    all.get(name).onsuccess = ({ target }) => {
      if (target.result !== before) return change.abort();
      for (const [other, value] of entries) all.put(value, other);
    };
  });
}

export function drop(store, names) {
  return writing(store, (all) => {
    for (const name of names) all.delete(name);
  });
}
