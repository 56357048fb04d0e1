"""Fixtures: each test of this folder runs with each database."""

import pytest

from scorer.store import NewStream


@pytest.fixture
def store(database):
    return database.open()


@pytest.fixture
def stream(store):
    return store.create("table", NewStream({"watten": 1}, {"scorer": "key-of-scorer"})).id
