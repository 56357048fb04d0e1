"""What all tests share: one real server, with its own database."""

import pytest

from tests.serving import serving


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("server") / "bummerl.db") as running:
        yield running
