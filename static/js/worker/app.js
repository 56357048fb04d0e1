// The app in the browser. Python answers one request at a time. Its changes are stored before the response.

import { appPath } from "./app_path.js";
import { kept, keepWhile, keptTogether } from "./database.js";
import { FOLDER, restarted, woken } from "./python.js";
import { STATIC_SITE, state, tell } from "./state.js";

const FILES = ["bummerl.db", "cookies.json"];
let python, app, booting;
let revision; // of Python's files, increased by each save; null if they are incomplete

// The app itself, scorer/pocket/host.py, as soon as it has its files.
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

// Loads the files from the browser's database, so that the app forgets changes that could not be stored.
async function recall() {
  revision = null;
  const [keptRevision, ...files] = await keptTogether("files", ["revision", ...FILES]);
  try {
    reopen(files);
  } catch (fault) {
    await restart(fault);
    reopen(files);
  }
  revision = keptRevision;
}

function reopen(files) {
  for (const [index, name] of FILES.entries()) {
    const path = `${FOLDER}/${name}`;
    if (python.FS.analyzePath(path).exists) python.FS.unlink(path);
    if (files[index]) python.FS.writeFile(path, files[index]);
  }
  app.recall();
  phone = app;
  look();
}

async function restart(fault) {
  console.warn("Bummerl: started anew:", fault);
  python = app = phone = undefined; // memory has no room for two
  python = await restarted();
  app = python.globals.get("phone");
}

async function start() {
  python = await woken();
  app = python.globals.get("phone");
  await recall();
  state.step = "ready";
  tell();
  awoken();
}

// Returns the result of `work`. If that fails, it is repeated with the stored files, and if the app cannot even
// show its start page, after a restart. If it still fails, its error is thrown.
async function result(work) {
  let outcome = attempt(work);
  if (outcome.failed) {
    await recall();
    outcome = attempt(work);
  }
  if (outcome.failed && attempt(startPage).failed) {
    await restart(outcome.fault);
    await recall();
    outcome = attempt(work);
  }
  if (outcome.fault) throw outcome.fault;
  return outcome.value;
}

function attempt(work) {
  try {
    const value = work();
    return { value, failed: value?.status >= 500 };
  } catch (fault) {
    return { fault, failed: true };
  }
}

const startPage = () => taken(phone.answer("GET", "/", python.toPy({})));

export function look() {
  state.unsent = STATIC_SITE ? 0 : phone.unsent;
  state.level = JSON.parse(phone.synced_keys());
  state.parted = phone.has_conflict();
}

// Stores Python's files. Returns false if another page has stored its own since.
async function save() {
  const files = FILES.filter((name) => python.FS.analyzePath(`${FOLDER}/${name}`).exists);
  const entries = files.map((name) => [name, python.FS.readFile(`${FOLDER}/${name}`)]);
  look();
  entries.push(["unsent", state.unsent], ["revision", (revision ?? 0) + 1]);
  return keepWhile("files", "revision", revision, entries);
}

// Runs work one after the other, each on the newest files that any page has stored.
let turn = Promise.resolve();

export function inTurn(work) {
  const done = turn.then(async () => {
    if ((await kept("files", "revision")) !== revision) await recall();
    return result(work);
  });
  turn = done.catch(() => {});
  return done;
}

// Makes a change and stores it, unless it reports that nothing changed. If another page was quicker, the change is
// repeated on that page's files. A change that cannot be stored is undone.
export function change(work, changed = () => true) {
  return inTurn(async () => {
    for (;;) {
      const value = await result(work);
      if (!changed(value)) return value;
      const saved = await save().catch(async (fault) => {
        await recall();
        throw fault;
      });
      if (saved) {
        revision = (revision ?? 0) + 1;
        return value;
      }
      await recall();
    }
  });
}

export const isWrite = (method) => !["GET", "HEAD"].includes(method);

export async function ask(method, url, headers, body) {
  await boot();
  const answer = () => {
    const bytes = python.toPy(body ?? new Uint8Array()).tobytes();
    return taken(phone.answer(method, appPath(url), python.toPy(headers), bytes));
  };
  if (!isWrite(method)) return inTurn(answer);
  try {
    return await change(answer);
  } catch (fault) {
    console.warn("Bummerl: not kept:", fault);
    return full(headers);
  } finally {
    tell();
  }
}

// Converts a response of Python.
function taken(answer) {
  const [status, headers, text] = answer.toJs();
  answer.destroy();
  return { status, headers, text };
}

// Returns the message that the phone is full, in the reader's language.
function full(headers) {
  return taken(phone.full(python.toPy(headers)));
}
