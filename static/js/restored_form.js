// Going back to a page that the browser kept shows the form as it was left and the current lists.

addEventListener("pageshow", async ({ persisted }) => {
  const [navigation] = performance.getEntriesByType("navigation");
  // A busy browser may not know the navigation type yet.
  if (!persisted && navigation && navigation.type !== "back_forward") return;
  // The form with its token stays as the browser kept it.
  const response = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!response?.ok) return;
  const current = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const list of document.querySelectorAll("[data-listed]")) {
    const { listed } = list.dataset;
    list.replaceWith(current.querySelector(`[data-listed="${listed}"]`));
  }
});
