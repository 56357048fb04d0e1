// Shows a button that prints. Without scripts, use the browser's menu.
// On paper, an element with data-copies is repeated.

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

for (const original of document.querySelectorAll("[data-copies]")) {
  const copies = Array.from({ length: original.dataset.copies - 1 }, () => original.cloneNode(true));
  addEventListener("beforeprint", () => original.after(...copies));
  addEventListener("afterprint", () => copies.forEach((copy) => copy.remove()));
}
