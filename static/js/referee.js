// A newer question replaces the one being sent. It contains all taps since the last answer, in order: the cards and
// their targets.
let pending = [];
let first; // the target of the first of them

document.addEventListener("htmx:configRequest", ({ detail: { elt, parameters, triggeringEvent } }) => {
  if (!elt.closest("#referee")) return;
  if (!pending.length) first = parameters.to;
  const isZone = triggeringEvent?.target.name === "to";
  const done = parameters.tap ?? (isZone && pending.length ? parameters.to : null);
  if (done) pending.push(done);
  parameters.tap = pending;
  if (pending.length && first) parameters.to = first;
});

document.addEventListener("htmx:afterSwap", () => {
  pending = [];
});
