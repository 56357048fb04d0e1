// Ignores the second tap of a trembling finger. A tap is ignored if it is within 48 pixels of the previous tap, and
// that tap's request is running or the buttons have just changed (--second-tap in tokens.css says how long that is).
// A tap farther away counts; if it comes too early to be sent, queued_taps.js keeps it.

const FINGER_PX = 48;
const EVERYWHERE = () => true;
const NOWHERE = () => false;

// Whether a tap may be an accidental repeat: near this phone's last tap, or anywhere after another phone's entry.
let mayBeRepeat = NOWHERE;

function nearTo({ clientX, clientY }) {
  return (tap) => Math.hypot(tap.clientX - clientX, tap.clientY - clientY) < FINGER_PX;
}

const requestIsRunning = () => document.querySelector("#table form.htmx-request");
const isChangeShown = (target) => target.closest(".parity-0, .parity-1")?.getAnimations().length > 0;

document.documentElement.classList.add("has-tap-guard");
addEventListener("click", (event) => {
  if (!event.isTrusted) return; // queued_taps.js sends waiting taps by such clicks
  const isFinger = event.detail > 0; // a click by key has no position
  if (isFinger && mayBeRepeat(event) && (requestIsRunning() || isChangeShown(event.target))) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else mayBeRepeat = isFinger ? nearTo(event) : NOWHERE;
}, { capture: true });
document.body.addEventListener("htmx:sseMessage", () => (mayBeRepeat = EVERYWHERE));
// Returning to the page, or closing the panel, does not count as a tap on the pad.
for (const name of ["pageshow", "popstate"]) addEventListener(name, () => (mayBeRepeat = NOWHERE));
