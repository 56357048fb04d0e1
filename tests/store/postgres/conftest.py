import pytest

from tests.databases import Servers


@pytest.fixture
def bank(cluster):
    with Servers(cluster) as made:
        yield made


@pytest.fixture
def store(bank):
    return bank.open()
