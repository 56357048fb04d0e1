from pathlib import Path

import pytest

from tests.torture.disk import Disk, install

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Mark every test of this folder as slow."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def disk():
    """The disk of this process, which fails on command."""
    found = Disk()
    undo = install(found)
    yield found
    found.fails(None)
    undo()
