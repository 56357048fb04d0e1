// What plain HTML cannot do: news that overtake each other, coming back after sleep, a tap felt.

const body = document.body;

// A fresh page must not close what the reader has opened meanwhile, nor turn a switch of this page, nor
// take what somebody types or chooses.
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
  !(name === "open" && node.tagName === "DETAILS") && !node.matches("[data-awake]") && !isTyped(name, node);

function isChosen({ options, selectedIndex }) {
  return selectedIndex !== Math.max(0, [...options].findIndex(({ defaultSelected }) => defaultSelected));
}

function isTyped(name, node) {
  if (name === "selected") return isChosen(node.closest("select"));
  if (!node.matches("input, textarea")) return false;
  return (name === "value" && node.value !== node.defaultValue) || (name === "checked" && node.checked !== node.defaultChecked);
}

// Whoever stood on a button that is gone or now does something else goes on beside those that came for it.
let stood = null;
let kind;
const kindOf = () => stood?.closest(".tap")?.className;
for (const name of ["htmx:beforeSwap", "htmx:sseBeforeMessage"]) {
  body.addEventListener(name, () => {
    stood = document.activeElement;
    kind = kindOf();
  });
}
body.addEventListener("htmx:afterSettle", () => {
  if (!stood?.isConnected || kindOf() !== kind) document.querySelector("#table .pad")?.focus({ preventScroll: true });
});

// A key that is held down is one tap.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.closest("button")) event.preventDefault();
});

// On a slow network the tapped button shows at once that it was taken, until it is answered.
const take = (button) => button?.toggleAttribute("data-taken", true);
const release = () => document.querySelector("[data-taken]")?.removeAttribute("data-taken");
addEventListener("submit", ({ defaultPrevented, submitter }) => defaultPrevented || take(submitter));
addEventListener("pageshow", release);

let tapping = 0;
let missed = -1;

// News may overtake each other; what is shown never goes back.
const shown = () => Number(document.querySelector("[data-seq]")?.dataset.seq ?? -1);
// That a table's draw is gone is no event of the table, so its number stays.
const gone = (text) => text.includes("data-gone");
body.addEventListener("htmx:sseBeforeMessage", (event) => {
  const seq = Number(event.detail.lastEventId);
  // While a tap is under way its answer shows the news; changing the page now would lose the next.
  if (tapping) missed = Math.max(missed, seq);
  const old = gone(event.detail.data) ? seq < shown() : seq <= shown();
  if (tapping || old) event.preventDefault();
});
const isTap = ({ detail }) => detail.requestConfig.verb === "post";
body.addEventListener("htmx:beforeRequest", (event) => {
  if (!isTap(event)) return;
  tapping += 1;
  take(event.detail.requestConfig.triggeringEvent?.submitter);
});
body.addEventListener("htmx:afterRequest", (event) => {
  if (!isTap(event)) return;
  tapping -= 1;
  release();
  if (event.detail.successful) navigator.vibrate?.(15);
  if (missed > shown()) resume();
  missed = -1;
});
body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const [, seq] = /data-seq="(\d+)"/.exec(detail.xhr.responseText) ?? [];
  // What was only looked up is no news; the answer to a tap may carry a notice.
  const lookedUp = detail.requestConfig.verb === "get" && !gone(detail.xhr.responseText);
  const old = lookedUp ? Number(seq) <= shown() : Number(seq) < shown();
  if (old || isForeign(detail)) detail.shouldSwap = false;
});

// What anybody else on the way answers, a gateway or the page a guest signs in on, takes no table's place.
function isForeign({ target, xhr }) {
  return (target.matches("[data-seq]") || target.querySelector("[data-seq]")) && !xhr.responseText.includes("data-seq");
}

// A renewed link answers 403 or 404: show that page instead of a dead one. A page that lives says it itself.
body.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
  const isOurs = xhr.getResponseHeader("Bummerl-Answer");
  if (isOurs && [403, 404].includes(xhr.status) && !document.querySelector("#stale")) location.reload();
});

// Sleeping phones lose the stream: ask for the present state on waking.
function resume() {
  if (document.visibilityState === "visible") body.dispatchEvent(new Event("resume"));
}
document.addEventListener("visibilitychange", resume);
addEventListener("online", resume);
addEventListener("pageshow", (event) => event.persisted && resume());
