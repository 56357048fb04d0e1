// Whoever comes back to a page the browser kept finds its form as it was left, and its lists as they now are.

addEventListener("pageshow", async ({ persisted }) => {
  const [way] = performance.getEntriesByType("navigation");
  // A busy browser may not know yet which way led here.
  if (!persisted && way && way.type !== "back_forward") return;
  // What the browser keeps stays as it is: it has the form's name.
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const list of document.querySelectorAll("[data-listed]")) {
    const { listed } = list.dataset;
    list.replaceWith(now.querySelector(`[data-listed="${listed}"]`));
  }
});
