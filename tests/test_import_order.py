"""Packages import only those listed before them, and no two packages or modules import each
other."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# A package may import the packages before it in its list.
ENGINE = ("translatable", "input", "aggregate", "rules", "scoring", "equity", "telling", "play")
FLOORS = ("engine", "tournament", "store", "book", "platforms", "web", "pocket")
WEB = ("frame", "rules", "table", "tournament", "pocket", "openapi")


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _known(folder):
    """The names that a package, or a module, imports from the project."""
    return {name for name in _imported(folder) if name.startswith("scorer")}


def _rooms(names, above):
    head = f"scorer.{above}." if above else "scorer."
    return {name.removeprefix(head).split(".")[0] for name in names if name.startswith(head)}


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_knows_only_those_below(floor):
    below = FLOORS[: FLOORS.index(floor) + 1]
    assert _rooms(_known(floor), "") & set(FLOORS) <= set(below)


@pytest.mark.parametrize("room", ENGINE)
def test_engine_rooms_know_earlier_ones(room):
    before = ENGINE[: ENGINE.index(room) + 1]
    assert _rooms(_known(f"engine/{room}"), "engine") & set(ENGINE) <= set(before)


@pytest.mark.parametrize("room", WEB)
def test_web_rooms_know_earlier_ones(room):
    before = WEB[: WEB.index(room) + 1]
    assert _rooms(_known(f"web/{room}"), "web") & set(WEB) <= set(before)


@pytest.mark.parametrize("floor", ["book", "web"])
def test_only_the_store_speaks_to_a_database(floor):
    inside = ("sqlite3", "psycopg", "scorer.store.sqlite.driver", "scorer.store.postgres")
    assert [name for name in _imported(floor) if name.startswith(inside)] == []


def test_the_engine_needs_nothing_but_python():
    foreign = {name.split(".")[0] for name in map(str, _imported("engine"))}
    assert foreign <= {"__future__", "scorer", *__import__("sys").stdlib_module_names}


def _imported(folder):
    room = ROOT / "scorer" / folder
    for path in room.rglob("*.py") if room.is_dir() else [room.with_suffix(".py")]:
        yield from _imports(path)


def _needs():
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


def test_no_files_need_each_other():
    try:
        TopologicalSorter(_needs()).prepare()
    except CycleError as error:
        pytest.fail(" needs ".join(error.args[1]))
