import pytest

from tests.torture.disk import Disk, install


@pytest.fixture
def disk():
    """The disk of this process, which fails when it is told to."""
    found = Disk()
    undo = install(found)
    yield found
    found.fails(None)
    undo()
