// Keeps the screen on if the browser allows it (only HTTPS or this machine). A page's switch has a default. The
// browser remembers a choice for pages of its kind.

import { own, storage } from "./root.js";

const find = () => document.querySelector("[data-awake]");
let lock = null;

function wanted() {
  const button = find();
  if (!button) return true;
  return (storage.getItem(own(`bummerl-awake-${button.dataset.awake}`)) ?? button.dataset.awakeFirst) === "on";
}

function show() {
  const button = find();
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(wanted()));
  button.dataset.awakeNow = lock ? "on" : "off";
}

function released() {
  lock = null;
  show();
}

// A call or another tab ends the lock, so a visible page requests it again. Changes run one after the other, so
// a lock that is switched off during its request is released afterwards.
let turn = Promise.resolve();
const hold = () => (turn = turn.then(change));

async function change() {
  const on = wanted() && document.visibilityState === "visible";
  if (on && !lock) {
    lock = await navigator.wakeLock.request("screen").catch(() => null);
    lock?.addEventListener("release", released);
  } else if (!on && lock) {
    await lock.release();
  }
  show();
}

function turned({ target }) {
  const button = target.closest("[data-awake]");
  if (!button) return;
  storage.setItem(own(`bummerl-awake-${button.dataset.awake}`), wanted() ? "off" : "on");
  hold();
}

if (navigator.wakeLock) {
  document.addEventListener("visibilitychange", hold);
  document.addEventListener("click", turned);
  hold();
}
