// The panel under "more" on the pad.

const { body } = document;

// A recorded tap closes "more". Any other news leaves it open and reloads its buttons.
let isTapRecorded = false;
Idiomorph.defaults.callbacks.beforeNodeMorphed = ({ id }) => isTapRecorded || id !== "panel";
body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const closes = detail.requestConfig.verb === "post" && detail.xhr.status === 200;
  // A response to an earlier request for the panel would open it again.
  if (closes && panel()) htmx.trigger("#more", "htmx:abort");
  isTapRecorded = closes;
});
body.addEventListener("htmx:afterRequest", () => (isTapRecorded = false));
body.addEventListener("htmx:afterSettle", ({ target }) => {
  if (!isOpen() || target === panel() || !target.contains(panel())) return;
  htmx.trigger("#more", "renew");
  document.querySelector(".pad .notice")?.scrollIntoView({ block: "nearest" });
});
// Opening "more" adds an entry to the browser's history, so that going back closes it. If it was closed
// otherwise, going back skips that entry.
const panel = () => document.querySelector("#panel");
const isOpen = () => Boolean(panel()?.childElementCount);
let entry = history.state;

const showState = () => document.querySelector("#more")?.setAttribute("aria-expanded", isOpen());

function updateHistory() {
  showState();
  if (!panel() || (entry === null && !isOpen())) return;
  history[entry === null ? "pushState" : "replaceState"](isOpen(), "");
  entry = isOpen();
}
body.addEventListener("htmx:afterSettle", updateHistory);
// During a request its form must stay, or htmx would not report the end.
const close = () => document.querySelector("#table form.htmx-request") || panel().replaceChildren();
addEventListener("popstate", ({ state }) => {
  if (isOpen()) close();
  else if (panel() && entry !== null && state === null) history.back();
  entry = state;
  showState();
});
// A second tap on "more" closes what the first one opened.
body.addEventListener("htmx:confirm", (event) => {
  if (event.target.id !== "more" || event.detail.triggeringEvent.type === "renew" || !isOpen()) return;
  event.preventDefault();
  close();
  updateHistory();
});
