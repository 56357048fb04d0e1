// Without service worker (plain HTTP), the open page has its own worker. The app in it answers instead of the server
// while the server cannot be reached, and as long as anything recorded here is unsent.

import { appPath } from "./app_path.js";
import { ROOT } from "./root.js";

const root = document.documentElement;
const page = document.querySelector("main[data-from-phone]");
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const pagePath = appPath(location.pathname);
const isTable = /^\/t\/\w+$/.test(pagePath);
let worker, workerFailed;
let syncedKeys; // the keys of tables without unsent entries, as last reported

// Returns whether this phone may know more of the page's table than the server.
const isPhoneAhead = () => isTable && Number(root.dataset.unsent) && !syncedKeys?.includes(pagePath.split("/")[2]);

export function open(version, show) {
  worker = new Worker(`${ROOT}pocket/${version}/page.js`, { type: "module" });
  workerFailed = new Promise((done) => worker.addEventListener("error", () => done(null)));
  workerFailed.then(() => show({ pocket: "absent", unsent: 0, done: 0, bytes: 1 }));
  worker.addEventListener("message", ({ data }) => {
    const first = !syncedKeys;
    const wasAhead = isPhoneAhead();
    show(data);
    syncedKeys = data.syncedKeys;
    // Reloads once: at the start if an earlier page left unsent entries, later when all are sent.
    if (first ? isPhoneAhead() : wasAhead && !isPhoneAhead()) document.body.dispatchEvent(new Event("resume"));
  });
  const post = (...words) => worker.postMessage(words);
  const copyTable = () => post("news", location.pathname);
  document.body.addEventListener("htmx:afterRequest", copyTable);
  copyTable();
  if (page) ask("GET", location.pathname).then(showResponse);
  return post;
}

// Returns the response of the app on this phone (status, headers, text), or null.
function ask(method, path, headers, body) {
  const { port1, port2 } = new MessageChannel();
  const request = { method, path, headers: { "accept-language": root.lang, ...headers }, body: body && String(body) };
  worker.postMessage(["ask", request], [port2]);
  const response = new Promise((done) => {
    port1.onmessage = ({ data }) => done(data);
  });
  return Promise.race([response, workerFailed]);
}

// Gives htmx the app's response as the server's.
function respond(xhr, url, { status, headers, text }) {
  const received = new Headers(headers);
  for (const [name, value] of Object.entries({
      status,
      responseURL: new URL(url, location.href).href,
      response: text,
      responseText: text,
    })) {
    Object.defineProperty(xhr, name, { value });
  }
  xhr.getResponseHeader = (name) => received.get(name);
  xhr.getAllResponseHeaders = () => [...received].map(([name, value]) => `${name}: ${value}`).join("\r\n");
  xhr.onload();
}

document.body.addEventListener("htmx:beforeSend", ({ detail: { xhr, requestConfig, pathInfo } }) => {
  if (!isPhoneAhead()) return;
  const send = xhr.send.bind(xhr);
  xhr.send = async (body) => {
    const path = pathInfo.finalRequestPath;
    const response = await ask(requestConfig.verb.toUpperCase(), path, requestConfig.headers, body);
    if (response) respond(xhr, path, response);
    else send(body);
  };
});

// The server's news are ignored while this phone may know more.
document.body.addEventListener("htmx:sseBeforeMessage", (event) => {
  if (isPhoneAhead()) event.preventDefault();
});

// Answers a tap that the outbox could not send, from this page or another. If the page showed newer entries
// than the phone's copy has, the tap stays in the outbox.
document.addEventListener("unsent", ({ detail }) => {
  if (!/^\/t\/\w+\/events$/.test(appPath(detail.path))) return;
  const pageSeq = Number(new URLSearchParams(detail.body).get("seq"));
  const isHere = detail.path === `${location.pathname}/events`;
  const shownSeq = Math.max(pageSeq, isHere ? Number(document.querySelector("#table")?.dataset.seq ?? 0) : 0);
  detail.response = ask("POST", detail.path, { ...FORM, "hx-request": "true" }, detail.body).then((response) => {
    const [, seq] = /data-seq="(\d+)"/.exec(response?.text) ?? [];
    return Number(seq) >= shownSeq ? response : null;
  });
});

// The page of unsent entries, which only this phone can render.

const documentOf = (response) => new DOMParser().parseFromString(response.text, "text/html");

function showResponse(response) {
  if (!response) return;
  const address = [...response.headers].find(([name]) => name.toLowerCase() === "location")?.[1];
  if (address) location.assign(address);
  else
    page.replaceChildren(...documentOf(response).querySelector("main").childNodes);
}

page?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = new URLSearchParams(new FormData(event.target, event.submitter));
  showResponse(await ask("POST", location.pathname, FORM, body));
});

// The browser asks before it leaves a page that cannot be opened again without the server.
addEventListener("beforeunload", (event) => {
  if (isPhoneAhead() && root.dataset.pocket !== "conflict") event.preventDefault();
});
