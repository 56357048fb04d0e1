// Sends waiting entries once, and shows the outcome on the entry's own page. outbox.js retries (RESEND_MS), with the
// token that outbox_forms.js or the form gave the entry.

import { storageName, shownText, storage } from "./root.js";

const RESEND_TIMEOUT_MS = 12_000;
const pathOf = ({ url }) => new URL(url, location.href).pathname;
const isTap = ({ url }) => url.endsWith("/events");

// Reads a response that our server, or its app on this phone, marks as final. A redirect is not final. Returns null
// for any other response, so that the entry keeps waiting.
export function readFinal({ status, text, headers, redirected }) {
  if (headers.get("Bummerl-Answer") !== "final" || redirected) return null;
  const page = new DOMParser().parseFromString(text, "text/html");
  const reason = page.querySelector(".notice[role=alert], .error header") ?? page.body;
  const questionHtml = page.querySelector("#messages:has([data-asked])")?.innerHTML;
  return {
    page,
    text,
    headers,
    asked: questionHtml,
    why: status >= 400 ? shownText(reason.textContent) || String(status) : "",
  };
}

async function toServer(entry) {
  const { url, body } = entry;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" },
      body,
      signal: AbortSignal.timeout(RESEND_TIMEOUT_MS),
    });
    const { status, headers, redirected } = response;
    return readFinal({ status, headers, redirected, text: await response.text() });
  } catch {
    return null; // still no network
  }
}

// Returns the response of the app in this page's worker; null to ask again later, undefined without a worker.
async function toPhone(entry) {
  const detail = { path: pathOf(entry), body: entry.body, response: undefined };
  document.dispatchEvent(new CustomEvent("unsent", { detail }));
  if (!detail.response) return undefined;
  const response = await detail.response;
  return response && readFinal({ ...response, headers: new Headers(response.headers) });
}

// Returns how to send the entry: to the server, then to the app on the phone. Taps go to the phone first if it has
// unsent entries, even while its app starts.
function sendersOf(entry) {
  const unsentOnPhone =
    document.querySelector("[data-bundle]") &&
    !navigator.serviceWorker &&
    Number(storage.getItem(storageName("bummerl-prepared")));
  return unsentOnPhone && isTap(entry) ? [toPhone, toServer] : [toServer, toPhone];
}

async function responseOf(entry, senders) {
  for (const send of senders) {
    const response = await send(entry);
    if (response || response === undefined) return response;
  }
  return null;
}

function showInPlace(entry, { page, text, headers }, forms) {
  const path = pathOf(entry);
  if (path !== `${location.pathname}/events`) forms?.answered(path, text, page, headers);
  else if (page.querySelector("[data-seq]")) {
    const contextElement = document.querySelector("#table");
    htmx.swap(contextElement, text, { swapStyle: "morph:outerHTML" }, { contextElement });
  } else location.reload();
}

// Returns a function that makes one attempt to send what waits.
export function createAttempt(store, forms) {
  const show = (entry, response) => showInPlace(entry, response, forms);
  return (serverFailed) => store.send((entry) => responseOf(entry, serverFailed ? [toPhone] : sendersOf(entry)), show);
}
