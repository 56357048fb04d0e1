// Fingers are faster than answers. What is tapped while the tap before it is on its way waits for the
// answer, and is sent if its button then still stands and says the same; if not, the writer is told.

const { body } = document;
const early = [];
let last; // the button tapped last

const isOnItsWay = () => document.querySelector("#table form.htmx-request");
const buttons = () => document.querySelectorAll("#table [name=event], #more");

export function watch(words, untaken) {
  const isSame = ({ value, what }) => (button) => button.value === value && words(button) === what;

  function next(recorded) {
    const tap = early.shift();
    if (!tap) return;
    const button = recorded && [...buttons()].find(isSame(tap));
    if (!button) untaken([tap, ...early.splice(0)].map(({ what }) => what));
    else if (button.form) button.form.requestSubmit(button);
    else htmx.trigger(button, "click");
  }

  body.addEventListener("htmx:confirm", (event) => {
    const { elt, triggeringEvent } = event.detail;
    const button = elt.id === "more" ? elt : triggeringEvent?.submitter;
    if (button?.name !== "event" && button?.id !== "more") return;
    // A second press of the same key is none, as a finger's in the same place: second.js
    const again = button === last;
    last = button;
    if (!isOnItsWay()) return;
    event.preventDefault();
    if (again) return;
    early.push({ value: button.value, what: words(button) });
    button.toggleAttribute("data-waits", true);
  });

  // What comes next is sent when htmx has done with what came before, unless that was not written.
  body.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, xhr } }) => {
    if (requestConfig.verb !== "post") return;
    queueMicrotask(() => next(xhr.status === 200 && !body.classList.contains("unsent")));
  });
}
