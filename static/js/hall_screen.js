// Turns the pages of the hall's screen and runs its clock. The screen's own clock may be wrong, so this one counts
// down the seconds that the server sent. Without network, or after its link was closed, the page stays, shows a
// notice and tries again. web/tournament/hall_screen.py sets how long a page stays (SECONDS_PER_PAGE).

import { SERVER_TIMEOUT_MS } from "./root.js";

const nextPage = document.querySelector("[data-following]");
const clock = document.querySelector("[data-left]");
const opened = performance.now();

async function turn() {
  const { following } = nextPage.dataset;
  try {
    const response = await fetch(following, { method: "HEAD", signal: AbortSignal.timeout(SERVER_TIMEOUT_MS) });
    if (response.ok) {
      location.replace(following);
      return;
    }
  } catch {
    // The server did not answer.
  }
  document.body.dispatchEvent(new Event("lost"));
  wait();
}

function wait() {
  setTimeout(turn, Number(nextPage.dataset.seconds) * 1000);
}

function tick() {
  const left = Math.max(0, Math.round(Number(clock.dataset.left) - (performance.now() - opened) / 1000));
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60];
  const parts = hours ? [hours, minutes, left % 60] : [minutes, left % 60];
  clock.textContent = parts.map((part, at) => String(part).padStart(at && 2, "0")).join(":");
  clock.classList.toggle("over", left === 0);
}

wait();
if (clock) {
  tick();
  setInterval(tick, 1000);
}
