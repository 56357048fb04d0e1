// On live pages: announces news to screen readers, and shows when the connection is lost or the link closed.

const spoken = document.querySelector("#spoken");
const stale = document.querySelector("#stale");
const LATE = 4000;
let since = new Date();
let losing = null;
let closed = false;

function speak() {
  const text = document.querySelector("[data-spoken]")?.dataset.spoken ?? "";
  if (spoken.textContent !== text) spoken.textContent = text;
  document.title = document.querySelector("[data-score]")?.dataset.score ?? document.title;
}

function markLive() {
  clearTimeout(losing);
  losing = null;
  since = new Date();
  stale.hidden = true;
  if (closed) setClosed(false);
}

// A page whose link was closed stays readable; its forms are disabled.
function setClosed(so) {
  closed = so;
  for (const form of document.querySelectorAll("[sse-connect] form")) form.inert = so;
}

// Returns this page's status from our server; 0 without network or if something else answers.
function status() {
  const request = fetch(location.href, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(LATE) });
  return request.then(({ status, headers }) => (headers.has("Bummerl-Answer") ? status : 0), () => 0);
}

const isClosed = (answer) => [403, 404].includes(answer);

function say(what) {
  const time = since.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  stale.textContent = stale.dataset[what].replace("{time}", time);
  stale.hidden = false;
  setClosed(what === "closed");
}

async function lost() {
  losing = null;
  const last = since;
  const gone = closed || isClosed(await status());
  // The connection may be back already.
  if (since === last) say(gone ? "closed" : "lost");
}

// If the stream ended for good, check at once whether the link was closed.
async function ended({ detail }) {
  if (closed) return;
  if (detail.source.readyState === EventSource.CLOSED && isClosed(await status())) say("closed");
  else losingSoon();
}

// After a tap with a closed link, the table stays readable. Other pages reload and show the error.
async function refused({ detail }) {
  if (!isClosed(detail.xhr.status) || !detail.xhr.getResponseHeader("Bummerl-Answer")) return;
  if ("kept" in stale.dataset && isClosed(await status())) say("closed");
  else location.reload();
}

const losingSoon = () => {
  losing ??= setTimeout(lost, LATE);
};
const { body } = document;
for (const name of ["htmx:sseOpen", "htmx:sseMessage"]) body.addEventListener(name, markLive);
for (const name of ["htmx:sseMessage", "htmx:afterSettle"]) body.addEventListener(name, speak);
body.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && markLive());
body.addEventListener("htmx:sseError", ended);
body.addEventListener("htmx:responseError", refused);
body.addEventListener("lost", lost);
// A laptop that runs the server itself reaches it without a network.
addEventListener("offline", async () => (await status()) === 200 || lost());
