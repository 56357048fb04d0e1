"""Each failure of a disk becomes one error, and nothing is half written."""

import shutil

import pytest

from scorer.store import Unavailable
from scorer.store.sqlite import SqliteStore
from tests.store.test_faults import append_number, expect_unavailable


def test_full_disk_is_reported_and_loses_nothing(store, stream):
    # The database's own limit replaces a full disk: SQLite reports both alike.
    with store._db.borrow() as db:
        pages = db.execute("pragma page_count").fetchone()[0]
        db.execute(f"pragma max_page_count = {pages}")
    written = 0
    with pytest.raises(Unavailable, match="full"):
        for n in range(10_000):
            store.append(stream, {"note": "x" * 400}, idempotency_key=str(n), by="me")
            written += 1
    assert store.length(stream) == written
    with store._db.borrow() as db:
        db.execute("pragma max_page_count = 1000000")
    assert store.append(stream, {"note": "x" * 400}, idempotency_key=str(written), by="me").is_new


def test_read_only_database_refuses_writes(store, stream):
    # SQLite's own switch has the effect of a read-only file, even for root.
    with store._db.borrow() as db:
        db.execute("pragma query_only = on")
    assert store.stream(stream).head == {"watten": 1}
    assert expect_unavailable(append_number, store, stream, 1)[0] == "read-only"


def test_non_database_file_is_refused_unchanged(tmp_path):
    path = tmp_path / "test.db"
    path.write_text("Wir 2 Die 4\n" * 500)
    assert expect_unavailable(SqliteStore, path)[0] == "damaged"
    assert path.read_text().startswith("Wir 2")


def test_damaged_database_is_reported(store, stream):
    for n in range(200):
        store.append(stream, {"note": "x" * 400}, idempotency_key=str(n), by="me")
    store.close()
    damaged = store.path.with_name("damaged.db")
    shutil.copy(store.path, damaged)
    with damaged.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 60_000)
    assert expect_unavailable(SqliteStore, damaged)[0] == "damaged"
