// Opens the phone's share dialog for an address, or copies it. Without this script the page shows the address.

// Over plain HTTP, browsers give scripts no clipboard. A selected text can still be copied.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.className = "sr";
  field.readOnly = true;
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("not copied");
}

async function share(button) {
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
  button.addEventListener("click", () => share(button));
}
