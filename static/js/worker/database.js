// The browser's databases: the phone's files, the copies of what a server has, and the app's parts.

import { own } from "./root.js";

// The parts lie apart: an older version that still runs holds the other database open as it is.
const STORES = { bummerl: ["files", "copies"], "bummerl-parts": ["parts"] };
const opened = new Map();

function database(store) {
  const [name] = Object.entries(STORES).find(([, stores]) => stores.includes(store));
  if (!opened.has(name)) opened.set(name, open(name));
  return opened.get(name);
}

// What could not be opened, or what the browser has closed, is opened anew.
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

// Several at one moment.
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

// Keeps these only while `name` is still `before`, and says whether it was.
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
