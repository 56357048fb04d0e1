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

async function lost() {
  losing = null;
  const time = since.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  let said = stale.dataset.lost;
  try {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
    if ([403, 404].includes(answer.status)) said = stale.dataset.closed;
  } catch {
    // The server cannot be asked either.
  }
  stale.textContent = said.replace("{time}", time);
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
addEventListener("offline", lost);
