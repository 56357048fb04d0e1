import pytest

from tests.databases import PostgresDatabase


@pytest.fixture
def database(cluster):
    with PostgresDatabase(cluster) as made:
        yield made


@pytest.fixture
def store(database):
    return database.open()
