// Updates live pages. The server sets the delay of reconnecting: scorer/web/frame/sse.py

const body = document.body;

// New content leaves open details, the switch of the wake lock, and changed fields as they are.
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
  !(name === "open" && node.tagName === "DETAILS") && !node.matches("button[data-awake]") && !isEdited(name, node);

function isChosen({ options, selectedIndex }) {
  return (
    selectedIndex !==
    Math.max(
      0,
      [...options].findIndex(({ defaultSelected }) => defaultSelected),
    )
  );
}

function isEdited(name, node) {
  if (name === "selected") return isChosen(node.closest("select"));
  if (!node.matches("input, textarea")) return false;
  return (
    (name === "value" && node.value !== node.defaultValue) ||
    (name === "checked" && node.checked !== node.defaultChecked)
  );
}

// If the focused button is gone or has become another one, the focus moves to the pad, unless the reader has moved it.
let focused = null;
let kind;
const kindOf = () => focused?.closest(".tap")?.className;
for (const name of ["htmx:beforeSwap", "htmx:sseBeforeMessage"]) {
  body.addEventListener(name, () => {
    focused = document.activeElement;
    kind = kindOf();
  });
}
body.addEventListener("htmx:afterSettle", () => {
  if (focused?.isConnected && kindOf() === kind) return;
  if ([focused, body].includes(document.activeElement))
    document.querySelector("#table .pad")?.focus({ preventScroll: true });
});

// A held Enter key counts as one tap.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.closest("button")) event.preventDefault();
});

// The tapped button is marked until its request ends.
const mark = (button) => button?.toggleAttribute("data-taken", true);
const unmark = () => document.querySelector("[data-taken]")?.removeAttribute("data-taken");
addEventListener("submit", ({ defaultPrevented, submitter }) => defaultPrevented || mark(submitter));
addEventListener("pageshow", unmark);

let pendingTaps = 0;
let missedSeq = -1;

// Messages can arrive in the wrong order. Older ones are ignored.
const shownSeq = () => Number(document.querySelector("[data-seq]")?.dataset.seq ?? -1);
// If a table's draw is taken back, the table itself has no new event and keeps its number.
const isGone = (text) => text.includes("data-gone");
body.addEventListener("htmx:sseBeforeMessage", (event) => {
  const seq = Number(event.detail.lastEventId);
  // During a request the page must not change, or the next tap would be lost. The response shows the news.
  if (pendingTaps) missedSeq = Math.max(missedSeq, seq);
  const isOld = isGone(event.detail.data) ? seq < shownSeq() : seq <= shownSeq();
  if (pendingTaps || isOld) event.preventDefault();
});
const isTap = ({ detail }) => detail.requestConfig.verb === "post";
body.addEventListener("htmx:beforeRequest", (event) => {
  if (!isTap(event)) return;
  pendingTaps += 1;
  mark(event.detail.requestConfig.triggeringEvent?.submitter);
});
body.addEventListener("htmx:afterRequest", (event) => {
  if (!isTap(event)) return;
  pendingTaps -= 1;
  unmark();
  if (event.detail.successful) navigator.vibrate?.(15);
  if (missedSeq > shownSeq()) resume();
  missedSeq = -1;
});
body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const [, seq] = /data-seq="(\d+)"/.exec(detail.xhr.responseText) ?? [];
  // A refresh with the same number shows nothing new; the response to a POST may contain a notice.
  const isRefresh = detail.requestConfig.verb === "get" && hasState(detail.target) && !isGone(detail.xhr.responseText);
  const isOld = isRefresh ? Number(seq) <= shownSeq() : Number(seq) < shownSeq();
  if (isOld || isForeign(detail)) detail.shouldSwap = false;
});

const hasState = (target) => target.matches("[data-seq]") || target.querySelector("[data-seq]");

// A response of a gateway or of a sign-in page must not replace the table.
function isForeign({ target, xhr }) {
  return hasState(target) && !xhr.responseText.includes("data-seq");
}

// The server answers 403 or 404 for a closed link. A reload shows that; on live pages connection_notice.js says it.
body.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
  const isOurs = xhr.getResponseHeader("Bummerl-Answer");
  if (isOurs && [403, 404].includes(xhr.status) && !document.querySelector("#connection-notice")) location.reload();
});

// A sleeping phone loses the stream. On waking, the page requests the current state.
function resume() {
  if (document.visibilityState === "visible") body.dispatchEvent(new Event("resume"));
}
document.addEventListener("visibilitychange", resume);
addEventListener("online", resume);
addEventListener("pageshow", (event) => event.persisted && resume());

const loadPicture = () => document.querySelector("a[data-picture]") && import("./picture.js").catch(() => {});
body.addEventListener("htmx:afterSettle", loadPicture);
loadPicture();
