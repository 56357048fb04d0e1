// While there is no network, live pages on this phone get their updates from the app in the worker.

import { ask } from "./app.js";
import { keyOf } from "./stream_copies.js";
import { isPhoneAhead, STATIC_SITE, state } from "./state.js";

const notifiers = new Set();

export function notifyLivePages() {
  for (const notify of notifiers) notify();
}

export function liveStream(request, url) {
  let last = request.headers.get("last-event-id") ?? "-1";
  let notify;
  const body = new ReadableStream({
    async start(out) {
      const next = async () => {
        if (!STATIC_SITE && !state.lastFailureAt && !isPhoneAhead(keyOf(url))) {
          notifiers.delete(notify);
          return out.close(); // browsers reconnect
        }
        const headers = { "last-event-id": last };
        const { text } = await ask("GET", url.pathname + url.search, headers);
        last = /^id: (\d+)$/m.exec(new TextDecoder().decode(text))?.[1] ?? last;
        out.enqueue(text);
      };
      notify = () => next().catch(() => notifiers.delete(notify));
      notifiers.add(notify);
      notify();
    },
    cancel() {
      notifiers.delete(notify);
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}
