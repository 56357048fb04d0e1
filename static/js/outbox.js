// Stores a tap that could not be sent and sends it again, always with the same token, so that it is recorded
// once. At a table no other tap is accepted meanwhile. On a prepared phone its own app accepts the tap and
// the next ones.

const RETRY = 5000;
const PATIENCE = 4000;

const { body } = document;
const banner = document.querySelector("#outbox");
const notice = document.querySelector("#refused");
const { entries: formsAt, early, store: storeAt, sending: sendingAt, alive } = banner.dataset;

// A failed import is retried with another address, because browsers remember the failure.
let tries = 0;
const fetched = (address) => import(address).catch(() => import(`${address}#${++tries}`));

const storing = fetched(storeAt);
const watching = early && import(early).then((taps) => taps.watch(words, storing, tab, notice.dataset.early, isFinal, () => sending && waiting().length > 0), () => null);
const forms = formsAt && (await import(formsAt).catch(() => null));
// This tab of the browser, whichever page it shows.
const tab = (() => {
  try {
    return String((sessionStorage.bummerlTab ??= Math.random()));
  } catch {
    return String(Math.random());
  }
})();

// All waiting and all refused entries.
let entries = [];
const waiting = () => entries.filter(({ why, since }) => !why && !since);
// The desk's line shows its own entries, and its own questions.
const isInLine = ({ ordered, url }) => ordered && document.querySelector(`#line[action="${url}"]`);
// Whether something waits although it was sent.
let unanswered = false;

const plain = (text) => text.trim().replace(/\s+/g, " ");

// A button's text, with the side's name if its column has one.
function words(button) {
  const own = button?.getAttribute("aria-label") ?? button?.textContent;
  const whose = button?.closest(".tricks")?.getAttribute("aria-label");
  return own && plain([whose, own].join(" "));
}

// Notices: that something needs the network and was not stored, and the reasons of refusals, one at a time.

let said, shown;

function showRefused() {
  shown = entries.find((one) => one.why && !one.since && !isInLine(one));
  const text = said ?? (shown ? [shown.what, shown.why].filter(Boolean).join(": ") : "");
  const place = notice.querySelector("span");
  if (place.textContent !== text) {
    // A new sentence appears anew, so that a tap meant for the old one does not hit it.
    notice.hidden = true;
    place.textContent = text;
    notice.getBoundingClientRect();
  }
  notice.hidden = !text;
}

function say(text) {
  said = text;
  showRefused();
}

const answers = () =>
  fetch(alive, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).then(
    ({ headers }) => headers.has("Bummerl-Answer"),
    () => false,
  );

const needsNetwork = (button) => say(notice.dataset.needs.replace("{what}", () => words(button)));

notice.querySelector("button").addEventListener("click", async () => {
  const read = said ? null : shown;
  say();
  const store = await storing;
  if (read) store.drop(read);
});

// What waits

const isHere = ({ url }) => new URL(url, location.href).pathname === `${location.pathname}/events`;

async function show(found) {
  const left = waiting().filter((one) => isHere(one) && !found.some(({ id }) => id === one.id));
  entries = found;
  const { isHeld, isUnkept } = await storing;
  const unsent = waiting().filter((one) => !isHeld(one, entries) && (unanswered || !isInLine(one)));
  const [first] = unsent;
  banner.hidden = !first;
  body.classList.toggle("unsent", !banner.hidden);
  if (first) banner.querySelector("span").textContent = banner.dataset.waiting.replace("{what}", () => forms?.names(unsent) ?? first.what ?? banner.dataset.entry);
  banner.querySelector("[data-unkept]").hidden = !isUnkept();
  const values = found.filter((one) => one.since && one.tab === tab).map(({ value }) => value);
  values.push(first && new URLSearchParams(first.body).get("event"));
  for (const button of document.querySelectorAll("#table [name=event]")) button.toggleAttribute("data-waits", values.includes(button.value));
  forms?.show(unsent);
  showRefused();
  body.dispatchEvent(new CustomEvent("outbox", { detail: found }));
  // Another page has sent it, so this one requests the current state.
  if (left.length && !sending) body.dispatchEvent(new Event("resume"));
}

const entryOf = ({ path, formData, parameters }, button) => {
  const entry = { url: path, body: String(new URLSearchParams(formData ?? parameters)), what: words(button) };
  return forms ? forms.named(entry, button) : entry;
};

async function keep(entry, form, button) {
  if (!entry) return needsNetwork(button);
  forms?.rename(button);
  // The panel closes as after a recorded tap.
  form.closest("#panel")?.replaceChildren();
  await (await storing).keep(entry, forms?.merged);
  return true;
}

// Every entry is stored before it is sent, so that it survives the page.

const begun = new WeakMap();

