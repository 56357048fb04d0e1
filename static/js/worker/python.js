// Starts Python with the app on an empty database. The first start stores a snapshot of its memory on the phone, and
// later ones load that. Without a usable snapshot, each start imports the app.

import { BUNDLE } from "./bundle.js";
import { readValue, writeValues } from "./database.js";
import { PARTS, unpackedPart } from "./bundle_parts.js";
import createPyodideModule from "./pyodide.asm.mjs";
import { loadPyodide } from "./pyodide.mjs";
import { ROOT } from "./root.js";
import { STATIC_SITE } from "./state.js";
import { unpackArchive } from "./tar.js";

const SNAPSHOT = `memory ${BUNDLE.version}`;
const MAX_FAILURES = 3; // after so many no snapshot is tried
const PAGE_BYTES = 65536; // by which the memory grows
export const FOLDER = "/book";
const IMPORT_APP = `
import random, sys
sys.path.insert(0, "/app")
from scorer.pocket.offline_app import OfflineApp
phone = OfflineApp(folder, here, serverless)
`;
// A restored snapshot must not repeat random numbers.
const RESEED = "random.seed()";

const readArchive = async () => new Uint8Array(await (await unpackedPart("app.tar")).arrayBuffer());

// Starts from the parts, without the snapshot.
export async function startWithoutSnapshot() {
  return startByImport(await readArchive(), MAX_FAILURES);
}

export async function startPython() {
  const [app, found] = await Promise.all([readArchive(), readValue("parts", SNAPSHOT)]);
  if (found?.byteLength) {
    try {
      return await startFromSnapshot(found, app);
    } catch (fault) {
      console.warn("Bummerl: memory not taken up:", fault);
      await storeSnapshot(MAX_FAILURES);
      return startByImport(app, MAX_FAILURES);
    }
  }
  return startByImport(app, found ?? 0);
}

async function startFromSnapshot(snapshot, app) {
  const createLarger = (settings) => {
    const instantiate = settings.instantiateWasm;
    settings.instantiateWasm = (wanted, done) =>
      instantiate(wanted, (instance, module) => {
        const lacking = snapshot.byteLength - instance.exports.memory.buffer.byteLength;
        if (lacking > 0) instance.exports.memory.grow(Math.ceil(lacking / PAGE_BYTES));
        done(instance, module);
      });
    return createPyodideModule(settings);
  };
  const python = await loadPyodide({
    createPyodideModule: createLarger,
    indexURL: PARTS.href,
    _loadSnapshot: snapshot,
  });
  unpackArchive(app, python.FS, "/app");
  python.FS.mkdirTree(FOLDER);
  python.runPython(RESEED);
  return python;
}

async function startByImport(app, failures) {
  const isTried = failures < MAX_FAILURES;
  if (isTried) await storeSnapshot(failures + 1);
  const python = await loadPyodide({ createPyodideModule, indexURL: PARTS.href, _makeSnapshot: isTried });
  unpackArchive(app, python.FS, "/app");
  python.FS.mkdirTree(FOLDER);
  for (const [name, value] of Object.entries({
      folder: FOLDER,
      here: self.location.origin + ROOT.slice(0, -1),
      serverless: STATIC_SITE,
    }))
    python.globals.set(name, value);
  python.runPython(IMPORT_APP);
  if (isTried) makeSnapshot(python);
  return python;
}

// The snapshot is taken now and stored while Python continues.
function makeSnapshot(python) {
  try {
    python.runPython("phone.prepare_snapshot()");
    storeSnapshot(python.makeMemorySnapshot());
  } catch (fault) {
    console.warn("Bummerl: memory not kept:", fault);
  }
}

// Stores the snapshot, or the number of failures; a full phone stores neither.
function storeSnapshot(snapshotOrFailures) {
  return writeValues("parts", [
    [SNAPSHOT, snapshotOrFailures]
  ]).catch(() => {});
}
