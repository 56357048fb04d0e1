// Swaps two people's seats: tap one handle, then the other. At a running table the form is sent at once.

const handles = document.querySelectorAll("[data-swap]");
let first = null;

const nameField = (handle) => handle.closest(".seat").querySelector("input:not([type=radio])");

function mark(handle) {
  first?.setAttribute("aria-pressed", "false");
  first = handle;
  first?.setAttribute("aria-pressed", "true");
  document.querySelector("[data-swap-next]").hidden = !first;
}

function swap(handle) {
  const [here, there] = [nameField(first), nameField(handle)];
  [here.value, there.value] = [there.value, here.value];
  mark(null);
  const { form } = here;
  if ("swapsAtOnce" in form.dataset) form.requestSubmit();
}

for (const handle of handles) {
  handle.hidden = false;
  handle.addEventListener("click", () => {
    if (first && first !== handle) swap(handle);
    else mark(first === handle ? null : handle);
  });
}
