import pytest

from scorer.store.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path):
    opened = SqliteStore(tmp_path / "book" / "test.db")
    yield opened
    opened.close()
