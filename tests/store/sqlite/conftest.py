from contextlib import closing

import pytest

from scorer.store.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path):
    with closing(SqliteStore(tmp_path / "book" / "test.db")) as opened:
        yield opened
