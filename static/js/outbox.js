// Stores each tap in the browser, then sends it. The page waits STORE_TIMEOUT_MS at most for the storage. A tap that
// failed is sent again every RESEND_MS with the same token, so the server records it once: outbox_attempt.js.
// While a tap waits, a table's page refuses further taps, unless the phone has the offline app. While a waiting tap is
// being sent, queued_taps.js keeps further taps. An entry is a stored tap; outbox_store.js lists its fields.

import { shownText, SERVER_TIMEOUT_MS } from "./root.js";

const RESEND_MS = 5000;
const STORE_TIMEOUT_MS = 500;

const { body } = document;
const banner = document.querySelector("#outbox");
const notice = document.querySelector("#refused");
const { formsUrl, queuedTapsUrl, storeUrl, attemptUrl, aliveUrl } = banner.dataset;

// A failed import is retried with another address, because browsers remember the failure.
let failedImports = 0;
const load = (address) => import(address).catch(() => import(`${address}#${++failedImports}`));

// The name of this browser tab on all its pages.
const tab = (() => {
  const name = String(Math.random());
  try {
    return (sessionStorage.bummerlTab ??= name);
  } catch {
    return name;
  }
})();

// The store, once it has recovered the entries of this tab's earlier pages.
const storePromise = load(storeUrl).then((store) => store.recover(tab).then(() => store));
const forms = formsUrl && (await import(formsUrl).catch(() => null));

// All stored entries.
let entries = [];
const isUnread = ({ why, since }) => why && !since;
const waiting = () => entries.filter(({ why, since }) => !why && !since);
// The desk's line shows its own entries and questions.
const isOnDeskLine = ({ ordered, url }) => ordered && document.querySelector(`#line[action="${url}"]`);
// Whether an entry still waits after an attempt to send.
let waitsAfterAttempt = false;

// Returns a button's text, with the side's name if its column has one.
function labelOf(button) {
  const text = button?.getAttribute("aria-label") ?? button?.textContent;
  const side = button?.closest(".tricks")?.getAttribute("aria-label");
  return text && shownText([side, text].join(" "));
}

// The notice shows `message` (an action that needs the network), or else the first refusal.

let message, refusal;

function showNotice() {
  refusal = entries.find((entry) => isUnread(entry) && !isOnDeskLine(entry));
  const text = message ?? (refusal ? [refusal.page, refusal.what, refusal.why].filter(Boolean).join(": ") : "");
  const line = notice.querySelector("span");
  if (line.textContent !== text) {
    // Hiding the notice restarts its animation, which ignores taps meant for the old text.
    notice.hidden = true;
    line.textContent = text;
    notice.getBoundingClientRect();
  }
  notice.hidden = !text;
}

function notify(text) {
  message = text;
  showNotice();
}

const serverAnswers = () =>
  fetch(aliveUrl, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(SERVER_TIMEOUT_MS) }).then(
    ({ headers }) => headers.has("Bummerl-Answer"),
    () => false,
  );

const needsNetwork = (button) => notify(notice.dataset.needs.replace("{what}", () => labelOf(button)));

notice.querySelector("button").addEventListener("click", () => {
  const shownRefusal = !message && refusal;
  notify();
  // A question of the desk's line stays there. The server redirects to it.
  if (shownRefusal?.ordered) location = shownRefusal.url;
  else if (shownRefusal) storePromise.then((store) => store.drop(shownRefusal));
});

// Waiting entries

const isForThisPage = ({ url }) => new URL(url, location).pathname === `${location.pathname}/events`;

