"""Every test beside this file holds for each database; what holds for one alone is in its room."""

import pytest

from scorer.store import Opening
from tests.store.banks import Files, Servers


@pytest.fixture(params=[Files, Servers], ids=["sqlite", "postgres"])
def bank(request, tmp_path):
    """A new, empty database of each kind."""
    given = tmp_path if request.param is Files else request.getfixturevalue("cluster")
    with request.param(given) as made:
        yield made


@pytest.fixture
def store(bank):
    return bank.open()


@pytest.fixture
def stream(store):
    return store.create("table", Opening({"watten": 1}, {"scorer": "key-of-scorer"})).id
