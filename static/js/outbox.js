// A tap that could not be sent stays on the phone and is sent again, always under the same name,
// so it is recorded once however often it arrives. One tap waits at a time: the next one could
// only be judged after it.

const KEY = "bummerl-unsent";
const RETRY = 5000;

const read = () => JSON.parse(localStorage.getItem(KEY) ?? "null");

function watchOutbox(banner) {
  const text = banner.querySelector("span");

  const show = () => {
    const waiting = read();
    banner.hidden = !waiting;
    document.body.classList.toggle("unsent", Boolean(waiting));
    if (waiting) text.textContent = banner.dataset.waiting;
  };

  const keep = (url, parameters) => {
    if (!read()) localStorage.setItem(KEY, JSON.stringify({ url, body: String(new URLSearchParams(parameters)) }));
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
        localStorage.removeItem(KEY);
        const page = await answer.text();
        const here = new URL(waiting.url, location.href).pathname === `${location.pathname}/events`;
        if (here && [200, 409, 422].includes(answer.status)) {
          htmx.swap("#table", page, { swapStyle: "morph:outerHTML" });
        } else {
          location.reload();
        }
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
