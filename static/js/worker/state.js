// How this phone stands, and what its pages are told of it.

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

// Whether this phone may know more than the server of what a key opens, and so answers itself. Of a
// table that is new here it cannot say; what has no key shows several.
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
