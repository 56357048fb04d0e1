// Keeps the screen on if the browser allows it (only HTTPS or this machine). A page's switch has a default. The
// browser remembers a choice for pages of its kind.

import { own, storage } from "./root.js";

const findSwitch = () => document.querySelector("[data-awake]");
let lock = null;

function isWanted() {
  const button = findSwitch();
  if (!button) return true;
  return (storage.getItem(own(`bummerl-awake-${button.dataset.awake}`)) ?? button.dataset.awakeFirst) === "on";
}

function show() {
  const button = findSwitch();
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(isWanted()));
  button.dataset.awakeNow = lock ? "on" : "off";
}

function handleRelease() {
  lock = null;
  show();
}

// A call or another tab ends the lock, so a visible page requests it again. Changes run one after the other, so
// a lock that is switched off during its request is released afterwards.
let lastChange = Promise.resolve();
const update = () => (lastChange = lastChange.then(change));

async function change() {
  const on = isWanted() && document.visibilityState === "visible";
  if (on && !lock) {
    lock = await navigator.wakeLock.request("screen").catch(() => null);
    lock?.addEventListener("release", handleRelease);
  } else if (!on && lock) {
    await lock.release();
  }
  show();
}

function toggle({ target }) {
  const button = target.closest("[data-awake]");
  if (!button) return;
  storage.setItem(own(`bummerl-awake-${button.dataset.awake}`), isWanted() ? "off" : "on");
  update();
}

if (navigator.wakeLock) {
  document.addEventListener("visibilitychange", update);
  document.addEventListener("click", toggle);
  update();
}