body.addEventListener("htmx:beforeSend", ({ detail: { xhr, requestConfig, elt } }) => {
  if (requestConfig.verb !== "post") return;
  const entry = entryOf(requestConfig, requestConfig.triggeringEvent?.submitter ?? elt);
  const beginning = entry && storing.then((store) => store.begin(entry, tab)).catch(() => entry);
  begun.set(xhr, beginning);
  const send = xhr.send.bind(xhr);
  const late = new Promise((go) => setTimeout(go, PATIENCE / 8));
  xhr.send = (data) => Promise.race([beginning, late]).then(() => send(data));
});

async function failed({ xhr, elt, requestConfig: { verb, triggeringEvent } }) {
  if (verb === "get" && elt.matches("a")) needsNetwork(elt);
  if (verb === "post" && (await keep(await begun.get(xhr), elt, triggeringEvent?.submitter ?? elt))) send(true);
}

for (const name of ["htmx:sendError", "htmx:timeout"]) body.addEventListener(name, ({ detail }) => failed(detail));

// Only a response that our server marks as final, and to a POST, counts: scorer/web/frame/answer_header.py
const isFinal = (xhr) => xhr.getResponseHeader("Bummerl-Answer") === "final" && xhr.getResponseHeader("Bummerl-Method") === "POST";

// The reason of a refusal if the response does not contain its form: news may then replace the page with the
// reason on it.
async function lastWord({ xhr, requestConfig: { path } }) {
  if (!forms || xhr.status < 400 || xhr.responseText.includes(`hx-post="${path}"`)) return "";
  const { final } = await fetched(sendingAt);
  const headers = { get: (name) => xhr.getResponseHeader(name) };
  return final({ status: xhr.status, text: xhr.responseText, headers }).why;
}

body.addEventListener("htmx:beforeOnLoad", async (event) => {
  const { xhr, requestConfig: { verb } } = event.detail;
  if (verb !== "post") return;
  if (isFinal(xhr)) {
    const entry = await begun.get(xhr);
    const store = await storing;
    const why = await lastWord(event.detail);
    if (entry)(why ? store.keep({ ...entry, why }) : store.drop(entry));
  } else {
    event.preventDefault();
    failed(event.detail);
  }
});

body.addEventListener("htmx:configRequest", (event) => {
  const { detail } = event;
  const { elt, triggeringEvent } = detail;
  // New entries wait behind those not sent yet.
  if (detail.verb === "post" && waiting().length) {
    event.preventDefault();
    const button = triggeringEvent?.submitter ?? elt;
    if (forms) keep(entryOf(detail, button), elt, button).then(() => send());
    else show(entries);
  }
  // No answer in time counts as no network. A service worker has the same timeout.
  if (!navigator.serviceWorker?.controller) detail.timeout = PATIENCE;
});

// Sending again. `isTried`: a request to the server has just failed.

let sender;
let sending = false;
let again = false;

async function send(isTried) {
  again = sending;
  if (sending || !waiting().length) return;
  sending = true;
  try {
    sender ??= (await fetched(sendingAt)).sender(await storing, forms);
    await sender(isTried);
  } catch (fault) {
    console.warn("Bummerl: not sent yet:", fault);
  } finally {
    sending = false;
  }
  const { isHeld } = await storing;
  unanswered = waiting().some((one) => !isHeld(one, entries));
  show(entries);
  if (again) send();
  // Taps that came meanwhile.
  else(await watching)?.(!waiting().length);
}

// A page that opened after all needs no notice, and new buttons must show what waits.
body.addEventListener("htmx:afterSettle", () => {
  said = undefined;
  show(entries);
});

banner.querySelector("button").addEventListener("click", () => send());
// A waiting entry can be taken back unless it is being sent. The page then asks whether it was recorded after all.
banner.querySelector("[data-back]")?.addEventListener("click", async () => {
  const store = await storing;
  const [first] = waiting();
  if (first) await store.inTurn(() => store.drop(first));
  body.dispatchEvent(new Event("resume"));
});

// Without network a link must not lead to the browser's error page. A prepared phone has all pages itself.
const isLeaving = ({ defaultPrevented, ctrlKey, metaKey, shiftKey }, link) =>
  link && !link.target && !link.hash && !(defaultPrevented || ctrlKey || metaKey || shiftKey);
body.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href]");
  if (navigator.serviceWorker?.controller || !isLeaving(event, link)) return;
  event.preventDefault();
  if (await answers()) location.assign(link.href);
  else if (link.dispatchEvent(new Event("nonetwork", { bubbles: true, cancelable: true }))) needsNetwork(link);
});

body.addEventListener("queued", () => send());
addEventListener("online", () => send());
document.addEventListener("visibilitychange", () => send());
setInterval(async () => {
  if (entries.some(({ since }) => since)) await (await storing).recover();
  send();
}, RETRY);
forms?.watch(needsNetwork, answers);

const store = await storing;
await store.watch(show);
await store.recover(tab);
await store.takeOver();
await watching;
send();
