"""Fixtures: an app in the tests' own process, for tests that need no server."""

import pytest

from scorer.web import create_app
from tests.serving import InProcessClient


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """An app with its own database and without rate limits."""
    app = create_app(
        {"DATABASE": str(tmp_path_factory.mktemp("app") / "x.db"), "RATE_LIMITS": False}
    )
    yield app
    app.extensions["tables"].store.close()


@pytest.fixture(scope="module")
def local(app):
    return InProcessClient(app, Accept_Language="de")
