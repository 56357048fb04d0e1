// The state of this phone, and the messages about it to its pages.

import { BUNDLE } from "./bundle.js";

export const STATIC_SITE = BUNDLE.site === true;

// Its steps: "preparing" while parts are missing, "asleep" until Python runs, "ready".
export const state = {
  step: "preparing",
  done: 0,
  unsent: 0,
  syncedKeys: [],
  hasConflict: false,
  sending: false,
  lastFailureAt: 0,
  fault: "",
};

function status() {
  if (state.step === "preparing") return "preparing";
  if (state.hasConflict) return "conflict";
  if (state.unsent) return state.sending ? "sending" : "offline";
  return !STATIC_SITE && state.lastFailureAt ? "offline" : "ready";
}

// Returns whether this phone answers itself, because it may know more than the server about a key's stream: something
// is unsent, and the stream is not known to be the same as the server's. A page without key shows several streams.
export const isPhoneAhead = (key) => Boolean(state.unsent) && !state.syncedKeys.includes(key);

let broadcaster = async () => {};

// Sets the function that sends the state to the pages. It calls `snapshot` when it sends, so the state is current.
export function setBroadcaster(send) {
  broadcaster = send;
}

const snapshot = () => ({
  pocket: status(),
  unsent: state.unsent,
  syncedKeys: state.syncedKeys,
  done: state.done,
  bytes: BUNDLE.bytes,
  fault: state.fault,
});

export function broadcast() {
  return broadcaster(snapshot);
}
