// Uploads entries made without network: new streams in one request if they fit, other entries one by one.
// A visible page asks for an upload every WAKE_MS (../offline_status.js). While the server is unreachable, network.js
// spares the requests of pages for RETRY_MS.

import { booted, changeAndStore, offlineApp, refreshState, runExclusively } from "./app.js";
import { adopt, fetchCopy } from "./stream_copies.js";
import { notifyLivePages } from "./live.js";
import { fetchFromServer, isFinal, markDown, onReconnect, plainFetch } from "./network.js";
import { ROOT, SERVER_TIMEOUT_MS } from "./root.js";
import { broadcast, STATIC_SITE, state } from "./state.js";

let sending;

export function send() {
  if (STATIC_SITE || !offlineApp) return Promise.resolve();
  sending ??= sendAll().finally(() => {
    sending = undefined;
  });
  return sending;
}

booted.then(send);
onReconnect(() => send().then(notifyLivePages));

async function sendAll() {
  refreshState();
  if (!state.unsent && !state.lastFailureAt) return;
  // Ask first whether the server answers. An answer also ends the offline state of the pages.
  const isReachable = await fetchFromServer(new Request(`${ROOT}health`)).then(
    (answer) => answer.ok && isFinal(answer),
    () => false,
  );
  if (!isReachable || !state.unsent) return;
  state.sending = true;
  broadcast();
  try {
    for (let first = true; first || state.more; first = false) {
      state.more = false; // a large tournament is sent in several parts
      for (const parcel of JSON.parse(await runExclusively(() => offlineApp.unsent_streams())))
        await sendOne(parcel).catch(ignoreBusy);
    }
    state.lastFailureAt = 0;
  } catch (fault) {
    console.warn("Bummerl: not sent yet:", fault);
    markDown();
  } finally {
    state.sending = false;
    refreshState();
    broadcast();
    notifyLivePages();
  }
}

// The server may accept this parcel later. The others are sent meanwhile: a server that opens no new tables accepts
// taps.
const BUSY = "busy";

function ignoreBusy(fault) {
  if (fault.message !== BUSY) throw fault;
}

async function post(path, data, headers = {}) {
  const answer = await plainFetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(data),
    signal: AbortSignal.timeout(3 * SERVER_TIMEOUT_MS),
  });
  if (!isFinal(answer)) throw new Error(answer.headers.has("Bummerl-Answer") ? BUSY : "later");
  if (!answer.ok) console.warn(`Bummerl: ${path} answers ${answer.status}:`, await answer.clone().text());
  return answer;
}

const CLOSED_CODES = ["unknown-key", "not-the-writer"];

// Returns the server's error: code and message.
async function errorOf(answer) {
  const { error } = await answer.json();
  return error;
}

// Returns the server's copy of a key's stream.
async function fetchServerCopy(key) {
  const answer = await fetchCopy(key);
  if (!answer.ok || !isFinal(answer)) throw new Error("later");
  return answer.text();
}

// A refused parcel waits for a person to decide, like a conflict.
async function handleRefusal(answer, { stream, new_stream: isNew }, key) {
  const { code, message } = await errorOf(answer);
  if (CLOSED_CODES.includes(code)) return changeAndStore(() => offlineApp.put_aside_revoked(stream, key));
  const outcome = isNew ? "unchanged" : await adopt(key, await fetchServerCopy(key));
  if (outcome === "conflict") return;
  // The phone now has the server's newer entries, so the parcel can be sent again after them.
  if (outcome === "updated" && code === "stale") state.more = true;
  else await changeAndStore(() => offlineApp.put_aside_refused(stream, message));
}

// Returns the header with the key that proves which tables or tournaments a parcel may add.
const proofHeader = (proof) => (proof ? { "Bummerl-Key": proof } : {});

async function sendOne(parcel) {
  if (parcel.new_stream) {
    const answer = await post(`${ROOT}pocket/streams`, parcel.new_stream, proofHeader(parcel.proof));
    if (!answer.ok) return handleRefusal(answer, parcel, "");
    if (!("fresh" in (await answer.json()))) throw new Error("later");
    const uploadedCount = parcel.new_stream.streams[0].events.length;
    await changeAndStore(() => offlineApp.note_created(parcel.stream, uploadedCount));
    state.more ||= parcel.count > uploadedCount;
    return;
  }
  const key = parcel.keys.scorer ?? Object.values(parcel.keys)[0];
  if (parcel.boxes.length) {
    const answer = await post(`${ROOT}pocket/streams/${key}/boxes`, parcel.boxes);
    if (!answer.ok) return handleRefusal(answer, parcel, key);
  }
  let base = parcel.base;
  for (const { name: idempotencyKey, role, body, proof } of parcel.events) {
    const writerKey = parcel.keys[role] ?? key;
    const path = `${ROOT}pocket/streams/${writerKey}/events`;
    const headers = { "Idempotency-Key": idempotencyKey, "If-Match": `"${base}"`, ...proofHeader(proof) };
    const answer = await post(path, body, headers);
    if (!answer.ok) return handleRefusal(answer, parcel, writerKey);
    const { seq, event } = await answer.json();
    base = seq;
    await changeAndStore(() => offlineApp.replace_first_unsent(parcel.stream, seq, JSON.stringify(event)));
  }
  await adopt(key, await fetchServerCopy(key));
}
