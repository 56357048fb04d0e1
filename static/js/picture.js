// Turns the drawn result into a PNG and shares it, or else downloads it and says so. Without this script the link opens
// the drawing.

async function drawPng(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed()), "image/png"));
}

async function send(link) {
  const file = new File([await drawPng(link.href)], "bummerl.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch((fault) => {
      if (fault.name !== "AbortError") throw fault; // AbortError: somebody cancelled
    });
    return;
  }
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(file);
  anchor.download = file.name;
  anchor.click();
  link.textContent = link.dataset.saved;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-picture]");
  if (!link) return;
  event.preventDefault();
  send(link).catch(() => location.assign(link.href));
}, true);
