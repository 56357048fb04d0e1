// A tap that could not be sent stays on the phone and is sent again, always under the same name,
// so it is recorded once however often it arrives. One tap waits at a time: the next one could
// only be judged after it. Where the phone is prepared, its own app takes the tap and judges the next.

const KEY = "bummerl-unsent";
const REFUSED = "bummerl-refused";
const RETRY = 5000;
const PATIENCE = 4000;

const read = () => JSON.parse(localStorage.getItem(KEY) ?? "null");

// What a button says, with whose it is where its column says that.
function words(button) {
  const own = button?.getAttribute("aria-label") ?? button?.textContent;
  const whose = button?.closest(".tricks")?.getAttribute("aria-label");
  return own && [whose, own].join(" ").trim().replace(/\s+/g, " ");
}

// Shows what came of something that waited: in its place on its own page; on another, where it was
// refused, the sentence that says why stays until somebody has read it.
function answered(path, { status, text: page }) {
  const told = [200, 409, 422].includes(status);
  const here = location.pathname;
  const taps = `${here}/events`;
  const found = new DOMParser().parseFromString(page, "text/html");
  if (told && path === taps) {
    const contextElement = document.querySelector("#table");
    htmx.swap(contextElement, page, { swapStyle: "morph:outerHTML" }, { contextElement });
  } else if (told && path === here && found.querySelector("#standing")) {
    htmx.swap("#standing", page, { swapStyle: "outerHTML" }, { select: "#standing" });
  } else {
    const why = found.querySelector(".notice[role=alert], .error h1");
    if (status >= 400 && why) localStorage.setItem(REFUSED, why.textContent.trim());
    if ([here, taps].includes(path)) location.reload();
    else showRefused();
  }
}

// A result that is typed again takes the place of the one that waits.
const isAgain = (waiting, url) => waiting.url === url && !url.endsWith("/events");

// What was typed anew while the first was on its way still waits; the name it had is the first one's.
function rename(waiting, { text }) {
  const body = new URLSearchParams(waiting.body);
  const named = new DOMParser().parseFromString(text, "text/html").querySelector("#standing input[name=token]");
  if (named) body.set("token", named.value);
  localStorage.setItem(KEY, JSON.stringify({ ...waiting, body: String(body) }));
}

// 5xx and 429 come from a server that may yet keep it; every other answer is final.
const isPassing = (status) => status >= 500 || status === 429;

async function toServer({ url, body }) {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" },
      body,
      signal: AbortSignal.timeout(3 * PATIENCE),
    });
    return isPassing(answer.status) ? null : { status: answer.status, text: await answer.text() };
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

function showRefused(why = localStorage.getItem(REFUSED)) {
  const notice = document.querySelector("#refused");
  notice.querySelector("span").textContent = why;
  notice.hidden = !why;
}

// What only opens something is nothing to wait for: it says why it does not.
const needsNetwork = (link) => showRefused(document.querySelector("#refused").dataset.needs.replace("{what}", () => words(link)));

function watchRefused(notice) {
  showRefused();
  notice.querySelector("button").addEventListener("click", () => {
    localStorage.removeItem(REFUSED);
    notice.hidden = true;
  });
}

function watchOutbox(banner) {
  const text = banner.querySelector("span");

  const show = () => {
    const waiting = read();
    banner.hidden = !waiting;
    document.body.classList.toggle("unsent", Boolean(waiting));
    if (waiting) text.textContent = banner.dataset.waiting.replace("{what}", () => waiting.what ?? banner.dataset.entry);
    const event = waiting && new URLSearchParams(waiting.body).get("event");
    for (const button of document.querySelectorAll("#table [name=event]")) button.toggleAttribute("data-waits", button.value === event);
  };

  const keep = (url, parameters, what) => {
    const waiting = read();
    const body = String(new URLSearchParams(parameters));
    if (!waiting || isAgain(waiting, url)) localStorage.setItem(KEY, JSON.stringify({ url, body, what }));
    show();
  };

  let sending = false;
  const send = async (asked) => {
    const sent = localStorage.getItem(KEY);
    const waiting = read();
    if (!waiting || sending) return;
    sending = true;
    try {
      for (const way of asked ?? ways(waiting)) {
        const answer = await way(waiting);
        if (answer === undefined) break;
        if (!answer) continue;
        // Another page of this phone may have sent it too, and something else may wait since.
        const now = read();
        if (localStorage.getItem(KEY) === sent) localStorage.removeItem(KEY);
        else if (now && isAgain(now, waiting.url)) {
          rename(now, answer);
          break;
        }
        answered(new URL(waiting.url, location.href).pathname, answer);
        break;
      }
    } finally {
      sending = false;
      show();
    }
    // What was tapped while that was on its way, another page's tap maybe, has waited for it.
    if (localStorage.getItem(KEY) !== sent) sendAnyhow();
  };
  const sendAnyhow = () => send();

  const failed = ({ detail }) => {
    const { verb, path, formData, parameters, triggeringEvent } = detail.requestConfig;
    if (verb === "get" && detail.elt.matches("a")) needsNetwork(detail.elt);
    if (verb !== "post") return;
    keep(path, formData ?? parameters, words(triggeringEvent?.submitter));
    send([toPhone]);
  };
  for (const name of ["htmx:sendError", "htmx:timeout"]) document.body.addEventListener(name, failed);
  document.body.addEventListener("htmx:responseError", (event) => {
    if (isPassing(event.detail.xhr.status)) failed(event);
  });
  document.body.addEventListener("htmx:configRequest", (event) => {
    const { detail } = event;
    const waiting = detail.verb === "post" && read();
    if (waiting && !isAgain(waiting, detail.path)) event.preventDefault();
    // A network that hangs counts as none; a service worker is as impatient itself.
    if (!navigator.serviceWorker?.controller) detail.timeout = PATIENCE;
  });

  // What was opened after all needs no word any more, and what was drawn anew shows what waits.
  document.body.addEventListener("htmx:afterSettle", () => {
    showRefused();
    show();
  });

  banner.querySelector("button").addEventListener("click", sendAnyhow);
  addEventListener("online", sendAnyhow);
  document.addEventListener("visibilitychange", sendAnyhow);
  setInterval(sendAnyhow, RETRY);
  show();
  sendAnyhow();
}

watchOutbox(document.querySelector("#outbox"));
watchRefused(document.querySelector("#refused"));
