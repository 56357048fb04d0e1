// Turns the pages of the big screen. On a dead network the page stays and tries again.

const { following, seconds } = document.querySelector("[data-following]").dataset;

async function turn() {
  try {
    await fetch(following, { method: "HEAD" });
    location.replace(following);
  } catch {
    wait();
  }
}

function wait() {
  setTimeout(turn, Number(seconds) * 1000);
}

wait();
