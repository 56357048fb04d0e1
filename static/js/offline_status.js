// Shows on every page the state of a prepared phone: without network, sending, in conflict.

import { own, ROOT, storage } from "./root.js";

const root = document.documentElement;
const workers = navigator.serviceWorker;
const PREPARED = own("bummerl-prepared"); // over plain HTTP: the number of unsent entries of a prepared phone
const BEAT = 20_000; // browsers stop a worker that gets no message for 30 seconds

// The card's text in browsers without service worker.
const PLAIN = { absent: "insecure", ready: "open" };

function show({ pocket, unsent, done, bytes, fault }) {
  if ("last" in root.dataset && pocket !== "preparing") {
    delete root.dataset.last; // a second reload would stop the first
    location.reload();
  }
  root.dataset.pocket = pocket;
  root.dataset.unsent = unsent;
  if (taken && !["preparing", "absent"].includes(pocket)) storage.setItem(PREPARED, unsent);
  const says = fault || (workers ? pocket : (PLAIN[pocket] ?? pocket));
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

let taken = false; // whether this page has its own worker
let speak = (...words) => workers?.controller?.postMessage(words);

async function take() {
  const { open } = await import("./page_worker.js");
  // The script that hands taps to this phone's own app must be loaded before the network is lost.
  const sending = document.querySelector("#outbox")?.dataset.sending;
  if (sending) import(sending).catch(() => {});
  taken = true;
  speak = open(document.querySelector("[data-bundle]").dataset.bundle, show);
}

export async function prepare() {
  show({ pocket: "preparing", unsent: 0, done: 0, bytes: 1 });
  import("./storage_promise.js").then(({ askPromise }) => askPromise()).catch(() => {});
  try {
    if (workers) {
      const registered = await workers.register(`${ROOT}sw.js`, { type: "module" });
      registered.active?.postMessage(["prepare"]);
    } else if (taken) speak("prepare");
    else await take();
  } catch {
    show({ pocket: "absent", unsent: 0, done: 0, bytes: 1, fault: "network" });
  }
}

export async function begin() {
  const unsent = Number((!workers && storage.getItem(PREPARED)) || 0);
  show({ pocket: root.dataset.pocket === "absent" ? "preparing" : root.dataset.pocket, unsent, done: 0, bytes: 1 });
  if (!workers) return take();
  speak("look");
  if (document.querySelector("[data-storage]")) import("./storage_promise.js").catch(() => {});
  copy(); // for news that came before this script
}

export const send = () => speak("send");
const copy = () => speak("news", location.pathname);

workers?.addEventListener("message", ({ data }) => data.pocket && show(data));
setInterval(() => document.visibilityState === "visible" && speak("wake"), BEAT);
document.body.addEventListener("htmx:sseMessage", copy);
document.body.addEventListener("htmx:sseError", () => speak("lost"));
addEventListener("online", send);
addEventListener("offline", () => speak("lost"));
