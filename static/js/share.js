// Hands an address to the phone's own way of sharing, or copies it. Without this script the address
// itself is there to be copied.

for (const button of document.querySelectorAll("[data-share]")) {
  const { share: url, title, copied } = button.dataset;
  button.hidden = !(navigator.share || navigator.clipboard);
  button.addEventListener("click", async () => {
    if (navigator.share) {
      await navigator.share({ title, url }).catch(() => {});
    } else {
      await navigator.clipboard.writeText(url).then(() => (button.textContent = copied), () => {});
    }
  });
}