async function render(storedEntries) {
  const sentElsewhere = waiting().filter((one) => isForThisPage(one) && !storedEntries.some(({ id }) => id === one.id));
  entries = storedEntries;
  const { waitsBehindRefusal, isOnlyInMemory } = await storePromise;
  const unsent = waiting().filter(
    (one) => !waitsBehindRefusal(one, entries) && (waitsAfterAttempt || !isOnDeskLine(one)),
  );
  const [first] = unsent;
  banner.hidden = !first;
  body.classList.toggle("unsent", !banner.hidden);
  if (first)
    banner.querySelector("span").textContent = banner.dataset.waiting.replace(
      "{what}",
      () => forms?.names(unsent) ?? first.what ?? banner.dataset.entry,
    );
  banner.querySelector("[data-unkept]").hidden = !isOnlyInMemory();
  const waitingEvents = entries.filter((one) => one.since && one.tab === tab).map(({ value }) => value);
  waitingEvents.push(first && new URLSearchParams(first.body).get("event"));
  for (const button of document.querySelectorAll("#table [name=event]"))
    button.toggleAttribute("data-waits", waitingEvents.includes(button.value));
  forms?.show(unsent);
  showNotice();
  body.dispatchEvent(new CustomEvent("outbox", { detail: entries }));
  // Another page sent an entry, so this one requests the current state.
  if (sentElsewhere.length && !isSending) body.dispatchEvent(new Event("resume"));
}

const entryOf = ({ path, formData, parameters }, button) => {
  const entry = { url: path, body: String(new URLSearchParams(formData ?? parameters)), what: labelOf(button) };
  return forms ? forms.withLabel(entry, button) : entry;
};

// Stores an entry that is sent later. Returns true, or undefined if the action needs the network.
async function storeForLater(entry, form, button) {
  if (!entry) return needsNetwork(button);
  forms?.renewToken(button);
  // The panel closes as after a recorded tap.
  form.closest("#panel")?.replaceChildren();
  await (await storePromise).keep(entry, forms?.newer);
  return true;
}

// The stored entry of each request, as a promise.

const entryPromises = new WeakMap();

body.addEventListener("htmx:beforeSend", ({ detail: { xhr, requestConfig, elt } }) => {
  if (requestConfig.verb !== "post") return;
  const entry = entryOf(requestConfig, requestConfig.triggeringEvent?.submitter ?? elt);
  const entryPromise = entry && storePromise.then((store) => store.begin(entry, tab)).catch(() => entry);
  entryPromises.set(xhr, entryPromise);
  const send = xhr.send.bind(xhr);
  const timeout = new Promise((resolve) => setTimeout(resolve, STORE_TIMEOUT_MS));
  xhr.send = (data) => Promise.race([entryPromise, timeout]).then(() => send(data));
});

async function keepFailedRequest({ xhr, elt, requestConfig: { verb, triggeringEvent } }) {
  if (verb === "get" && elt.matches("a")) needsNetwork(elt);
  if (verb !== "post") return;
  const entry = await entryPromises.get(xhr);
  if (await storeForLater(entry, elt, triggeringEvent?.submitter ?? elt)) sendWaiting(true);
}

for (const name of ["htmx:sendError", "htmx:timeout"])
  body.addEventListener(name, ({ detail }) => keepFailedRequest(detail));

// Whether our server has processed this POST. Its header says so (scorer/web/frame/answer_header.py); the page of a
// proxy or of a Wi-Fi login has no such header.
const isFinal = (xhr) =>
  xhr.getResponseHeader("Bummerl-Answer") === "final" && xhr.getResponseHeader("Bummerl-Method") === "POST";

// Returns why the server refused, or "" if the page shows the form again, with the reason. Other reasons are stored,
// because a live update may replace the page.
async function reasonOf({ xhr, requestConfig: { path } }) {
  if (!forms || xhr.status < 400 || xhr.responseText.includes(`hx-post="${path}"`)) return "";
  const { readFinal } = await load(attemptUrl);
  const headers = { get: (name) => xhr.getResponseHeader(name) };
  return readFinal({ status: xhr.status, text: xhr.responseText, headers }).why;
}

