// Remembers how many entries of an evening this phone saw, and the short hash of the newest. The number never
// decreases, so the score sheet can detect a record that was changed or cut off since.

import { own, storage } from "./root.js";

const KEY = own("bummerl-witness");
const MAX_TABLES = 60;

const seenTables = () => JSON.parse(storage.getItem(KEY) ?? "{}");

function remember() {
  const here = document.querySelector("[data-seen]");
  if (!here) return;
  const { table, seen } = here.dataset;
  const number = Number(here.dataset.entry);
  const all = seenTables();
  if ((all[table]?.number ?? 0) >= number) return;
  delete all[table];
  const newest = Object.entries(all).slice(1 - MAX_TABLES);
  storage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(newest), [table]: { number, witness: seen } }));
}

async function compare(asking) {
  const known = seenTables()[asking.dataset.table];
  if (!known || location.search.includes("seen=")) return;
  const answer = await fetch(`?${new URLSearchParams({ seen: known.witness })}`).catch(() => null);
  if (!answer?.ok) return; // the form itself still asks
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  asking.replaceWith(page.querySelector("#seen"));
}

document.body.addEventListener("htmx:afterSettle", remember);
remember();
const asking = document.querySelector("#seen");
if (asking) compare(asking);
