// Shows whether this phone works without network. Only phones that are prepared, or being prepared, load
// offline_status.js for that.

import { own, ROOT, storage } from "./root.js";

const workers = navigator.serviceWorker;
const isOurs = ({ scope } = {}) => scope === new URL(ROOT, location.href).href;
const isPrepared = async () => (workers ? isOurs(await workers.getRegistration()) : Boolean(storage.getItem(own("bummerl-prepared"))));
const prepared = (what) => import("./offline_status.js").then((module) => module[what]());

// A page shown as last seen reloads when the app is ready, except while a form is being sent. The form may be
// sent before offline_status.js is loaded.
addEventListener("submit", (event) => {
  if (!event.defaultPrevented) delete document.documentElement.dataset.last;
});

function say(what) {
  for (const text of document.querySelectorAll("[data-pocket-says]")) text.hidden = text.dataset.pocketSays !== what;
}

// Some browsers let a page install the app; the others have a menu item.
let installing;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installing = event;
  for (const button of document.querySelectorAll("[data-pocket-do=install]")) button.hidden = false;
});
document.addEventListener("click", ({ target }) => {
  const what = target.closest("[data-pocket-do]")?.dataset.pocketDo;
  if (what === "install") installing?.prompt();
  else if (what) prepared(what).catch(() => say("network"));
});

// A new table shows the offer until somebody closes it.
const OFFERED = own("bummerl-offered");

function offer() {
  const line = document.querySelector(".offer");
  if (!line || storage.getItem(OFFERED)) return;
  line.hidden = false;
  line.querySelector("button").addEventListener("click", () => {
    storage.setItem(OFFERED, "yes");
    line.hidden = true;
  });
}

if (await isPrepared()) prepared("begin");
else {
  offer();
  if (workers) workers.addEventListener("controllerchange", () => prepared("begin"), { once: true });
  else say("insecure");
}
