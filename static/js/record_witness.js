// Remembers how many entries of an evening this phone saw, and the short hash of the newest. The number never
// decreases, so that tamper_check.js can detect a record that was changed or cut off since.

import { storageName, storage } from "./root.js";

const KEY = storageName("bummerl-witness");
const MAX_TABLES = 60;

export const seenTables = () => JSON.parse(storage.getItem(KEY) ?? "{}");

function remember() {
  const page = document.querySelector("[data-seen]");
  if (!page) return;
  const { table, seen } = page.dataset;
  const number = Number(page.dataset.entry);
  const all = seenTables();
  if ((all[table]?.number ?? 0) >= number) return;
  delete all[table];
  const newest = Object.entries(all).slice(1 - MAX_TABLES);
  storage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(newest), [table]: { number, witness: seen } }));
}

document.body.addEventListener("htmx:afterSettle", remember);
remember();
