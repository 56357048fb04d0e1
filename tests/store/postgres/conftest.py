import pytest

from tests.databases import Servers


@pytest.fixture
def database(cluster):
    with Servers(cluster) as made:
        yield made


@pytest.fixture
def store(database):
    return database.open()
