"""What all tests share: one real server, with its own database, and time to think."""

import pytest
from hypothesis import HealthCheck, settings

from tests.serving import serving

# A property says what must hold, not how fast: a busy machine fails none.
settings.register_profile(
    "patient",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("patient")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("server") / "bummerl.db") as running:
        yield running


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL server of this process's own; where there is none, that is a failure."""
    from tests.cluster import cluster

    with cluster() as running:
        yield running
