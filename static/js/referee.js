// The referee's page. A new tap cancels the running request, and is sent together with all unanswered taps, in order:
// the cards and their targets.
let pending = [];
let firstTarget; // of the first of them

document.addEventListener("htmx:configRequest", ({ detail: { elt, parameters, triggeringEvent } }) => {
  if (!elt.closest("#referee")) return;
  if (!pending.length) firstTarget = parameters.to;
  const isZone = triggeringEvent?.target.name === "to";
  const tapped = parameters.tap ?? (isZone && pending.length ? parameters.to : null);
  if (tapped) pending.push(tapped);
  parameters.tap = pending;
  if (pending.length && firstTarget) parameters.to = firstTarget;
});

document.addEventListener("htmx:afterSwap", () => {
  pending = [];
});
