// Fingers are faster than answers. What is tapped while the tap before it is on its way, for the first
// time or again, waits for the answer, and is sent if its button then still stands and says the same;
// if not, the writer is told.

const { body } = document;
const early = [];
let last; // the button tapped last

const isAsked = () => document.querySelector("#table form.htmx-request");
const buttons = () => document.querySelectorAll("#table [name=event], #more");

// Returns what is to be called, with whether all was written, when nothing is sent again any more.
export function watch(words, storing, tab, sentence, isFinal, isSentAgain) {
  const isOnItsWay = () => isAsked() || isSentAgain();
  const isSame = ({ value, what }) => (button) => button.value === value && words(button) === what;

  // Kept from the moment it is tapped: the next page tells it, should this one not come to it.
  const wait = async (value, what) => (await storing).begin({ value, why: sentence.replace("{what}", () => what) }, tab);
  const settle = (way, taps) => taps.forEach(async ({ kept }) => (await storing)[way](await kept));
  const tell = (taps) => settle("keep", taps);

  function next(written) {
    const tap = early.shift();
    const button = tap && [...buttons()].find(isSame(tap));
    const isMore = button?.id === "more";
    // By a click: htmx sends what was clicked last in its form, whatever that is submitted by.
    if (isMore || (written && button)) {
      button.click();
      settle("drop", [tap]);
    } else if (tap) tell([tap, ...early.splice(0)]);
    if (isMore) next(written);
  }

  body.addEventListener("htmx:confirm", (event) => {
    if (event.defaultPrevented) return;
    const { elt, triggeringEvent } = event.detail;
    const button = triggeringEvent?.submitter ?? elt;
    if (button.name !== "event" && (button.id !== "more" || triggeringEvent?.type !== "click")) return;
    // A second press of the same key is none, as a finger's in the same place: double_tap.js
    const again = button === last;
    last = button;
    if (!isOnItsWay()) return;
    event.preventDefault();
    if (again) return;
    const what = words(button);
    early.push({ value: button.value, what, kept: wait(button.value, what) });
    button.toggleAttribute("data-waits", true);
  });

  // What comes next is sent when htmx has done with what came before, unless that was not written.
  body.addEventListener("htmx:afterRequest", ({ detail: { elt, requestConfig, xhr } }) => {
    // "More" records nothing: once it is answered, or failed, another tap on it is one.
    if (elt === last && elt.id === "more") last = undefined;
    if (requestConfig.verb !== "post") return;
    queueMicrotask(() => next(xhr.status === 200 && isFinal(xhr)));
  });
  return (written) => isAsked() || next(written);
}
