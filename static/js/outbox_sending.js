// Sends waiting entries, and shows the outcome on the entry's own page.

import { own, storage } from "./root.js";

const RESEND_TIMEOUT_MS = 12_000;
const plain = (text) => text.trim().replace(/\s+/g, " ");
const pathOf = ({ url }) => new URL(url, location.href).pathname;
const isTap = ({ url }) => url.endsWith("/events");

// Reads a response that our server, or its app on this phone, marks as final. A redirect is not final. Returns null
// for any other response, so that the entry keeps waiting.
export function final({ status, text, headers, redirected }) {
  if (headers.get("Bummerl-Answer") !== "final" || redirected) return null;
  const page = new DOMParser().parseFromString(text, "text/html");
  const why = page.querySelector(".notice[role=alert], .error header") ?? page.body;
  const asked = page.querySelector("#told:has([data-asked])")?.innerHTML;
  return { page, text, headers, asked, why: status >= 400 ? plain(why.textContent) || String(status) : "" };
}

async function toServer(entry) {
  const { url, body } = entry;
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" },
      body,
      signal: AbortSignal.timeout(RESEND_TIMEOUT_MS),
    });
    const { status, headers, redirected } = answer;
    return final({ status, headers, redirected, text: await answer.text() });
  } catch {
    return null; // still no network
  }
}

// Returns the response of the app in this page's worker; null to ask again later, undefined without a worker.
async function toPhone(entry) {
  const detail = { path: pathOf(entry), body: entry.body, answer: undefined };
  document.dispatchEvent(new CustomEvent("unsent", { detail }));
  if (!detail.answer) return undefined;
  const answer = await detail.answer;
  return answer && final({ ...answer, headers: new Headers(answer.headers) });
}

// Returns the order in which server and phone are asked. For taps the phone comes first if it has unsent entries,
// even while its app starts.
function ways(entry) {
  const mine = document.querySelector("[data-bundle]") && !navigator.serviceWorker && Number(storage.getItem(own("bummerl-prepared")));
  return mine && isTap(entry) ? [toPhone, toServer] : [toServer, toPhone];
}

async function answerOf(entry, by) {
  for (const way of by) {
    const answer = await way(entry);
    if (answer || answer === undefined) return answer;
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

export function sender(store, forms) {
  const show = (entry, answer) => showInPlace(entry, answer, forms);
  return (isTried) => store.send((entry) => answerOf(entry, isTried ? [toPhone] : ways(entry)), show);
}
