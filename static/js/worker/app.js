// The app in the browser. Python answers one request at a time. Its changes are stored before the response.

import { appPath } from "./app_path.js";
import { readValue, readValues, writeValuesIf } from "./database.js";
import { FOLDER, startPython, startWithoutSnapshot } from "./python.js";
import { broadcast, STATIC_SITE, state } from "./state.js";

const FILES = ["bummerl.db", "cookies.json"];
let python, loadedApp, booting;
let revision; // of Python's files, increased by each save; null if they are incomplete

// The app itself, scorer/pocket/offline_app.py, as soon as it has its files.
export let offlineApp;

let resolveBooted;
export const booted = new Promise((resolve) => {
  resolveBooted = resolve;
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
async function reloadFiles() {
  revision = null;
  const [storedRevision, ...files] = await readValues("files", ["revision", ...FILES]);
  try {
    reopen(files);
  } catch (fault) {
    await restart(fault);
    reopen(files);
  }
  revision = storedRevision;
}

function reopen(files) {
  for (const [index, name] of FILES.entries()) {
    const path = `${FOLDER}/${name}`;
    if (python.FS.analyzePath(path).exists) python.FS.unlink(path);
    if (files[index]) python.FS.writeFile(path, files[index]);
  }
  loadedApp.reopen();
  offlineApp = loadedApp;
  refreshState();
}

async function restart(fault) {
  console.warn("Bummerl: started anew:", fault);
  python = loadedApp = offlineApp = undefined; // memory has no room for two
  python = await startWithoutSnapshot();
  loadedApp = python.globals.get("phone");
}

async function start() {
  python = await startPython();
  loadedApp = python.globals.get("phone");
  await reloadFiles();
  state.step = "ready";
  broadcast();
  resolveBooted();
}

// Returns the result of `work`. If that fails, it is repeated with the stored files, and if the app cannot even
// show its start page, after a restart. If it still fails, its error is thrown.
async function withRecovery(work) {
  let outcome = attempt(work);
  if (outcome.failed) {
    await reloadFiles();
    outcome = attempt(work);
  }
  if (outcome.failed && attempt(startPage).failed) {
    await restart(outcome.fault);
    await reloadFiles();
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

const startPage = () => converted(offlineApp.answer("GET", "/", python.toPy({})));

export function refreshState() {
  state.unsent = STATIC_SITE ? 0 : offlineApp.unsent_count;
  state.syncedKeys = JSON.parse(offlineApp.synced_keys());
  state.hasConflict = offlineApp.has_conflict();
}

// Stores Python's files. Returns false if another page has stored its own since.
async function save() {
  const files = FILES.filter((name) => python.FS.analyzePath(`${FOLDER}/${name}`).exists);
  const entries = files.map((name) => [name, python.FS.readFile(`${FOLDER}/${name}`)]);
  refreshState();
  entries.push(["unsent", state.unsent], ["revision", (revision ?? 0) + 1]);
  return writeValuesIf("files", "revision", revision, entries);
}

// Runs work one after the other, each on the newest files that any page has stored.
let lastJob = Promise.resolve();

export function runExclusively(work) {
  const job = lastJob.then(async () => {
    if ((await readValue("files", "revision")) !== revision) await reloadFiles();
    return withRecovery(work);
  });
  lastJob = job.catch(() => {});
  return job;
}

// Makes a change and stores it, unless it reports that nothing changed. If another page was quicker, the change is
// repeated on that page's files. A change that cannot be stored is undone.
export function changeAndStore(work, changed = () => true) {
  return runExclusively(async () => {
    for (;;) {
      const value = await withRecovery(work);
      if (!changed(value)) return value;
      const saved = await save().catch(async (fault) => {
        await reloadFiles();
        throw fault;
      });
      if (saved) {
        revision = (revision ?? 0) + 1;
        return value;
      }
      await reloadFiles();
    }
  });
}

export const isWrite = (method) => !["GET", "HEAD"].includes(method);

export async function ask(method, url, headers, body) {
  await boot();
  const answer = () => {
    const bytes = python.toPy(body ?? new Uint8Array()).tobytes();
    return converted(offlineApp.answer(method, appPath(url), python.toPy(headers), bytes));
  };
  if (!isWrite(method)) return runExclusively(answer);
  try {
    return await changeAndStore(answer);
  } catch (fault) {
    console.warn("Bummerl: not kept:", fault);
    return storageFull(headers);
  } finally {
    broadcast();
  }
}

// Converts a response of Python.
function converted(answer) {
  const [status, headers, text] = answer.toJs();
  answer.destroy();
  return { status, headers, text };
}

// Returns the message that the phone is full, in the reader's language.
function storageFull(headers) {
  return converted(offlineApp.storage_full_response(python.toPy(headers)));
}
