// Byte-compiles what runs in a browser with the Python that will run it: node compile.mjs PYODIDE FOLDER
// FOLDER has app/ and standard/; descriptions in the code stay in our own only, whose API shows them.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [python, folder] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(python, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: python + "/" });
pyodide.mountNodeFS("/made", folder);
pyodide.runPython(`
import compileall, pathlib
from py_compile import PycInvalidationMode

for folder, optimize in ("app/scorer", 1), ("app", 2), ("standard", 2):
    where = pathlib.Path("/made", folder)
    done = compileall.compile_dir(
        where, quiet=1, legacy=True, optimize=optimize, stripdir="/made/app", maxlevels=20,
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )
    assert done, "something did not compile"
    for source in where.rglob("*.py"):
        source.unlink()
`);
