// Keeps the screen on where the browser allows it (HTTPS or this machine only).

function ask() {
  if (document.visibilityState === "visible") navigator.wakeLock.request("screen").catch(() => {});
}

if (navigator.wakeLock) {
  document.addEventListener("visibilitychange", ask);
  ask();
}
