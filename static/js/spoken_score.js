// Speaks the score when it changes, with the phone's voice. The server puts the words into the page, in its
// language.

const KEY = "bummerl-said";
let storage; // undefined if the browser blocks it
try {
  storage = sessionStorage;
} catch {}

function speak() {
  const text = document.querySelector("[data-spoken]")?.dataset.spoken ?? "";
  // The score is not repeated on return from the menu.
  if (!text || text === storage?.getItem(KEY)) return;
  storage?.setItem(KEY, text);
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = document.documentElement.lang;
  utterance.addEventListener("error", ({ error }) => {
    if (error === "not-allowed") addEventListener("pointerdown", speakAgain, { once: true });
  });
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}

// Some phones speak only after a touch.
function speakAgain() {
  storage?.removeItem(KEY);
  speak();
}

if ("speechSynthesis" in window) {
  for (const name of ["htmx:sseMessage", "htmx:afterSettle"]) document.body.addEventListener(name, speak);
  speak();
}
