// A newer question replaces the one being sent. It contains all that happened since the last answer, in order: the
// tapped cards and where they go.
let pending = [];
let first; // where the first of them was to go

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
