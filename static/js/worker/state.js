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

// Whether this phone may know more than the server about a key's stream, and so answers itself: something is unsent,
// and that stream is not known to be level with the server. A page without key shows several streams.
export const isMine = (key) => Boolean(state.unsent) && !state.level.includes(key);

let deliver = async () => {};

// Names who brings the news to the pages; they are asked for when they are said, so the last are true.
export function telling(way) {
  deliver = way;
}

const news = () => ({ pocket: shown(), unsent: state.unsent, level: state.level, done: state.done, bytes: BUNDLE.bytes, fault: state.fault });

export function tell() {
  return deliver(news);
}
