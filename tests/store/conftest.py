import pytest

from scorer.store import Opening
from scorer.store.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path):
    opened = SqliteStore(tmp_path / "book" / "test.db")
    yield opened
    opened.close()


@pytest.fixture
def stream(store):
    return store.create("table", Opening({"watten": 1}, {"scorer": "key-of-scorer"})).id
