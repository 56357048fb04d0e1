// Sends this phone's news to its live pages without network, until the server sends its own.

import { ask } from "./app.js";
import { keyOf } from "./stream_copies.js";
import { isMine, STATIC_SITE, state } from "./state.js";

const watching = new Set();

export function moved() {
  for (const wake of watching) wake();
}

export function live(request, url) {
  let last = request.headers.get("last-event-id") ?? "-1";
  let wake;
  const body = new ReadableStream({
    async start(out) {
      const next = async () => {
        if (!STATIC_SITE && !state.down && !isMine(keyOf(url))) {
          watching.delete(wake);
          return out.close(); // browsers reconnect
        }
        const headers = { "last-event-id": last };
        const { text } = await ask("GET", url.pathname + url.search, headers);
        last = /^id: (\d+)$/m.exec(new TextDecoder().decode(text))?.[1] ?? last;
        out.enqueue(text);
      };
      wake = () => next().catch(() => watching.delete(wake));
      watching.add(wake);
      wake();
    },
    cancel() {
      watching.delete(wake);
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}
