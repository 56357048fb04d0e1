"""The Python modules that the bundle leaves out are never imported by the app."""

import ast
import sys
from pathlib import Path

import pytest

import scorer
from scorer.pocket import bundle_trimming
from scorer.pocket.bundle import OMITTED_FILES

APP = Path(scorer.__file__).parent


def imported_modules(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module


@pytest.mark.slow
def test_bundle_keeps_every_imported_module():
    travelling = [path for path in APP.rglob("*.py") if path.name not in OMITTED_FILES]
    assert APP / "pocket" / "offline_app.py" in travelling
    names = {name for path in travelling for name in imported_modules(path)}
    standard = {name for name in names if name.partition(".")[0] in sys.stdlib_module_names}
    assert "json" in standard
    for name in standard:
        assert bundle_trimming.standard_file(f"{name.replace('.', '/')}.py"), name
