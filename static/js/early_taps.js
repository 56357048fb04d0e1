// Keeps taps that come while an earlier tap is being sent. When that is answered, the next one is sent if its
// button still exists with the same text. Otherwise the writer sees a notice.

const { body } = document;
const early = [];
let last; // the button tapped last

const isAsked = () => document.querySelector("#table form.htmx-request");
const buttons = () => document.querySelectorAll("#table [name=event], #more");

// Returns a function to call when resending has ended, with whether everything was recorded.
export function watch(words, storing, tab, sentence, isFinal, isSentAgain) {
  const isOnItsWay = () => isAsked() || isSentAgain();
  const isSame = ({ value, what }) => (button) => button.value === value && words(button) === what;

  // A tap is stored at once, so that the next page can show the notice if this page is left.
  const wait = async (value, what) => (await storing).begin({ value, why: sentence.replace("{what}", () => what) }, tab);
  const settle = (way, taps) => taps.forEach(async ({ kept }) => (await storing)[way](await kept));
  const tell = (taps) => settle("keep", taps);

  function next(written) {
    const tap = early.shift();
    const button = tap && [...buttons()].find(isSame(tap));
    const isMore = button?.id === "more";
    // Uses click(), because htmx always sends the button of its form that was clicked last.
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
    // A second press of a button is ignored, as double_tap.js ignores a second tap in one place.
    const again = button === last;
    last = button;
    if (!isOnItsWay()) return;
    event.preventDefault();
    if (again) return;
    const what = words(button);
    early.push({ value: button.value, what, kept: wait(button.value, what) });
    button.toggleAttribute("data-waits", true);
  });

  // The next tap is sent when htmx has finished the one before and that was recorded.
  body.addEventListener("htmx:afterRequest", ({ detail: { elt, requestConfig, xhr } }) => {
    // "More" records nothing: after its response or failure, another tap on it counts.
    if (elt === last && elt.id === "more") last = undefined;
    if (requestConfig.verb !== "post") return;
    queueMicrotask(() => next(xhr.status === 200 && isFinal(xhr)));
  });
  return (written) => isAsked() || next(written);
}
