// The first visit of a site without a server: fetch the app, then show it at this address.

const root = document.documentElement;
const bar = document.querySelector("progress");
const button = document.querySelector("[data-pocket-do=prepare]");
const fault = document.querySelector("#fault");

navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  root.dataset.pocket = data.pocket;
  bar.max = data.bytes;
  bar.value = data.done;
  if (data.pocket === "ready") location.reload();
  if (data.fault) failed();
});

function failed() {
  root.dataset.pocket = "absent";
  fault.hidden = false;
  button.hidden = false;
  bar.hidden = true;
}

async function prepare() {
  root.dataset.pocket = "preparing";
  fault.hidden = true;
  button.hidden = true;
  bar.hidden = false;
  navigator.storage?.persist?.();
  try {
    await navigator.serviceWorker.register(new URL("sw.js", import.meta.url), { type: "module" });
  } catch {
    failed();
  }
}

button.addEventListener("click", prepare);
