// The panel under "more" on the pad.

const { body } = document;

// A tap that was written closes "more"; whatever else is new leaves it open, and only makes its buttons old.
let written = false;
Idiomorph.defaults.callbacks.beforeNodeMorphed = ({ id }) => written || id !== "panel";
body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const closes = detail.requestConfig.verb === "post" && detail.xhr.status === 200;
  // What was asked for before that comes too late.
  if (closes && panel()) htmx.trigger("#more", "htmx:abort");
  written = closes;
});
body.addEventListener("htmx:afterRequest", () => (written = false));
body.addEventListener("htmx:afterSettle", ({ target }) => {
  if (!isOpen() || target === panel() || !target.contains(panel())) return;
  htmx.trigger("#more", "renew");
  document.querySelector(".pad .notice")?.scrollIntoView({ block: "nearest" });
});
// With "more" open the page stands one entry further in the browser's history: going back closes it.
// What was closed otherwise going back passes over.
const panel = () => document.querySelector("#panel");
const isOpen = () => Boolean(panel()?.childElementCount);
let entry = history.state;

const tellOpen = () => document.querySelector("#more")?.setAttribute("aria-expanded", isOpen());

function note() {
  tellOpen();
  if (!panel() || (entry === null && !isOpen())) return;
  history[entry === null ? "pushState" : "replaceState"](isOpen(), "");
  entry = isOpen();
}
body.addEventListener("htmx:afterSettle", note);
// A tap on its way hears of its end only as long as its form is there.
const close = () => document.querySelector("#table form.htmx-request") || panel().replaceChildren();
addEventListener("popstate", ({ state }) => {
  if (isOpen()) close();
  else if (panel() && entry !== null && state === null) history.back();
  entry = state;
  tellOpen();
});
// A second tap on "more" closes what the first one opened.
body.addEventListener("htmx:confirm", (event) => {
  if (event.target.id !== "more" || event.detail.triggeringEvent.type === "renew" || !isOpen()) return;
  event.preventDefault();
  close();
  note();
});