body.addEventListener("htmx:beforeOnLoad", async (event) => {
  const { detail } = event;
  if (detail.requestConfig.verb !== "post") return;
  if (isFinal(detail.xhr)) {
    const entry = await entryPromises.get(detail.xhr);
    const store = await storePromise;
    const reason = await reasonOf(detail);
    if (entry && reason) store.keep({ ...entry, why: reason });
    else if (entry) store.drop(entry);
  } else {
    event.preventDefault();
    keepFailedRequest(detail);
  }
});

body.addEventListener("htmx:configRequest", (event) => {
  const { detail } = event;
  const { elt, triggeringEvent } = detail;
  // While entries wait, a form's entry waits behind them. A table shows what waits instead.
  if (detail.verb === "post" && waiting().length) {
    event.preventDefault();
    const button = triggeringEvent?.submitter ?? elt;
    if (forms) storeForLater(entryOf(detail, button), elt, button).then(() => sendWaiting());
    else render(entries);
  }
  // No answer in time counts as no network. A service worker has the same timeout.
  if (!navigator.serviceWorker?.controller) detail.timeout = SERVER_TIMEOUT_MS;
});

// Sending. `serverFailed`: a request to the server has just failed.

let attempt, isSending, mustSendAgain;

const isResending = () => isSending && waiting().length > 0;
const queueOptions = { labelOf, storePromise, tab, sentence: notice.dataset.early, isFinal, isResending };
// The function of queued_taps.js to call when resending has ended, if the page has that script.
const queuedTapsPromise =
  queuedTapsUrl &&
  import(queuedTapsUrl).then(
    (queue) => queue.start(queueOptions),
    () => null,
  );

async function sendWaiting(serverFailed) {
  mustSendAgain = isSending;
  if (isSending || !waiting().length) return;
  isSending = true;
  try {
    attempt ??= (await load(attemptUrl)).createAttempt(await storePromise, forms);
    await attempt(serverFailed);
  } catch (fault) {
    console.warn("Bummerl: not sent yet:", fault);
  } finally {
    isSending = false;
  }
  const { waitsBehindRefusal } = await storePromise;
  waitsAfterAttempt = waiting().some((one) => !waitsBehindRefusal(one, entries));
  render(entries);
  if (mustSendAgain) return sendWaiting();
  const sendQueuedTaps = await queuedTapsPromise;
  sendQueuedTaps?.(!waiting().length);
}

// After new content is shown, the message is out of date, and the new buttons have to show which entries wait.
body.addEventListener("htmx:afterSettle", () => {
  message = undefined;
  render(entries);
});

banner.querySelector("button").addEventListener("click", () => sendWaiting());
// Discards the first waiting entry, after a send that has begun (if the browser has locks). Then the page shows whether
// the entry was recorded.
banner.querySelector("[data-back]")?.addEventListener("click", async () => {
  const store = await storePromise;
  const [first] = waiting();
  if (first) await store.withLock(() => store.drop(first));
  body.dispatchEvent(new Event("resume"));
});

// Without network a link must not lead to the browser's error page. A phone with the offline app serves all pages
// itself.
const isLeaving = ({ defaultPrevented, ctrlKey, metaKey, shiftKey }, link) =>
  link && !link.target && !link.hash && !(defaultPrevented || ctrlKey || metaKey || shiftKey);
body.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href]");
  if (navigator.serviceWorker?.controller || !isLeaving(event, link)) return;
  event.preventDefault();
  if (await serverAnswers()) location.assign(link.href);
  else if (link.dispatchEvent(new Event("nonetwork", { bubbles: true, cancelable: true }))) needsNetwork(link);
});

body.addEventListener("queued", () => sendWaiting());
addEventListener("online", () => sendWaiting());
document.addEventListener("visibilitychange", () => sendWaiting());
setInterval(async () => {
  if (entries.some(({ since }) => since)) await (await storePromise).recover();
  sendWaiting();
}, RESEND_MS);
forms?.keepForms(needsNetwork, serverAnswers);

const store = await storePromise;
await store.showChanges(render);
await store.moveOld();
await queuedTapsPromise;
sendWaiting();
