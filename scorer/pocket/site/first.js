// The first visit of a site without a server: fetch the app, then show it at this address.

const LANGUAGES = ["de", "it", "fr", "en"];
const root = document.documentElement;
const bar = document.querySelector("progress");
const size = document.querySelector(".size");
const button = document.querySelector("[data-pocket-do=prepare]");
const workers = navigator.serviceWorker;

root.lang = navigator.languages.map((language) => language.slice(0, 2)).find((code) => LANGUAGES.includes(code)) ?? "en";

const megabytes = (bytes) => (bytes / 1e6).toLocaleString(root.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function show(fault) {
  for (const one of document.querySelectorAll("[data-fault]")) one.hidden = one.dataset.fault !== fault;
}

workers?.addEventListener("message", ({ data }) => {
  root.dataset.pocket = data.pocket;
  bar.max = data.bytes;
  bar.value = data.done;
  size.textContent = `${megabytes(data.done)} / ${megabytes(data.bytes)} MB`;
  if (data.pocket === "ready") location.reload();
  if (data.fault) failed(data.fault);
});

function failed(fault) {
  root.dataset.pocket = "absent";
  show(fault);
  button.hidden = fault === "https" || fault === "old";
  bar.hidden = true;
  size.hidden = true;
}

// Whether the browser keeps what is stored here.
function keeps() {
  return new Promise((done) => {
    try {
      const request = indexedDB.open("bummerl-probe");
      request.onsuccess = () => {
        request.result.close();
        indexedDB.deleteDatabase("bummerl-probe");
        done(true);
      };
      request.onerror = () => done(false);
    } catch {
      done(false);
    }
  });
}

// Why the service worker did not come.
async function reason(address) {
  try {
    const { ok, headers } = await fetch(address, { method: "HEAD", cache: "no-store" });
    return ok && /javascript/.test(headers.get("content-type")) ? "old" : "host";
  } catch {
    return "network";
  }
}

async function prepare() {
  if (!isSecureContext) return failed("https");
  if (!(await keeps())) return failed("storage");
  if (!workers || !globalThis.WebAssembly || !globalThis.DecompressionStream) return failed("old");
  root.dataset.pocket = "preparing";
  show();
  button.hidden = true;
  bar.hidden = false;
  size.hidden = false;
  navigator.storage?.persist?.();
  const address = new URL("sw.js", import.meta.url);
  try {
    const registration = await workers.register(address, { type: "module" });
    // One that is there already tries again what it could not fetch.
    registration.active?.postMessage(["prepare"]);
  } catch {
    failed(await reason(address));
  }
}

button.addEventListener("click", prepare);
