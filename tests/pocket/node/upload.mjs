// Sends what a phone wrote alone by the real script, worker/upload.js. In a browser Python answers inside
// the worker (worker/app.js); here another process is asked: a line of JSON each, and a line back.
//
//     node tests/pocket/node/upload.mjs SCRIPTS SERVER
//
// Each line read from a "go" on sends once. What is asked: {call, args} of scorer/pocket/offline_app.py, or
// {before: method and path} of what is sent next; the last of each time is {done: true}.

import { createInterface } from "node:readline";

const [scripts, server] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => JSON.parse((await lines.next()).value ?? "null");
let turn = Promise.resolve();

// One question at a time, as the other side answers in turn.
globalThis.asked = (question) => (turn = turn.then(async () => {
  console.log(JSON.stringify(question));
  const { answer, cookie } = await next();
  globalThis.cookie = cookie;
  return answer;
}));

// The scripts take the folder in which they lie for that of the server.
const folder = scripts.replace(/pocket\/worker$/, "");
const address = (path) => new URL(path.startsWith(folder) ? `/${path.slice(folder.length)}` : path, server);
const really = globalThis.fetch;
const { Request: Asked } = globalThis;
globalThis.self = globalThis;
globalThis.Request = class extends Asked {
  constructor(path, options) {
    super(address(path), options);
  }
};
globalThis.fetch = async (path, options = {}) => {
  const url = address(path);
  await globalThis.asked({ before: `${options.method ?? "GET"} ${url.pathname}` });
  const headers = new Headers(options.headers);
  if (globalThis.cookie) headers.set("Cookie", globalThis.cookie);
  return really(url, { ...options, headers });
};
console.warn = (...words) => console.error(...words);

const { send } = await import(`${scripts}/upload.js`);
while ((await next()) === "go") {
  await send();
  console.log(JSON.stringify({ done: true }));
}
process.exit(0);
