// Shows whether the browser has promised to keep what is stored on this phone, and asks for it on a tap.

const promised = () => navigator.storage?.persisted?.().catch(() => false);

async function show() {
  const says = (await promised()) ? "kept" : "may-go";
  for (const part of document.querySelectorAll("[data-storage]")) part.hidden = part.dataset.storage !== says;
}

export async function askPromise() {
  const granted = await navigator.storage?.persist?.().catch(() => false);
  for (const part of document.querySelectorAll("[data-storage-refused]")) part.hidden = Boolean(granted);
  await show();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-storage-ask]")) askPromise();
});

await show();
