"""The database file is removed, restored, older, newer, foreign or incomplete."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from scorer.store import NewStream, Seal
from scorer.store.atomic_file import UNFINISHED_SUFFIX, atomic_file
from scorer.store.keys import mint
from scorer.store.sqlite import SqliteStore
from scorer.store.sqlite.driver import sqlite3
from tests.serving import PATIENCE_SECONDS
from tests.store.test_faults import append_number, expect_unavailable, run_in_threads


def copy_database(store, path):
    """Copy the database into one file without a log; return its path."""
    store.backup(path)
    return path


def deleted(store, path):
    store.path.unlink()


def replaced(store, path):
    os.replace(copy_database(store, path), store.path)


def put_aside(store, path):
    store.path.rename(path)


def without_its_log(store, path):
    store.path.with_name(store.path.name + "-wal").unlink()


def with_another_log(store, path):
    log = store.path.with_name(store.path.name + "-wal")
    log.rename(path)
    shutil.copy(path, log)


EXCHANGES = [deleted, replaced, put_aside, without_its_log, with_another_log]


@pytest.mark.parametrize("happens", EXCHANGES)
def test_exchanged_file_is_noticed(store, stream, tmp_path, happens):
    append_number(store, stream, 1)
    happens(store, tmp_path / "other.db")
    append = append_number, store, stream
    create, grant = (store.create, "table", NewStream({}, {})), (store.grant, stream, {"v": "key"})
    for write in ((*append, 2), (*append, 3), create, grant):
        assert expect_unavailable(*write)[0] == "replaced"


def test_database_overwritten_by_a_backup_is_noticed(store, stream, tmp_path):
    append_number(store, stream, 1)
    older = copy_database(store, tmp_path / "older.db")
    append_number(store, stream, 2)
    # As `cp older.db bummerl.db` does once the log has been written back.
    with store._db.borrow() as db:
        db.execute("pragma wal_checkpoint(truncate)")
    store.path.write_bytes(older.read_bytes())
    assert expect_unavailable(append_number, store, stream, 3)[0] == "replaced"


def test_sqlite_restore_is_noticed(store, stream, tmp_path):
    append_number(store, stream, 1)
    older = copy_database(store, tmp_path / "older.db")
    append_number(store, stream, 2)
    # `.restore` of SQLite's shell also writes to the log and leaves the file untouched.
    with closing(sqlite3.connect(older)) as copy, closing(sqlite3.connect(store.path)) as book:
        copy.backup(book)
    assert expect_unavailable(append_number, store, stream, 3)[0] == "replaced"


def test_failing_stat_is_not_reported_as_replaced(store, stream, monkeypatch):
    append_number(store, stream, 1)
    with monkeypatch.context() as failing:
        failing.setattr(os, "stat", lambda file: os.fstat(-1))
        assert expect_unavailable(append_number, store, stream, 2)[0] == "broken"
        assert expect_unavailable(store.check_opened)[0] == "broken"
    store.check_opened()
    assert append_number(store, stream, 2).is_new


def test_other_writers_are_not_reported_as_replaced(store, stream):
    append_number(store, stream, 1)
    with closing(SqliteStore(store.path)) as other:
        append_number(other, stream, 2)
        assert append_number(store, stream, 3).stored.n == 3
    assert append_number(store, stream, 4).stored.n == 4


def test_closed_store_reopens_for_the_next_write(store, stream):
    append_number(store, stream, 1)
    store.close()
    assert append_number(store, stream, 2).stored.n == 2


def test_foreign_database_is_left_alone(tmp_path):
    path = tmp_path / "foreign.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table photos (id integer)")
    before = path.read_bytes()
    assert expect_unavailable(SqliteStore, path)[0] == "foreign"
    assert path.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_read_only_folder_is_reported_as_read_only(store, stream):
    store.close()
    store.path.parent.chmod(0o500)
    try:
        assert expect_unavailable(SqliteStore, store.path)[0] == "read-only"
    finally:
        store.path.parent.chmod(0o700)


def test_folder_as_path_is_reported_as_read_only(tmp_path):
    assert expect_unavailable(SqliteStore, tmp_path)[0] == "read-only"


def test_failed_backup_leaves_no_file(store, stream, tmp_path):
    target = tmp_path / "copy.db"
    with pytest.raises(RuntimeError), atomic_file(target) as unfinished:
        unfinished.write_text("half")
        raise RuntimeError
    assert list(tmp_path.glob("copy*")) == []
    target.write_text("mine")
    with pytest.raises(FileExistsError):
        store.backup(target)
    assert target.read_text() == "mine"


HALF = """
import os, sys
from pathlib import Path
from scorer.store.atomic_file import atomic_file
with atomic_file(Path(sys.argv[1])) as unfinished:
    unfinished.write_text("half")
    os.kill(os.getpid(), 9)
"""


def test_killed_backup_leaves_only_a_partial_file(tmp_path):
    done = subprocess.run([sys.executable, "-c", HALF, str(tmp_path / "copy.db")], check=False)
    assert done.returncode == -signal.SIGKILL
    assert [path.suffix for path in tmp_path.glob("copy*")] == [UNFINISHED_SUFFIX]


def test_pool_keeps_at_most_eight_connections(store, stream):
    append_number(store, stream, 1)
    ready = threading.Barrier(30)

    def read(_):
        with store._db.borrow() as db:
            db.execute("select 1").fetchone()
            ready.wait(PATIENCE_SECONDS)

    run_in_threads(read, 30)
    assert store._db._pool.open_count <= 8


def test_database_files_contain_no_keys(store, stream):
    keys = {role: mint() for role in ("scorer", "viewer")}
    store.create("table", NewStream({}, keys, [Seal(keys["scorer"], "viewer", keys["viewer"])]))
    files = list(store.path.parent.iterdir())
    assert len(files) > 1
    for file in files:
        for key in keys.values():
            assert key.encode() not in file.read_bytes()
