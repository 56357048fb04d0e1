// A tap on a regular's name fills the next free seat; another tap empties it. start.py says whose names.

const chips = [...document.querySelectorAll("[data-regular]")];
const notice = document.querySelector("[data-regulars-full]");
const fields = ["00", "10", "20", "01", "11"].map((seat) =>
  document.querySelector(`.seat-${seat} input:not([type=radio])`),
);
// Two and three play without partners.
const visibleFields = () => fields.filter((field) => field.checkVisibility());
const comparable = (name) => name.trim().toLowerCase();
const fieldOf = (chip) => visibleFields().find(({ value }) => comparable(value) === comparable(chip.dataset.regular));

const freeField = () => visibleFields().find(({ value }) => !value.trim());

function show() {
  for (const chip of chips) chip.setAttribute("aria-pressed", Boolean(fieldOf(chip)));
  if (freeField()) notice.hidden = true;
}

for (const chip of chips) {
  chip.parentElement.hidden = false;
  chip.addEventListener("click", () => {
    const field = fieldOf(chip) ?? freeField();
    notice.hidden = Boolean(field);
    if (field) field.value = fieldOf(chip) ? "" : chip.dataset.regular;
    show();
  });
}
addEventListener("input", show);
addEventListener("pageshow", show);
document.addEventListener("click", () => setTimeout(show));
show();
