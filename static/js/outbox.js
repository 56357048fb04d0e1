// A tap that could not be sent stays on the phone and is sent again, always under the same name,
// so it is recorded once however often it arrives. At a table no other is tapped meanwhile; where
// the phone is prepared, its own app takes the tap and judges the next.

const KEY = "bummerl-unsent";
const REFUSED = "bummerl-refused";
const RETRY = 5000;
const PATIENCE = 4000;

const TOLD = [200, 409, 422]; // answers that are pages to show

// All that waits, the oldest first.
const read = () => [].concat(JSON.parse(localStorage.getItem(KEY) ?? "[]"));

const write = (waiting) => (waiting.length ? localStorage.setItem(KEY, JSON.stringify(waiting)) : localStorage.removeItem(KEY));

const { body } = document;
const banner = document.querySelector("#outbox");
const notice = document.querySelector("#refused");
const { entries, early } = banner.dataset;
const forms = entries && (await import(entries).catch(() => null));

const plain = (text) => text.trim().replace(/\s+/g, " ");

// What a button says, with whose it is where its column says that.
function words(button) {
  const own = button?.getAttribute("aria-label") ?? button?.textContent;
  const whose = button?.closest(".tricks")?.getAttribute("aria-label");
  return own && plain([whose, own].join(" "));
}

// Shows what came of something that waited: in its place on its own page; on another, where it was
// refused, the sentence that says why stays until somebody has read it.
function answered({ url, what }, { status, text: page, answer }) {
  const told = TOLD.includes(status);
  const { pathname: path } = new URL(url, location.href);
  const isHere = path === `${location.pathname}/events`;
  if (told && isHere) {
    const contextElement = document.querySelector("#table");
    htmx.swap(contextElement, page, { swapStyle: "morph:outerHTML" }, { contextElement });
    return;
  }
  const found = new DOMParser().parseFromString(page, "text/html");
  if (forms?.answered(path, page, told && found, answer)) return;
  const why = found.querySelector(".notice[role=alert], .error header");
  if (status >= 400 && why) localStorage.setItem(REFUSED, [what, plain(why.textContent)].filter(Boolean).join(": "));
  if (isHere) location.reload();
  else showRefused();
}

// 5xx and 429 come from a server that may yet keep it; every other answer is final.
const isPassing = (status) => status >= 500 || status === 429;

// Neither is what should show a table and does not: a gateway's page, or one that a guest signs in on.
const isForeign = (url, text) => url.endsWith("/events") && !text.includes("data-seq");

async function toServer({ url, body }) {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" },
      body,
      signal: AbortSignal.timeout(3 * PATIENCE),
    });
    const { status } = answer;
    const text = await answer.text();
    return isPassing(status) || (TOLD.includes(status) && isForeign(url, text)) ? null : { status, text, answer };
  } catch {
    return null; // still no network: it goes on waiting
  }
}

// The app of this page's own worker promises an answer, or null where it cannot judge; nobody does
// before that worker is there.
function toPhone({ url, body }) {
  const detail = { path: new URL(url, location.href).pathname, body, answer: undefined };
  document.dispatchEvent(new CustomEvent("unsent", { detail }));
  return detail.answer;
}

// Who is asked first: where this phone's own app may know more than the server, that app, even before
// it speaks.
function ways({ url }) {
  const mine = document.querySelector("[data-bundle]") && !navigator.serviceWorker && Number(localStorage.getItem("bummerl-prepared"));
  return mine && url.endsWith("/events") ? [toPhone, toServer] : [toServer, toPhone];
}

// Why something was refused, which stays until somebody has read it.

function showRefused(why = localStorage.getItem(REFUSED)) {
  notice.querySelector("span").textContent = why;
  notice.hidden = !why;
}

const needsNetwork = (button) => showRefused(notice.dataset.needs.replace("{what}", () => words(button)));

// What was tapped too early to be taken.
function untaken(taps) {
  localStorage.setItem(REFUSED, notice.dataset.early.replace("{what}", () => taps.join(", ")));
  showRefused();
}

// What waits: kept, shown and sent, one after the other.

const isSame = (one) => ({ url, body }) => url === one.url && body === one.body;

let own; // this page's tap, until it has its answer
let sending = false;

