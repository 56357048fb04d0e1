// A page that lives says what is new to a screen reader, and says so when it no longer lives.

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

function lives() {
  clearTimeout(losing);
  losing = null;
  since = new Date();
  stale.hidden = true;
  if (closed) close(false);
}

// What a closed link shows is not taken away; it can only be read.
function close(so) {
  closed = so;
  for (const form of document.querySelectorAll("[sse-connect] form")) form.inert = so;
}

// What our server says of this page now; 0 where it cannot be asked either, or another answers for it.
function status() {
  const request = fetch(location.href, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(LATE) });
  return request.then(({ status, headers }) => (headers.has("Bummerl-Answer") ? status : 0), () => 0);
}

const isClosed = (answer) => [403, 404].includes(answer);

function say(what) {
  const time = since.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  stale.textContent = stale.dataset[what].replace("{time}", time);
  stale.hidden = false;
  close(what === "closed");
}

async function lost() {
  losing = null;
  const last = since;
  const gone = closed || isClosed(await status());
  // Unless it lives again.
  if (since === last) say(gone ? "closed" : "lost");
}

// A stream that ended for good is asked about at once: its link may have been closed.
async function ended({ detail }) {
  if (closed) return;
  if (detail.source.readyState === EventSource.CLOSED && isClosed(await status())) say("closed");
  else losingSoon();
}

// A tap with a closed link leaves the table to be read; of everything else its own page says what became of it.
async function refused({ detail }) {
  if (!isClosed(detail.xhr.status) || !detail.xhr.getResponseHeader("Bummerl-Answer")) return;
  if ("kept" in stale.dataset && isClosed(await status())) say("closed");
  else location.reload();
}

const losingSoon = () => {
  losing ??= setTimeout(lost, LATE);
};
const { body } = document;
for (const name of ["htmx:sseOpen", "htmx:sseMessage"]) body.addEventListener(name, lives);
for (const name of ["htmx:sseMessage", "htmx:afterSettle"]) body.addEventListener(name, speak);
body.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && lives());
body.addEventListener("htmx:sseError", ended);
body.addEventListener("htmx:responseError", refused);
body.addEventListener("lost", lost);
// The laptop that serves a hall has its server even where it has no network.
addEventListener("offline", async () => (await status()) === 200 || lost());
