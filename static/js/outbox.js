// A tap that could not be sent stays on the phone and is sent again, always under the same name,
// so it is recorded once however often it arrives. One tap waits at a time: the next one could
// only be judged after it.

const KEY = "bummerl-unsent";
const REFUSED = "bummerl-refused";
const RETRY = 5000;

const read = () => JSON.parse(localStorage.getItem(KEY) ?? "null");

// Shows what came of something that waited: in its place on its own page; else, where it was refused,
// the sentence that says why stays until somebody has read it.
function answered(path, answer, page) {
  const told = [200, 409, 422].includes(answer.status);
  const found = new DOMParser().parseFromString(page, "text/html");
  if (told && path === `${location.pathname}/events`) {
    const contextElement = document.querySelector("#table");
    htmx.swap(contextElement, page, { swapStyle: "morph:outerHTML" }, { contextElement });
  } else if (told && path === location.pathname && found.querySelector("#standing")) {
    htmx.swap("#standing", page, { swapStyle: "outerHTML" }, { select: "#standing" });
  } else {
    const why = found.querySelector(".notice[role=alert], .error h1");
    if (!answer.ok && why) localStorage.setItem(REFUSED, why.textContent.trim());
    location.reload();
  }
}

function watchRefused(notice) {
  notice.querySelector("span").textContent = localStorage.getItem(REFUSED);
  notice.hidden = !localStorage.getItem(REFUSED);
  notice.querySelector("button").addEventListener("click", () => {
    localStorage.removeItem(REFUSED);
    notice.hidden = true;
  });
}

function watchOutbox(banner) {
  const text = banner.querySelector("span");

  const show = () => {
    const waiting = read();
    banner.hidden = !waiting;
    document.body.classList.toggle("unsent", Boolean(waiting));
    if (waiting) text.textContent = banner.dataset.waiting;
  };

  const keep = (url, parameters) => {
    // A result that is typed again takes the place of the one that waits.
    const again = read()?.url === url && !url.endsWith("/events");
    if (!read() || again) localStorage.setItem(KEY, JSON.stringify({ url, body: String(new URLSearchParams(parameters)) }));
    show();
  };

  let sending = false;
  const send = async () => {
    const waiting = read();
    if (!waiting || sending) return;
    sending = true;
    try {
      const answer = await fetch(waiting.url, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" },
        body: waiting.body,
      });
      // 5xx and 429 come from a server that may yet keep it; every other answer is final.
      if (answer.status < 500 && answer.status !== 429) {
        const page = await answer.text();
        localStorage.removeItem(KEY);
        answered(new URL(waiting.url, location.href).pathname, answer, page);
      }
    } catch {
      // Still no network: it goes on waiting.
    } finally {
      sending = false;
      show();
    }
  };

  const failed = ({ detail }) => {
    const { verb, path, formData, parameters } = detail.requestConfig;
    if (verb === "post") keep(path, formData ?? parameters);
  };
  for (const name of ["htmx:sendError", "htmx:timeout"]) document.body.addEventListener(name, failed);
  document.body.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    if (status >= 500 || status === 429) failed(event);
  });

  banner.querySelector("button").addEventListener("click", send);
  addEventListener("online", send);
  document.addEventListener("visibilitychange", send);
  setInterval(send, RETRY);
  show();
  send();
}

watchOutbox(document.querySelector("#outbox"));
watchRefused(document.querySelector("#refused"));
