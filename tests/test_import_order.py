"""Packages import only those listed before them, and no two packages or modules import each
other."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# A package may import the packages before it in its list.
ENGINE = ("translatable", "input", "aggregate", "rules", "scoring", "equity", "telling", "play")
LAYERS = ("engine", "tournament", "store", "book", "platforms", "web", "pocket")
WEB = ("frame", "rules", "table", "tournament", "pocket", "openapi")


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _project_imports(folder):
    """The names that a package, or a module, imports from the project."""
    return {name for name in _all_imports(folder) if name.startswith("scorer")}


def _packages(names, above):
    head = f"scorer.{above}." if above else "scorer."
    return {name.removeprefix(head).split(".")[0] for name in names if name.startswith(head)}


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_imports_only_lower_layers(layer):
    below = LAYERS[: LAYERS.index(layer) + 1]
    assert _packages(_project_imports(layer), "") & set(LAYERS) <= set(below)


@pytest.mark.parametrize("package", ENGINE)
def test_engine_package_imports_only_earlier_ones(package):
    before = ENGINE[: ENGINE.index(package) + 1]
    assert _packages(_project_imports(f"engine/{package}"), "engine") & set(ENGINE) <= set(before)


@pytest.mark.parametrize("package", WEB)
def test_web_package_imports_only_earlier_ones(package):
    before = WEB[: WEB.index(package) + 1]
    assert _packages(_project_imports(f"web/{package}"), "web") & set(WEB) <= set(before)


@pytest.mark.parametrize("layer", ["book", "web"])
def test_only_the_store_imports_database_drivers(layer):
    inside = ("sqlite3", "psycopg", "scorer.store.sqlite.driver", "scorer.store.postgres")
    assert [name for name in _all_imports(layer) if name.startswith(inside)] == []


def test_engine_imports_only_the_standard_library():
    foreign = {name.split(".")[0] for name in map(str, _all_imports("engine"))}
    assert foreign <= {"__future__", "scorer", *__import__("sys").stdlib_module_names}


def _all_imports(folder):
    package = ROOT / "scorer" / folder
    for path in package.rglob("*.py") if package.is_dir() else [package.with_suffix(".py")]:
        yield from _imports(path)


def _dependencies():
    """The modules that each module imports from the project, also for types only.

    The root package is left out, because it names all modules and loads them on demand.
    """
    files = {_module(path): path for path in (ROOT / "scorer").rglob("*.py")}
    del files["scorer"]
    return {
        module: {found for name in _imports(path) if (found := _file(name, files)) != module}
        for module, path in files.items()
    }


def _module(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _file(name, files):
    """The module of an imported name: the name itself if it is a module, else its parent."""
    return name if name in files else name.rpartition(".")[0]


def test_modules_have_no_circular_imports():
    try:
        TopologicalSorter(_dependencies()).prepare()
    except CycleError as error:
        pytest.fail(" needs ".join(error.args[1]))
