"""Fixtures of all tests: one real server with its own database, and time limits."""

import os

import pytest
from hypothesis import HealthCheck, settings

from tests.serving import serving
from tests.torture import LONG

# A property says what must hold, not how fast: a busy machine fails none. What is tried is the same
# each time, so that a change is judged by itself; with BUMMERL_TORTURE=1 it is what nobody tried.
settings.register_profile(
    "patient",
    deadline=None,
    derandomize=not LONG,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("patient")

# Whoever ran `make pocket` here has a bundle; a test that wants one names it.
os.environ["BUMMERL_POCKET"] = os.devnull


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Twice as many as there are processors: a test of pages often waits."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return (os.cpu_count() or 1) * 2


LONGEST = (
    *(
        "tests/browser/test_pocket.py",
        "tests/browser/test_every_page.py",
        "tests/browser/test_pad.py",
    ),
    *("tests/browser/test_paper.py", "tests/browser/test_network.py", "tests/browser"),
    *("tests/torture", "tests/test_wheel.py", "tests/web", "tests/store", "tests/engine"),
)
"""Where the time goes; a file's tests stay with one worker, and a long one that comes last would be
waited for alone."""


def pytest_collection_modifyitems(items):
    """The longest files first, the others in their order behind them."""
    items.sort(key=lambda item: _rank(item.nodeid))


def _rank(name):
    return next((at for at, start in enumerate(LONGEST) if name.startswith(start)), len(LONGEST))


@pytest.fixture(scope="session")
def server(request, tmp_path_factory):
    """One for all; with TEST_STORE=postgres on a book there instead of in a file."""
    if os.environ.get("TEST_STORE") == "postgres":
        book = request.getfixturevalue("cluster").book()
    else:
        book = tmp_path_factory.mktemp("server") / "bummerl.db"
    with serving(book) as running:
        yield running


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL server of this process's own; where there is none, that is a failure."""
    from tests.cluster import cluster

    with cluster() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def bank(request, tmp_path):
    """A new, empty database of each kind."""
    from tests.databases import Files, Servers

    postgres = request.param == "postgres"
    with Servers(request.getfixturevalue("cluster")) if postgres else Files(tmp_path) as made:
        yield made
