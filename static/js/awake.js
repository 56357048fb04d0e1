// Keeps the screen on where the browser allows it (HTTPS or this machine only).

export function stayAwake() {
  if (!navigator.wakeLock) return;
  const ask = () => {
    if (document.visibilityState === "visible") navigator.wakeLock.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
