// Hands an address to the phone's own way of sharing, or copies it. Without this script the address
// itself is there to be copied.

// On plain HTTP, as in a house's own network, browsers give scripts no clipboard: there what is marked is copied.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.className = "sr";
  field.readOnly = true;
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("not copied");
}

async function handOn(button) {
  const { share: url, title, copied, marked } = button.dataset;
  if (navigator.share) return navigator.share({ title, url }).catch(() => {});
  try {
    await copy(url);
    button.textContent = copied;
  } catch {
    getSelection().selectAllChildren(button.parentElement.previousElementSibling);
    button.textContent = marked;
  }
  button.focus();
}

for (const button of document.querySelectorAll("[data-share]")) {
  if (!navigator.share) button.textContent = button.dataset.copies;
  button.hidden = false;
  button.addEventListener("click", () => handOn(button));
}
