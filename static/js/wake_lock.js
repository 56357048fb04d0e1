// Keeps the screen on if the browser allows it (only HTTPS or this machine). `data-awake` names a kind of page. The
// browser remembers for each kind what its switch was set to; the pad's switch is in the menu.

import { storageName, storage } from "./root.js";

const findSwitch = () => document.querySelector("[data-awake]");
let lock = null;

function isWanted() {
  const element = findSwitch();
  if (!element) return true;
  const stored = storage.getItem(storageName(`bummerl-awake-${element.dataset.awake}`));
  return (stored ?? element.dataset.awakeFirst) === "on";
}

function show() {
  const element = findSwitch();
  if (!element) return;
  element.dataset.awakeNow = lock ? "on" : "off";
  if (element.tagName !== "BUTTON") return;
  element.hidden = false;
  element.setAttribute("aria-pressed", String(isWanted()));
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
  const button = target.closest("button[data-awake]");
  if (!button) return;
  storage.setItem(storageName(`bummerl-awake-${button.dataset.awake}`), isWanted() ? "off" : "on");
  update();
}

if (navigator.wakeLock) {
  document.addEventListener("visibilitychange", update);
  document.addEventListener("click", toggle);
  update();
}
