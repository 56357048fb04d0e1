// The app of one open page without service worker (plain HTTP). static/js/page_worker.js sends it the page's
// requests. Python starts when the network is lost, or to send entries.

import { ask, boot, inTurn, look, phone } from "./app.js";
import { adopt, copyStream, keyOf } from "./stream_copies.js";
import { drop, keep, kept } from "./database.js";
import { isUnreachable } from "./network.js";
import { failed, isPrepared, prepare, tidy } from "./parts.js";
import { send } from "./upload.js";
import { isMine, state, tell, telling } from "./state.js";

telling(async (news) => postMessage(news()));

const keyAt = (path) => keyOf(new URL(path, self.location.origin));

let opening = open();

// Fetches missing parts of the app. If an earlier page left unsent entries, starts it.
function open() {
  const done = start().catch(failed);
  done.catch(() => {});
  return done;
}

async function start() {
  state.fault = "";
  state.unsent = (await kept("files", "unsent")) ?? 0;
  if (!(await isPrepared())) {
    await prepare();
    await tidy();
  }
  if (!phone) state.step = "asleep";
  tell();
  if (state.unsent) await boot();
}

// Stores the newest copy of a table for use without network.
async function news(path) {
  await opening;
  const key = keyAt(path);
  if (key && !isMine(key)) await copyStream(key, layBy);
}

function layBy(key, text) {
  return keep("copies", [
    [key, text]
  ]);
}

async function takeUp(key) {
  const copy = await kept("copies", key);
  if (!copy) return false;
  await adopt(key, copy);
  await drop("copies", [key]);
  return true;
}

// Another page may have left something to send.
async function wake() {
  await opening;
  if (!phone && !(await kept("files", "unsent"))) return;
  await boot();
  await inTurn(look);
  await send();
}

async function answer({ method, path, headers, body }) {
  await opening;
  await boot();
  const key = keyAt(path);
  if (key && !isMine(key)) await takeUp(key);
  const attempt = () => ask(method, path, headers, body && new TextEncoder().encode(body));
  let response = await attempt();
  if (response.status === 404 && key) {
    // The link is new to this phone. Waiting entries may need it.
    if (!(await takeUp(key)) && !isUnreachable()) await copyStream(key).catch(() => {});
    response = await attempt();
  }
  if (!isUnreachable()) send();
  // Only the server can answer for links that this phone does not know.
  return response.status === 404 ? null : { ...response, text: new TextDecoder().decode(response.text) };
}

const WORDS = { prepare: () => (opening = open()), wake, lost: () => opening.then(boot), send, news };

self.addEventListener("message", ({ data: [word, about], ports: [port] }) => {
  if (word === "ask") answer(about).then((response) => port.postMessage(response), () => port.postMessage(null));
  else Promise.resolve(WORDS[word]?.(about)).catch(() => {});
});
