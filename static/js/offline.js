// Shows whether this phone works without network. Only phones that are prepared, or being prepared, load
// offline_status.js for that.

import { storageName, ROOT, storage } from "./root.js";

const workers = navigator.serviceWorker;
const isOurs = ({ scope } = {}) => scope === new URL(ROOT, location.href).href;
const isPrepared = async () =>
  workers ? isOurs(await workers.getRegistration()) : Boolean(storage.getItem(storageName("bummerl-prepared")));
const callOfflineStatus = (name) => import("./offline_status.js").then((module) => module[name]());

// A page shown as last seen reloads when the app is ready, except while a form is being sent. The form may be
// sent before offline_status.js is loaded.
addEventListener("submit", (event) => {
  if (!event.defaultPrevented) delete document.documentElement.dataset.last;
});

function showText(name) {
  for (const text of document.querySelectorAll("[data-pocket-says]")) text.hidden = text.dataset.pocketSays !== name;
}

// Some browsers let a page install the app; the others have a menu item.
let installPrompt;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installPrompt = event;
  for (const button of document.querySelectorAll("[data-pocket-do=install]")) button.hidden = false;
});
document.addEventListener("click", ({ target }) => {
  const action = target.closest("[data-pocket-do]")?.dataset.pocketDo;
  if (action === "install") installPrompt?.prompt();
  else if (action) callOfflineStatus(action).catch(() => showText("network"));
});

// A new table shows the offer until somebody closes it.
const OFFERED = storageName("bummerl-offered");

function offer() {
  const line = document.querySelector(".offer");
  if (!line || storage.getItem(OFFERED)) return;
  line.hidden = false;
  line.querySelector("button").addEventListener("click", () => {
    storage.setItem(OFFERED, "yes");
    line.hidden = true;
  });
}

if (await isPrepared()) callOfflineStatus("begin");
else {
  offer();
  if (workers) workers.addEventListener("controllerchange", () => callOfflineStatus("begin"), { once: true });
  else showText("insecure");
}
