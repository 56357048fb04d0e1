// The app of one open page without service worker (plain HTTP). static/js/page_worker.js sends it the page's
// requests. Python starts when the network is lost, or to send entries.

import { ask, boot, offlineApp, refreshState, runExclusively } from "./app.js";
import { adopt, copyStream, keyOf } from "./stream_copies.js";
import { deleteValues, readValue, writeValues } from "./database.js";
import { isUnreachable } from "./network.js";
import { deleteOldParts, isPrepared, prepare, reportFailure } from "./bundle_parts.js";
import { send } from "./upload.js";
import { broadcast, isPhoneAhead, setBroadcaster, state } from "./state.js";

setBroadcaster(async (snapshot) => postMessage(snapshot()));

const keyAt = (path) => keyOf(new URL(path, self.location.origin));

let opened = open();

// Fetches missing parts of the app. If an earlier page left unsent entries, starts it.
function open() {
  const started = start().catch(reportFailure);
  started.catch(() => {});
  return started;
}

async function start() {
  state.fault = "";
  state.unsent = (await readValue("files", "unsent")) ?? 0;
  if (!(await isPrepared())) {
    await prepare();
    await deleteOldParts();
  }
  if (!offlineApp) state.step = "asleep";
  broadcast();
  if (state.unsent) await boot();
}

// Stores the newest copy of a table for use without network.
async function copyTable(path) {
  await opened;
  const key = keyAt(path);
  if (key && !isPhoneAhead(key)) await copyStream(key, storeCopy);
}

function storeCopy(key, text) {
  return writeValues("copies", [
    [key, text]
  ]);
}

async function adoptStoredCopy(key) {
  const copy = await readValue("copies", key);
  if (!copy) return false;
  await adopt(key, copy);
  await deleteValues("copies", [key]);
  return true;
}

// Another page may have left something to send.
async function sendUnsent() {
  await opened;
  if (!offlineApp && !(await readValue("files", "unsent"))) return;
  await boot();
  await runExclusively(refreshState);
  await send();
}

async function answer({ method, path, headers, body }) {
  await opened;
  await boot();
  const key = keyAt(path);
  if (key && !isPhoneAhead(key)) await adoptStoredCopy(key);
  const attempt = () => ask(method, path, headers, body && new TextEncoder().encode(body));
  let response = await attempt();
  if (response.status === 404 && key) {
    // The link is new to this phone. Waiting entries may need it.
    if (!(await adoptStoredCopy(key)) && !isUnreachable()) await copyStream(key).catch(() => {});
    response = await attempt();
  }
  if (!isUnreachable()) send();
  // Only the server can answer for links that this phone does not know.
  return response.status === 404 ? null : { ...response, text: new TextDecoder().decode(response.text) };
}

// What to do on a message of the page, by its first word.
const MESSAGE_HANDLERS = {
  prepare: () => (opened = open()),
  wake: sendUnsent,
  lost: () => opened.then(boot),
  send,
  news: copyTable,
};

self.addEventListener("message", ({ data: [word, details], ports: [port] }) => {
  if (word === "ask")
    answer(details).then(
      (response) => port.postMessage(response),
      () => port.postMessage(null),
    );
  else Promise.resolve(MESSAGE_HANDLERS[word]?.(details)).catch(() => {});
});
