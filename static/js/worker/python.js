// Starts Python with the app on an empty database. The first start stores a snapshot of its memory on the phone, and
// later ones load that. Without a usable snapshot, each start imports the app.

import { BUNDLE } from "./bundle.js";
import { keep, kept } from "./database.js";
import { PARTS, unpacked } from "./parts.js";
import createPyodideModule from "./pyodide.asm.mjs";
import { loadPyodide } from "./pyodide.mjs";
import { ROOT } from "./root.js";
import { STATIC_SITE } from "./state.js";
import { lay } from "./tar.js";

const MEMORY = `memory ${BUNDLE.version}`;
const TRIES = 3; // after so many failures no snapshot is tried
const PAGE = 65536; // bytes by which the memory grows
export const FOLDER = "/book";
const IMPORTED = `
import random, sys
sys.path.insert(0, "/app")
from scorer.pocket.host import Phone
phone = Phone(folder, here, serverless)
`;
// A restored snapshot must not repeat random numbers.
const WOKEN = "random.seed()";

const archived = async () => new Uint8Array(await (await unpacked("app.tar")).arrayBuffer());

// Starts from the parts, without the snapshot.
export async function restarted() {
  return imported(await archived(), TRIES);
}

export async function woken() {
  const [app, found] = await Promise.all([archived(), kept("parts", MEMORY)]);
  if (found?.byteLength) {
    try {
      return await remembered(found, app);
    } catch (fault) {
      console.warn("Bummerl: memory not taken up:", fault);
      await keepMemory(TRIES);
      return imported(app, TRIES);
    }
  }
  return imported(app, found ?? 0);
}

async function remembered(memory, app) {
  const createLarger = (settings) => {
    const instantiate = settings.instantiateWasm;
    settings.instantiateWasm = (wanted, done) => instantiate(wanted, (instance, module) => {
      const lacking = memory.byteLength - instance.exports.memory.buffer.byteLength;
      if (lacking > 0) instance.exports.memory.grow(Math.ceil(lacking / PAGE));
      done(instance, module);
    });
    return createPyodideModule(settings);
  };
  const python = await loadPyodide({ createPyodideModule: createLarger, indexURL: PARTS.href, _loadSnapshot: memory });
  lay(app, python.FS, "/app");
  python.FS.mkdirTree(FOLDER);
  python.runPython(WOKEN);
  return python;
}

async function imported(app, tries) {
  const isTried = tries < TRIES;
  if (isTried) await keepMemory(tries + 1);
  const python = await loadPyodide({ createPyodideModule, indexURL: PARTS.href, _makeSnapshot: isTried });
  lay(app, python.FS, "/app");
  python.FS.mkdirTree(FOLDER);
  for (const [name, value] of Object.entries({ folder: FOLDER, here: self.location.origin + ROOT.slice(0, -1), serverless: STATIC_SITE })) python.globals.set(name, value);
  python.runPython(IMPORTED);
  if (isTried) remember(python);
  return python;
}

// The snapshot is taken now and stored while Python continues.
function remember(python) {
  try {
    python.runPython("phone.prepare_snapshot()");
    keepMemory(python.makeMemorySnapshot());
  } catch (fault) {
    console.warn("Bummerl: memory not kept:", fault);
  }
}

// Stores the snapshot, or the number of failures; a full phone stores neither.
function keepMemory(what) {
  return keep("parts", [
    [MEMORY, what]
  ]).catch(() => {});
}