function show() {
  const waiting = read();
  const [first] = waiting;
  banner.hidden = !first;
  body.classList.toggle("unsent", !banner.hidden);
  if (first) banner.querySelector("span").textContent = banner.dataset.waiting.replace("{what}", () => forms?.names(waiting) ?? first.what ?? banner.dataset.entry);
  const event = first && new URLSearchParams(first.body).get("event");
  for (const button of document.querySelectorAll("#table [name=event]")) button.toggleAttribute("data-waits", button.value === event);
  forms?.show(waiting);
}

function keep({ path, formData, parameters, triggeringEvent }, form) {
  const waiting = read();
  const button = triggeringEvent?.submitter ?? form;
  const entry = { url: path, body: String(new URLSearchParams(formData ?? parameters)), what: words(button) };
  if (forms && !forms.join(waiting, entry, button)) return needsNetwork(button);
  if (!forms) own = entry;
  write(forms ? waiting : [...waiting, entry]);
  // As if it were written: it leaves the panel it was tapped in.
  form.closest("#panel")?.replaceChildren();
  show();
  return true;
}

// Two pages that keep a tap at once write over each other, as storage knows no turns. What another
// page has sent is recorded once all the same, and its answer is seen here too.
const rescue = () => own && !read().some(isSame(own)) && write([...read(), own]);

// Takes what was answered from what waits; another page of this phone may have sent it too, and
// something else may wait since.
function done(entry, answer) {
  const waiting = read().filter((one) => !isSame(entry)(one));
  write(waiting);
  if (own && isSame(entry)(own)) own = undefined;
  if (!waiting.some((one) => forms?.isAgain(one, entry))) answered(entry, answer);
}

async function sendFirst(first, by) {
  for (const way of by) {
    const answer = await way(first);
    if (answer) done(first, answer);
    if (answer || answer === undefined) return;
  }
}

async function send(asked) {
  rescue();
  const sent = localStorage.getItem(KEY);
  const [first] = read();
  if (!first || sending) return;
  sending = true;
  try {
    await sendFirst(first, asked ?? ways(first));
  } finally {
    sending = false;
    show();
  }
  // What was tapped while that was on its way, another page's tap maybe, has waited for it.
  if (localStorage.getItem(KEY) !== sent) send();
}

// When it is kept, and when it is sent again.

function failed({ detail: { elt, requestConfig } }) {
  const { verb } = requestConfig;
  if (verb === "get" && elt.matches("a")) needsNetwork(elt);
  if (verb === "post" && keep(requestConfig, elt)) send([toPhone]);
}

for (const name of ["htmx:sendError", "htmx:timeout"]) body.addEventListener(name, failed);
body.addEventListener("htmx:responseError", (event) => {
  if (isPassing(event.detail.xhr.status)) failed(event);
});
body.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig: { verb, path }, isError } = event.detail;
  if (verb !== "post" || isError || !(forms ? isPassing(xhr.status) : isForeign(path, xhr.responseText))) return;
  event.detail.shouldSwap = false;
  failed(event);
});
body.addEventListener("htmx:configRequest", (event) => {
  const { detail } = event;
  // Nothing overtakes what waits.
  if (detail.verb === "post" && read().length && !forms?.isAsking(detail)) {
    event.preventDefault();
    if (!forms) show();
    else if (keep(detail, detail.elt)) send();
  }
  // A network that hangs counts as none; a service worker is as impatient itself.
  if (!navigator.serviceWorker?.controller) detail.timeout = PATIENCE;
});

// What was opened after all needs no word any more, and what was drawn anew shows what waits.
body.addEventListener("htmx:afterSettle", () => {
  showRefused();
  show();
});

notice.querySelector("button").addEventListener("click", () => {
  localStorage.removeItem(REFUSED);
  notice.hidden = true;
});
banner.querySelector("button").addEventListener("click", () => send());
// Another page of this phone keeps a tap, or has sent one, this page's maybe: then its answer is asked for.
addEventListener("storage", () => (own ? send() : show()));
addEventListener("online", () => send());
document.addEventListener("visibilitychange", () => send());
setInterval(send, RETRY);
forms?.watch(isPassing, needsNetwork);
show();
send();
showRefused();
const taps = early && (await import(early).catch(() => null));
taps?.watch(words, untaken);
