// The browser's database: the phone's files, and the last page seen at each address.

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

export async function kept(store, name) {
  const db = await database();
  return new Promise((done, failed) => {
    const asked = db.transaction(store).objectStore(store).get(name);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

export async function keep(store, entries) {
  const db = await database();
  await new Promise((done, failed) => {
    const change = db.transaction(store, "readwrite", { durability: "strict" });
    for (const [name, value] of entries) change.objectStore(store).put(value, name);
    change.oncomplete = done;
    change.onabort = () => failed(change.error);
  });
}
