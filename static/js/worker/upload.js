// Uploads entries made without network: new streams whole, other entries one by one.

import { awake, change, inTurn, look, phone } from "./app.js";
import { adopt, fetchCopy } from "./stream_copies.js";
import { moved } from "./live.js";
import { down, fetchFromServer, isFinal, PATIENCE, plainFetch, whenBack } from "./network.js";
import { ROOT } from "./root.js";
import { STATIC_SITE, state, tell } from "./state.js";

let sending;

export function send() {
  if (STATIC_SITE || !phone) return Promise.resolve();
  sending ??= sendAll().finally(() => {
    sending = undefined;
  });
  return sending;
}

awake.then(send);
whenBack(() => send().then(moved));

async function sendAll() {
  look();
  if (!state.unsent && !state.down) return;
  // A small request comes first, because entries are prepared only for a server that answers. It also ends the
  // offline state of the pages.
  const there = await fetchFromServer(new Request(`${ROOT}health`)).then((answer) => answer.ok && isFinal(answer), () => false);
  if (!there || !state.unsent) return;
  state.sending = true;
  tell();
  try {
    for (let first = true; first || state.more; first = false) {
      state.more = false; // a large tournament is sent in several parts
      for (const parcel of JSON.parse(await inTurn(() => phone.unsent_streams()))) await sendOne(parcel).catch(unlessBusy);
    }
    state.down = 0;
  } catch (fault) {
    console.warn("Bummerl: not sent yet:", fault);
    down();
  } finally {
    state.sending = false;
    look();
    tell();
    moved();
  }
}

// The server may accept this later. Other parcels are sent, such as taps when the server opens no new tables.
const BUSY = "busy";

function unlessBusy(fault) {
  if (fault.message !== BUSY) throw fault;
}

async function post(path, data, headers = {}) {
  const answer = await plainFetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(data),
    signal: AbortSignal.timeout(3 * PATIENCE),
  });
  if (!isFinal(answer)) throw new Error(answer.headers.has("Bummerl-Answer") ? BUSY : "later");
  if (!answer.ok) console.warn(`Bummerl: ${path} answers ${answer.status}:`, await answer.clone().text());
  return answer;
}

const CLOSED = ["unknown-key", "not-the-writer"];

// Returns the server's error: code and message.
async function reason(answer) {
  const { error } = await answer.json();
  return error;
}

// Returns the server's copy of a key's stream.
async function present(key) {
  const answer = await fetchCopy(key);
  if (!answer.ok || !isFinal(answer)) throw new Error("later");
  return answer.text();
}

// A refused parcel waits for a person to decide, like a conflict.
async function refused(answer, { stream, new_stream: isNew }, key) {
  const { code, message } = await reason(answer);
  if (CLOSED.includes(code)) return change(() => phone.closed(stream, key));
  const came = isNew ? "same" : await adopt(key, await present(key));
  if (came === "parted") return;
  // Behind the server's newer entries it can be sent again.
  if (came === "moved" && code === "stale") state.more = true;
  else await change(() => phone.refused(stream, message));
}

// Returns the keys that prove which tables or tournaments a parcel may add.
const proven = (proof) => (proof ? { "Bummerl-Key": proof } : {});

async function sendOne(parcel) {
  if (parcel.new_stream) {
    const answer = await post(`${ROOT}pocket/streams`, parcel.new_stream, proven(parcel.proof));
    if (!answer.ok) return refused(answer, parcel, "");
    if (!("fresh" in (await answer.json()))) throw new Error("later");
    const sent = parcel.new_stream.streams[0].events.length;
    await change(() => phone.note_created(parcel.stream, sent));
    state.more ||= parcel.count > sent;
    return;
  }
  const key = parcel.keys.scorer ?? Object.values(parcel.keys)[0];
  if (parcel.boxes.length) {
    const answer = await post(`${ROOT}pocket/streams/${key}/boxes`, parcel.boxes);
    if (!answer.ok) return refused(answer, parcel, key);
  }
  let base = parcel.base;
  for (const { name, role, body, proof } of parcel.events) {
    const writer = parcel.keys[role] ?? key;
    const path = `${ROOT}pocket/streams/${writer}/events`;
    const headers = { "Idempotency-Key": name, "If-Match": `"${base}"`, ...proven(proof) };
    const answer = await post(path, body, headers);
    if (!answer.ok) return refused(answer, parcel, writer);
    const { seq, event } = await answer.json();
    base = seq;
    await change(() => phone.replace_first_unsent(parcel.stream, seq, JSON.stringify(event)));
  }
  await adopt(key, await present(key));
}
