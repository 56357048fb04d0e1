"""The database file is moved, replaced or restored while the server runs."""

import os
import shutil
import signal
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from scorer.store import hash_chain
from scorer.store.sqlite import SqliteStore
from tests.builders import head_and_events
from tests.commands import bummerl
from tests.serving import PATIENCE_SECONDS, serving

pytestmark = pytest.mark.slow

ANNOUNCEMENTS = [{"do": "ansage", "schlag": schlag} for schlag in "78"]


@pytest.fixture
def log(tmp_path):
    with (tmp_path / "log").open("w") as errors:
        yield errors


@pytest.fixture
def server(tmp_path, log):
    with serving(tmp_path / "x.db", log=log) as running:
        yield running


def backup(server, target):
    with closing(SqliteStore(server.db)) as book:
        book.backup(target)
    return target


def restore(server, copy):
    done = bummerl("restore", "--db", server.db, copy)
    assert done.returncode == 0, done.stderr


def write(server, keys, number):
    return server.write(keys["scorer"], ANNOUNCEMENTS[number % 2], str(number))


def read(server, keys, what=""):
    return server.json("GET", f"/api/tables/{keys['viewer']}{what}")


def is_refused(answer):
    status, body = answer
    return (status, body.get("error", {}).get("code")) == (503, "replaced")


def retry_until_open(ask):
    """The response body of `ask`, repeated until the server no longer reports "replaced"."""
    end = time.monotonic() + PATIENCE_SECONDS
    while is_refused(answer := ask()):
        assert time.monotonic() < end
    status, body = answer
    assert status in (200, 201), body
    return body


def length(server, keys):
    return retry_until_open(lambda: read(server, keys))["seq"]


def check_whole(server, keys):
    """Assert that the record's hash chain and the database file are intact."""
    record = retry_until_open(lambda: read(server, keys, "/record"))
    assert hash_chain.first_broken_entry(*head_and_events(record)) is None
    with closing(SqliteStore(server.db)) as book:
        assert book.examine() == ""


@pytest.mark.parametrize("tables", [0, 250])
def test_running_server_continues_after_a_restore(server, tmp_path, tables):
    keys = server.table("bayern")
    write(server, keys, 0)
    copy = backup(server, tmp_path / "copy.db")
    # With many tables SQLite has written the WAL back, and the database is longer than the copy.
    for _ in range(tables):
        server.table("bayern")
    for number in range(1, 6):
        write(server, keys, number)
    restore(server, copy)
    assert length(server, keys) == 1
    for number in range(6, 40):
        retry_until_open(partial(write, server, keys, number))
    assert length(server, keys) == 35
    check_whole(server, keys)


def test_live_pages_end_at_a_restore(server, tmp_path):
    keys = server.table("bayern")
    copy = backup(server, tmp_path / "copy.db")
    write(server, keys, 0)
    watch = server.watch(f"/b/{keys['viewer']}/stream")
    assert watch.next()
    restore(server, copy)
    # The page then reconnects to a process that has opened the other database.
    assert watch.next() == {}


def test_moved_database_works_again_when_moved_back(server, tmp_path):
    keys = server.table("bayern")
    write(server, keys, 0)
    server.db.rename(tmp_path / "away.db")
    for number in (1, 2):
        assert is_refused(write(server, keys, number))
        assert is_refused(read(server, keys))
    assert not server.db.exists()
    (tmp_path / "away.db").rename(server.db)
    assert write(server, keys, 3)[0] == 201
    assert length(server, keys) == 2
    check_whole(server, keys)


def test_other_file_beside_the_old_wal_is_refused(server, tmp_path):
    """SQLite would apply the WAL to the other file, so the server waits for a restore."""
    keys = server.table("bayern")
    write(server, keys, 0)
    copy = backup(server, tmp_path / "copy.db")
    write(server, keys, 1)
    shutil.copy(copy, tmp_path / "other.db")
    os.replace(tmp_path / "other.db", server.db)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        for status, body in (write(server, keys, 2), read(server, keys)):
            assert (status, body["error"]["code"] in ("replaced", "damaged")) == (503, True)
    restore(server, copy)
    assert length(server, keys) == 1
    check_whole(server, keys)


def test_worker_retries_to_open_the_database(server, log, tmp_path):
    keys = server.table("bayern")
    copy = backup(server, tmp_path / "copy.db")
    server.db.write_text("Wir 2 Die 4\n" * 5000)
    main = server.process.pid
    worker, _ = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    os.kill(int(worker), signal.SIGKILL)
    end = time.monotonic() + PATIENCE_SECONDS
    while "score book not opened" not in Path(log.name).read_text():
        assert time.monotonic() < end
    restore(server, copy)
    assert length(server, keys) == 0
    check_whole(server, keys)


def test_new_modification_time_is_not_a_replacement(server):
    keys = server.table("bayern")
    for number in range(3):
        write(server, keys, number)
        os.utime(server.db)
        assert read(server, keys)[1]["seq"] == number + 1
