// On live pages: announces news to screen readers, and shows when the connection is lost or the link closed.

import { SERVER_TIMEOUT_MS } from "./root.js";

const spoken = document.querySelector("#spoken");
const notice = document.querySelector("#connection-notice");
let lastLive = new Date();
let timer = null;
let closed = false;

function announce() {
  const text = document.querySelector("[data-spoken]")?.dataset.spoken ?? "";
  if (spoken.textContent !== text) spoken.textContent = text;
  document.title = document.querySelector("[data-page-title]")?.dataset.pageTitle ?? document.title;
}

function markLive() {
  clearTimeout(timer);
  timer = null;
  lastLive = new Date();
  notice.hidden = true;
  if (closed) setClosed(false);
}

// A page whose link was closed stays readable; its forms are disabled.
function setClosed(value) {
  closed = value;
  for (const form of document.querySelectorAll("[sse-connect] form")) form.inert = value;
}

// Returns this page's status from our server; 0 without network or if something else answers.
function status() {
  const signal = AbortSignal.timeout(SERVER_TIMEOUT_MS);
  const request = fetch(location.href, { method: "HEAD", cache: "no-store", signal });
  return request.then(({ status, headers }) => (headers.has("Bummerl-Answer") ? status : 0), () => 0);
}

const isClosed = (status) => [403, 404].includes(status);

function show(kind) {
  const time = lastLive.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  notice.textContent = notice.dataset[kind].replace("{time}", time);
  notice.hidden = false;
  setClosed(kind === "closed");
}

async function handleLoss() {
  timer = null;
  const before = lastLive;
  const isLinkClosed = closed || isClosed(await status());
  // The connection may be back already.
  if (lastLive === before) show(isLinkClosed ? "closed" : "lost");
}

// If the stream ended for good, check at once whether the link was closed.
async function handleEnd({ detail }) {
  if (closed) return;
  if (detail.source.readyState === EventSource.CLOSED && isClosed(await status())) show("closed");
  else startTimer();
}

// After a tap with a closed link, the table stays readable. Other pages reload and show the error.
async function handleRefusal({ detail }) {
  if (!isClosed(detail.xhr.status) || !detail.xhr.getResponseHeader("Bummerl-Answer")) return;
  if ("kept" in notice.dataset && isClosed(await status())) show("closed");
  else location.reload();
}

const startTimer = () => {
  timer ??= setTimeout(handleLoss, SERVER_TIMEOUT_MS);
};
const { body } = document;
for (const name of ["htmx:sseOpen", "htmx:sseMessage"]) body.addEventListener(name, markLive);
for (const name of ["htmx:sseMessage", "htmx:afterSettle"]) body.addEventListener(name, announce);
body.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && markLive());
body.addEventListener("htmx:sseError", handleEnd);
body.addEventListener("htmx:responseError", handleRefusal);
body.addEventListener("lost", handleLoss);
// A laptop that runs the server itself reaches it without a network.
addEventListener("offline", async () => (await status()) === 200 || handleLoss());
