"""Limits of what one address can store, on every route."""

import json
import re
from contextlib import closing

import pytest
from werkzeug.exceptions import TooManyRequests

from scorer import create_app
from scorer.store.shared_counters import FileCounts
from scorer.store.sqlite.driver import sqlite3
from scorer.web.frame.rate_limits import STORED_KIB, RateLimit, RateLimiter
from tests.serving import InProcessClient
from tests.web.test_route_permissions import (
    ALLOWED_ROLES,
    ANYBODY,
    PATH_VALUES,
    keys_by_role,
    request_as,
)

HERE = "stored 127.0.0.1"
LOGO = "data:image/png;base64," + "A" * 40_000


@pytest.fixture
def book(tmp_path):
    return tmp_path / "x.db"


@pytest.fixture
def local(book):
    return InProcessClient(create_app({"DATABASE": str(book), "RATE_LIMITS": True}))


def rows(book):
    """The rows of each of the `TABLES` in the database."""
    with closing(sqlite3.connect(book)) as db:
        return [db.execute(f"select * from {t} order by 1, 2").fetchall() for t in TABLES]


TABLES = ("streams", "events", "keys", "boxes")


@pytest.mark.slow
def test_no_route_stores_beyond_the_share(local, book):
    keys = keys_by_role(local)
    limits = local.app.extensions["limits"]
    with pytest.raises(TooManyRequests):
        limits.count_in_batches(HERE, 1024 * (STORED_KIB[0].most + 1), STORED_KIB)
    before, refused = rows(book), set()
    for rule in local.app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: PATH_VALUES.get(m[1], "{key}"), rule.rule)
        for role in ALLOWED_ROLES[rule.endpoint].split():
            for method in rule.methods & {"GET", "POST"}:
                status = request_as(local, rule.endpoint, method, path, keys, role)
                assert status < 500, (rule.endpoint, method)
                # Public pages can still be read.
                assert method == "POST" or status < 400 or ALLOWED_ROLES[rule.endpoint] != ANYBODY
                refused |= {rule.endpoint} if status == 429 else set()
    assert rows(book) == before
    assert {"start.create", "api.create", "writer.tap", "setup.create", "desk.announce"} < refused


def test_counted_bytes_match_the_file(local, book):
    """The request for a draw has few bytes, but the draw stores many."""
    limits, counted = local.app.extensions["limits"], []
    limits.count_in_batches = lambda what, size, most: (
        what.startswith("stored") and counted.append(size)
    )
    pairs = [{"name": f"P{n}"} for n in range(64)]
    key = local.new_tournament(pairs=pairs, logo=LOGO)["director"]
    for _ in range(3):
        local.draw(key, anyway=True)
    with closing(sqlite3.connect(book)) as db:
        db.execute("vacuum")
        db.execute("pragma wal_checkpoint(truncate)")
    assert sum(counted) < book.stat().st_size < 2 * sum(counted)
    assert max(counted) > 64 * 1024 > len(json.dumps([pairs, LOGO]))


def test_small_and_large_writes_have_one_limit(tmp_path):
    most = (RateLimit(256, 3600),)
    for size in (100, 5_000, 70_000):
        limits, kept = RateLimiter(FileCounts(str(tmp_path / f"{size}.db"))), 0
        with pytest.raises(TooManyRequests):
            while kept <= 2 * 256 * 1024:
                limits.count_in_batches("anna", size, most)
                kept += size
        assert 128 * 1024 < kept <= 320 * 1024
        # After one refusal everything is refused until the window ends.
        for _ in range(3):
            with pytest.raises(TooManyRequests):
                limits.count_in_batches("anna", 1, most)
        limits.count_in_batches("bert", size, most)
