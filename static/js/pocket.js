// Shows on every page how this phone stands: prepared, without network, sending, in conflict.

const root = document.documentElement;
const workers = navigator.serviceWorker;
const BEAT = 20_000; // browsers stop a worker that nobody speaks to for half a minute

// A page as it was last seen gives way to the present one.
function show({ pocket, unsent, done, bytes, fault }) {
  if ("last" in root.dataset && pocket !== "preparing") location.reload();
  root.dataset.pocket = pocket;
  root.dataset.unsent = unsent;
  for (const bar of document.querySelectorAll("[data-pocket-progress]")) {
    bar.max = bytes;
    bar.value = done;
    bar.hidden = pocket !== "preparing";
  }
  for (const text of document.querySelectorAll("[data-pocket-says]")) {
    text.hidden = text.dataset.pocketSays !== (fault || pocket);
    for (const count of text.querySelectorAll("[data-count]")) count.textContent = unsent;
  }
}

function speak(...words) {
  workers.controller?.postMessage(words);
}

async function prepare() {
  show({ pocket: "preparing", unsent: 0, done: 0, bytes: 1 });
  navigator.storage?.persist?.();
  try {
    await workers.register("/sw.js", { type: "module" });
  } catch {
    root.dataset.pocket = "absent";
  }
}

// Browsers that install by themselves say so; the others have it in their menu.
let installing;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installing = event;
  for (const button of document.querySelectorAll("[data-pocket-do=install]")) button.hidden = false;
});
document.addEventListener("click", ({ target }) => target.closest("[data-pocket-do=install]") && installing?.prompt());

if (!workers) {
  for (const text of document.querySelectorAll("[data-pocket-says]")) text.hidden = text.dataset.pocketSays !== "insecure";
  for (const button of document.querySelectorAll("[data-pocket-do=prepare]")) button.hidden = true;
}

if (workers) {
  workers.addEventListener("message", ({ data }) => data.pocket && show(data));
  workers.getRegistration().then((found) => {
    if (!found) return;
    show({ pocket: root.dataset.pocket === "absent" ? "preparing" : root.dataset.pocket, unsent: 0, done: 0, bytes: 1 });
    speak("look");
  });
  setInterval(() => document.visibilityState === "visible" && speak("wake"), BEAT);
  document.body.addEventListener("htmx:sseMessage", () => speak("news", location.pathname));
  addEventListener("online", () => speak("send"));
  addEventListener("offline", () => speak("wake"));
  document.addEventListener("click", ({ target }) => target.closest("[data-pocket-do=prepare]") && prepare());
}
