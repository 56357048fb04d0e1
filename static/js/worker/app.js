// The app in the browser: Python, one request in turn, and its files kept before an answer leaves.

import { keep, kept } from "./database.js";
import { PARTS, unpacked } from "./parts.js";
import createPyodideModule from "./pyodide.asm.mjs";
import { loadPyodide } from "./pyodide.mjs";
import { STATIC_SITE, state, tell } from "./state.js";
import { lay } from "./tar.js";

const FOLDER = "/book";
const FILES = ["bummerl.db", "cookies.json"];
const START = `
import os, sys
if "/app" not in sys.path: sys.path.insert(0, "/app")
os.chdir("/book")
from scorer.pocket.host import Phone
Phone("/book", here, serverless)
`;
let python, booting;

// The app itself, scorer/pocket/host.py, as soon as it is awake.
export let phone;

let awoken;
export const awake = new Promise((done) => {
  awoken = done;
});

export const isBooting = () => Boolean(booting);

export function boot() {
  booting ??= start().catch((fault) => {
    booting = undefined;
    throw fault;
  });
  return booting;
}

async function unpackBook() {
  for (const name of FILES) {
    const path = `${FOLDER}/${name}`;
    if (python.FS.analyzePath(path).exists) python.FS.unlink(path);
    const bytes = await kept("files", name);
    if (bytes) python.FS.writeFile(path, bytes);
  }
}

async function start() {
  python = await loadPyodide({ createPyodideModule, indexURL: PARTS.href });
  const app = await (await unpacked("app.tar")).arrayBuffer();
  lay(new Uint8Array(app), python.FS, "/app");
  python.FS.mkdirTree(FOLDER);
  await unpackBook();
  python.globals.set("here", self.location.origin);
  python.globals.set("serverless", STATIC_SITE);
  phone = python.runPython(START);
  state.step = "ready";
  look();
  tell();
  awoken();
}

export function look() {
  state.unsent = STATIC_SITE ? 0 : phone.unsent;
  state.parted = phone.parted();
}

export async function save() {
  const files = FILES.filter((name) => python.FS.analyzePath(`${FOLDER}/${name}`).exists);
  const entries = files.map((name) => [name, python.FS.readFile(`${FOLDER}/${name}`)]);
  look();
  await keep("files", [...entries, ["unsent", state.unsent]]);
}

// What could not be kept did not happen: the app goes back to what the browser's database has.
async function forget() {
  await unpackBook();
  phone.destroy();
  phone = python.runPython(START);
  look();
}

// One request after the other, as Python runs them; none is answered before it is kept.
let turn = Promise.resolve();

export function inTurn(work) {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

export const isWrite = (method) => !["GET", "HEAD"].includes(method);

export async function ask(method, url, headers, body) {
  await boot();
  return inTurn(async () => {
    const bytes = python.toPy(body ?? new Uint8Array()).tobytes();
    const answer = taken(phone.answer(method, url, python.toPy(headers), bytes));
    if (isWrite(method)) {
      try {
        await save();
      } catch (fault) {
        console.warn("Bummerl: not kept:", fault);
        await forget();
        return full(headers);
      }
      tell();
    }
    return answer;
  });
}

// What Python answers, as this worker reads it.
function taken(found) {
  const [status, headers, text] = found.toJs();
  found.destroy();
  return { status, headers, text };
}

// The phone says itself that it is full, in the reader's language.
function full(headers) {
  return taken(phone.full(python.toPy(headers)));
}
