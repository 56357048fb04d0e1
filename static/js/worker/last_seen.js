// The start page and tables as last seen, shown while the app starts.

import { appPath } from "./app_path.js";
import { readValue, writeValues } from "./database.js";

const isPage = (url) => /^\/([tb]\/\w+)?$/.test(appPath(url.pathname)) && !url.search;

export function rememberPage(event, url, answer) {
  if (event.request.mode !== "navigate" || !answer.ok || !isPage(url)) return;
  const policy = answer.headers.get("content-security-policy");
  const page = answer.clone().text();
  event.waitUntil(page.then((text) => writeValues("copies", [
    [url.pathname, { text, policy }]
  ])).catch(() => {}));
}

export async function lastSeenPage(url) {
  const last = isPage(url) && (await readValue("copies", url.pathname));
  if (!last) return null;
  const page = last.text.replace(/<html([^>]*) data-pocket="\w+"/, '<html$1 data-last data-pocket="preparing"');
  // The browser reloads the page after 15 seconds, even if its script fails to load.
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": last.policy, Refresh: "15" };
  return new Response(page, { headers });
}
