// Shows the codes of an evening one after the other, so that a camera held still reads them all.
// Without this script they are listed one below the other. templates/pocket/qr_codes.html sets the time (data-turn-ms).

const list = document.querySelector("[data-turn-ms]");
const codes = [...list.children];
const stopButton = document.querySelector("[data-turning-stop]");
let next = 0;
let timer;

function showNext() {
  codes.forEach((code, n) => (code.hidden = n !== next));
  next = (next + 1) % codes.length;
}

function turn(on) {
  clearInterval(timer);
  stopButton.setAttribute("aria-pressed", String(!on));
  if (on) {
    showNext();
    timer = setInterval(showNext, Number(list.dataset.turnMs));
  } else {
    codes.forEach((code) => (code.hidden = false));
  }
}

if (stopButton) {
  stopButton.hidden = false;
  stopButton.addEventListener("click", () => turn(stopButton.getAttribute("aria-pressed") === "true"));
  turn(!matchMedia("(prefers-reduced-motion: reduce)").matches);
}
