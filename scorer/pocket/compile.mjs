// Byte-compiles a folder with the Python that will run it: node compile.mjs PYODIDE FOLDER
import { pathToFileURL } from "node:url";
import { join, resolve } from "node:path";

const [python, folder] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(python, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: python + "/" });
pyodide.mountNodeFS("/app", folder);
pyodide.runPython(`
import compileall, os, pathlib

done = compileall.compile_dir(
    "/app", quiet=1, legacy=True, optimize=1, stripdir="/app", maxlevels=20,
    invalidation_mode=__import__("py_compile").PycInvalidationMode.UNCHECKED_HASH,
)
assert done, "something did not compile"
for source in pathlib.Path("/app").rglob("*.py"):
    source.unlink()
`);
