// Shows on every page the state of a prepared phone: without network, sending, in conflict.

import { storageName, ROOT, storage } from "./root.js";

const root = document.documentElement;
const workers = navigator.serviceWorker;
const PREPARED = storageName("bummerl-prepared"); // over plain HTTP: the number of unsent entries of a prepared phone
const WAKE_MS = 20_000; // between uploads; browsers stop a worker that gets no message for 30 seconds

// The card's text in browsers without service worker.
const INSECURE_TEXTS = { absent: "insecure", ready: "open" };

function show({ pocket, unsent, done, bytes, fault }) {
  if ("last" in root.dataset && pocket !== "preparing") {
    delete root.dataset.last; // a second reload would stop the first
    location.reload();
  }
  root.dataset.pocket = pocket;
  root.dataset.unsent = unsent;
  if (hasOwnWorker && !["preparing", "absent"].includes(pocket)) storage.setItem(PREPARED, unsent);
  const says = fault || (workers ? pocket : (INSECURE_TEXTS[pocket] ?? pocket));
  for (const bar of document.querySelectorAll("[data-pocket-progress]")) {
    bar.max = bytes;
    bar.value = done;
    bar.hidden = pocket !== "preparing";
  }
  for (const text of document.querySelectorAll("[data-pocket-says]")) {
    text.hidden = text.dataset.pocketSays !== says;
    for (const count of text.querySelectorAll("[data-count]")) count.textContent = unsent;
  }
}

let hasOwnWorker = false; // whether this page has its own worker
let post = (...words) => workers?.controller?.postMessage(words);

async function startOwnWorker() {
  const { open } = await import("./page_worker.js");
  // The script that hands taps to this phone's own app must be loaded before the network is lost.
  const url = document.querySelector("#outbox")?.dataset.attemptUrl;
  if (url) import(url).catch(() => {});
  hasOwnWorker = true;
  post = open(document.querySelector("[data-bundle]").dataset.bundle, show);
}

export async function prepare() {
  show({ pocket: "preparing", unsent: 0, done: 0, bytes: 1 });
  import("./persistent_storage.js").then(({ askForStorage }) => askForStorage()).catch(() => {});
  try {
    if (workers) {
      const registered = await workers.register(`${ROOT}sw.js`, { type: "module" });
      registered.active?.postMessage(["prepare"]);
    } else if (hasOwnWorker) post("prepare");
    else await startOwnWorker();
  } catch {
    show({ pocket: "absent", unsent: 0, done: 0, bytes: 1, fault: "network" });
  }
}

export async function begin() {
  const unsent = Number((!workers && storage.getItem(PREPARED)) || 0);
  show({ pocket: root.dataset.pocket === "absent" ? "preparing" : root.dataset.pocket, unsent, done: 0, bytes: 1 });
  if (!workers) return startOwnWorker();
  post("look");
  if (document.querySelector("[data-storage]")) import("./persistent_storage.js").catch(() => {});
  copyTables(); // for news that came before this script
}

export const send = () => post("send");
const copyTables = () => post("news", location.pathname);

workers?.addEventListener("message", ({ data }) => data.pocket && show(data));
setInterval(() => document.visibilityState === "visible" && post("wake"), WAKE_MS);
document.body.addEventListener("htmx:sseMessage", copyTables);
document.body.addEventListener("htmx:sseError", () => post("lost"));
addEventListener("online", send);
addEventListener("offline", () => post("lost"));
