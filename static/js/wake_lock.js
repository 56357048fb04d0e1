// Keeps the screen on where the browser allows it (HTTPS or this machine only). A page's switch
// says whether it wants that at first; what is chosen then is remembered for pages of its kind.

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

// A call or another tab ends it, so it is asked for again whenever the page is seen. One change after
// the other: what is switched off while the lock is on its way is let go when it has come.
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
