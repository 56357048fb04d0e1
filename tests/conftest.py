"""What all tests share: one real server, with its own database."""

import pytest
from hypothesis import settings

from tests.serving import serving

# Tests assert no time: a busy machine is no fault.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("server") / "bummerl.db") as running:
        yield running
