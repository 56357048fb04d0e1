// The regulars of a ledger sit down by a tap, each on the next free seat, and get up by another.

const chips = [...document.querySelectorAll("[data-regular]")];
const fields = () => ["00", "10", "01", "11"].map((seat) => document.querySelector(`.seat-${seat} input:not([type=radio])`));
// Three play without partners: each is a side by himself.
const sides = () => [...document.querySelectorAll(".side-names input")];
const isSeen = (field) => field.checkVisibility();
const places = () => (fields().some(isSeen) ? fields() : sides()).filter(isSeen);
const plain = (name) => name.trim().toLowerCase();
const placeOf = (chip) => places().find(({ value }) => plain(value) === plain(chip.dataset.regular));

function show() {
  const isFull = !places().some(({ value }) => !value.trim());
  for (const chip of chips) {
    const isIn = Boolean(placeOf(chip));
    chip.setAttribute("aria-pressed", isIn);
    chip.disabled = isFull && !isIn;
  }
}

for (const chip of chips) {
  chip.parentElement.hidden = false;
  chip.addEventListener("click", () => {
    const place = placeOf(chip) ?? places().find(({ value }) => !value.trim());
    if (place) place.value = placeOf(chip) ? "" : chip.dataset.regular;
    show();
  });
}
addEventListener("input", show);
addEventListener("pageshow", show);
document.addEventListener("click", () => setTimeout(show));
show();
