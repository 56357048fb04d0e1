"""Fixtures of all tests: one real server with its own database."""

import os
from tempfile import TemporaryDirectory

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from jinja2 import FileSystemBytecodeCache

from tests.sampling import ALL
from tests.serving import serving
from tests.torture import IS_LONG_RUN

# There is no deadline, so that a busy machine fails no test. The examples are the same in each run,
# so that a failure comes from a change. With BUMMERL_TORTURE=1 they are random. `make test` tries a
# third of them.
settings.register_profile(
    "patient",
    deadline=None,
    max_examples=100 if ALL else 33,
    derandomize=not IS_LONG_RUN,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("patient")

# Most tests have an app of their own. They share the compiled templates.
_compiled = TemporaryDirectory()
Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(_compiled.name)}

# Ignores a bundle that `make pocket` built here. A test that needs a bundle names it.
os.environ["BUMMERL_POCKET"] = os.devnull


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Start two workers per processor, because tests of pages often wait."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return (os.cpu_count() or 1) * 2


LONGEST_TESTS = (
    *(
        "tests/browser/test_pocket.py",
        "tests/browser/test_every_page.py",
        "tests/browser/test_pad.py",
    ),
    *("tests/browser/test_paper.py", "tests/browser/test_network.py", "tests/browser"),
    *("tests/torture", "tests/test_wheel.py", "tests/web", "tests/store", "tests/engine"),
)
"""The slowest files and folders. One worker runs all tests of a file, so the others would wait for
a slow file that starts last."""


def pytest_collection_modifyitems(items):
    """Run the slowest files first, and then the others in their usual order."""
    items.sort(key=lambda item: _rank(item.nodeid))


def _rank(name):
    return next(
        (at for at, start in enumerate(LONGEST_TESTS) if name.startswith(start)), len(LONGEST_TESTS)
    )


@pytest.fixture(scope="session")
def server(request, tmp_path_factory):
    """One server for all tests. TEST_STORE=postgres stores in PostgreSQL instead of a file."""
    if os.environ.get("TEST_STORE") == "postgres":
        book = request.getfixturevalue("cluster").book()
    else:
        book = tmp_path_factory.mktemp("server") / "bummerl.db"
    with serving(book) as running:
        yield running


@pytest.fixture(scope="session")
def cluster():
    """A PostgreSQL server of this process. The tests fail if PostgreSQL is not installed."""
    from tests.cluster import cluster

    with cluster() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path):
    """A new, empty database. Each test runs once with SQLite and once with PostgreSQL."""
    from tests.databases import PostgresDatabase, SqliteDatabase

    postgres = request.param == "postgres"
    with (
        PostgresDatabase(request.getfixturevalue("cluster"))
        if postgres
        else SqliteDatabase(tmp_path) as made
    ):
        yield made
