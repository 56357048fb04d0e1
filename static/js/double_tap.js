// A finger that trembles comes down twice in the same place, whatever stands there by then: what it is
// about to change or has just changed takes no second tap there, see pad.css. Elsewhere another tap is one.

const FINGER = 48; // pixels
const EVERYWHERE = () => true;
const NOWHERE = () => false;

// Where what has just changed takes no tap: round the one that changed it; what others changed, everywhere.
let shut = NOWHERE;

function round({ clientX, clientY }) {
  return (tap) => Math.hypot(tap.clientX - clientX, tap.clientY - clientY) < FINGER;
}

const willChange = () => document.querySelector("#table form.htmx-request");
const hasJustChanged = (target) => target.closest(".turn-0, .turn-1")?.getAnimations().length > 0;

document.documentElement.classList.add("hand");
addEventListener("click", (event) => {
  if (!event.isTrusted) return; // what waited is sent by early_taps.js
  const isFinger = event.detail > 0; // a key's has no place
  if (isFinger && shut(event) && (willChange() || hasJustChanged(event.target))) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else shut = isFinger ? round(event) : NOWHERE;
}, { capture: true });
document.body.addEventListener("htmx:sseMessage", () => (shut = EVERYWHERE));
// Whoever comes back, to the page or out of what lay over it, has not tapped on it.
for (const back of ["pageshow", "popstate"]) addEventListener(back, () => (shut = NOWHERE));
