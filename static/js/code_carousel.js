// Shows the codes of an evening one after the other, so that a camera held still reads them all.
// Without this script they are listed one below the other.

const list = document.querySelector("[data-turn-ms]");
const codes = [...list.children];
const stop = document.querySelector("[data-turning-stop]");
let next = 0;
let turning;

function show() {
  codes.forEach((code, n) => (code.hidden = n !== next));
  next = (next + 1) % codes.length;
}

function turn(on) {
  clearInterval(turning);
  stop.setAttribute("aria-pressed", String(!on));
  if (on) {
    show();
    turning = setInterval(show, Number(list.dataset.turnMs));
  } else {
    codes.forEach((code) => (code.hidden = false));
  }
}

if (stop) {
  stop.hidden = false;
  stop.addEventListener("click", () => turn(stop.getAttribute("aria-pressed") === "true"));
  turn(!matchMedia("(prefers-reduced-motion: reduce)").matches);
}
