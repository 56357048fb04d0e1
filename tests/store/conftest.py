"""Every test beside this file holds for each database; what holds for one alone is in its room."""

import pytest

from scorer.store import Opening


@pytest.fixture
def store(bank):
    return bank.open()


@pytest.fixture
def stream(store):
    return store.create("table", Opening({"watten": 1}, {"scorer": "key-of-scorer"})).id
