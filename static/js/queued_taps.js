// Keeps taps that come while an earlier tap is being sent. When that is answered, the next one is sent if its
// button still exists with the same text. Otherwise the writer sees a notice. A second tap in one place does not get
// here: double_tap.js ignores it, for a time that tokens.css names (--second-tap).

const { body } = document;
const queuedTaps = [];
let lastButton;

const isSending = () => document.querySelector("#table form.htmx-request");

// Returns the function `sendNext(wasRecorded)`, which outbox.js calls when resending has ended.
export function start({ labelOf, storePromise, tab, sentence, isFinal, isResending }) {
  // A tap is stored at once, so that the next page can show the notice if this page is left.
  const store = async (value, label) =>
    (await storePromise).begin({ value, why: sentence.replace("{what}", () => label) }, tab);
  const settle = (action, taps) => taps.forEach(async ({ stored }) => (await storePromise)[action](await stored));

  function sendNext(wasRecorded) {
    const tap = queuedTaps.shift();
    const isSame = (button) => button.value === tap.value && labelOf(button) === tap.label;
    const button = tap && [...document.querySelectorAll("#table [name=event], #more")].find(isSame);
    const isMore = button?.id === "more";
    // Uses click(), because htmx always sends the button of its form that was clicked last.
    if (isMore || (wasRecorded && button)) {
      button.click();
      settle("drop", [tap]);
    } else if (tap) settle("keep", [tap, ...queuedTaps.splice(0)]); // the notice shows them
    if (isMore) sendNext(wasRecorded);
  }

  body.addEventListener("htmx:confirm", (event) => {
    if (event.defaultPrevented) return;
    const { elt, triggeringEvent } = event.detail;
    const button = triggeringEvent?.submitter ?? elt;
    if (button.name !== "event" && (button.id !== "more" || triggeringEvent?.type !== "click")) return;
    // A second press of a button is ignored, as double_tap.js ignores a second tap in one place.
    const isRepeat = button === lastButton;
    lastButton = button;
    if (!isSending() && !isResending()) return;
    event.preventDefault();
    if (isRepeat) return;
    const label = labelOf(button);
    queuedTaps.push({ value: button.value, label, stored: store(button.value, label) });
    button.dataset.waits = "";
  });

  // The next tap is sent when htmx has finished the one before and that was recorded.
  body.addEventListener("htmx:afterRequest", ({ detail: { elt, requestConfig, xhr } }) => {
    // "More" records nothing: after its response or failure, another tap on it counts.
    if (elt === lastButton && elt.id === "more") lastButton = undefined;
    if (requestConfig.verb !== "post") return;
    queueMicrotask(() => sendNext(xhr.status === 200 && isFinal(xhr)));
  });
  return (wasRecorded) => isSending() || sendNext(wasRecorded);
}
