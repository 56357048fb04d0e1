// Shows whether the browser has promised to keep this phone's data. A tap asks for the promise.

const promised = () => navigator.storage?.persisted?.().catch(() => false);

async function show() {
  const says = (await promised()) ? "kept" : "may-go";
  for (const part of document.querySelectorAll("[data-storage]")) part.hidden = part.dataset.storage !== says;
}

export async function askForStorage() {
  const granted = await navigator.storage?.persist?.().catch(() => false);
  for (const part of document.querySelectorAll("[data-storage-refused]")) part.hidden = Boolean(granted);
  await show();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-storage-ask]")) askForStorage();
});

await show();
