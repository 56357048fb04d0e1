// Fingers are faster than answers: a newer question takes the place of the one on its way, and
// carries the cards tapped since the last answer.
let pending = [];

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (!detail.elt.closest("#referee")) return;
  if (detail.parameters.tap) pending.push(detail.parameters.tap);
  detail.parameters.tap = pending;
});

document.addEventListener("htmx:afterSwap", () => {
  pending = [];
});
