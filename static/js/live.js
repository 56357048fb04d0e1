// A page that lives says what is new to a screen reader, and says so when it no longer lives.

const spoken = document.querySelector("#spoken");
const stale = document.querySelector("#stale");
const LATE = 4000;
let since = new Date();
let losing = null;

function speak() {
  const text = document.querySelector("[data-spoken]")?.dataset.spoken ?? "";
  if (spoken.textContent !== text) spoken.textContent = text;
}

function lives() {
  clearTimeout(losing);
  losing = null;
  since = new Date();
  stale.hidden = true;
}

// What the server says of this page now; 0 where it cannot be asked either.
function status() {
  const asked = fetch(location.href, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(LATE) });
  return asked.then((answer) => answer.status, () => 0);
}

async function lost() {
  losing = null;
  const last = since;
  const said = [403, 404].includes(await status()) ? stale.dataset.closed : stale.dataset.lost;
  if (since !== last) return; // it lives again
  stale.textContent = said.replace("{time}", last.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }));
  stale.hidden = false;
}

const losingSoon = () => {
  losing ??= setTimeout(lost, LATE);
};
const { body } = document;
for (const name of ["htmx:sseOpen", "htmx:sseMessage"]) body.addEventListener(name, lives);
for (const name of ["htmx:sseMessage", "htmx:afterSettle"]) body.addEventListener(name, speak);
body.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && lives());
body.addEventListener("htmx:sseError", losingSoon);
body.addEventListener("lost", lost);
// The laptop that serves a hall has its server even where it has no network.
addEventListener("offline", async () => (await status()) === 200 || lost());
