// Says the score aloud when it changes: the words that the server put into the page, in its
// language, by the phone's own voice.

const KEY = "bummerl-said";
let storage; // none where the browser blocks it
try {
  storage = sessionStorage;
} catch {}

function say() {
  const text = document.querySelector("[data-spoken]")?.dataset.spoken ?? "";
  // Coming back from the menu is no news.
  if (!text || text === storage?.getItem(KEY)) return;
  storage?.setItem(KEY, text);
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = document.documentElement.lang;
  utterance.addEventListener("error", ({ error }) => {
    if (error === "not-allowed") addEventListener("pointerdown", again, { once: true });
  });
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}

// Some phones speak only once they were touched.
function again() {
  storage?.removeItem(KEY);
  say();
}

if ("speechSynthesis" in window) {
  for (const name of ["htmx:sseMessage", "htmx:afterSettle"]) document.body.addEventListener(name, say);
  say();
}
