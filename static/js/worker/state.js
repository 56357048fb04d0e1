// The state of this phone, and the messages about it to its pages.

import { BUNDLE } from "./bundle.js";

export const STATIC_SITE = BUNDLE.site === true;

// Its steps: "preparing" while parts are missing, "asleep" until Python runs, "ready".
export const state = { step: "preparing", done: 0, unsent: 0, level: [], parted: false, sending: false, down: 0, fault: "" };

function shown() {
  if (state.step === "preparing") return "preparing";
  if (state.parted) return "conflict";
  if (state.unsent) return state.sending ? "sending" : "offline";
  return !STATIC_SITE && state.down ? "offline" : "ready";
}

// Returns whether this phone answers itself, because it may know more than the server about a key's stream: something
// is unsent, and the stream is not known to be level with the server. A page without key shows several streams.
export const isMine = (key) => Boolean(state.unsent) && !state.level.includes(key);

let deliver = async () => {};

// Sets the function that sends news to the pages. It reads them when it sends, so they are current.
export function telling(way) {
  deliver = way;
}

const news = () => ({ pocket: shown(), unsent: state.unsent, level: state.level, done: state.done, bytes: BUNDLE.bytes, fault: state.fault });

export function tell() {
  return deliver(news);
}
