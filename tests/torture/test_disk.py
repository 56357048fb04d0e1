"""A failing disk: a clear error, no partial entry, and service when it works again."""

import errno
import os
from contextlib import closing
from itertools import product

import pytest

from scorer.store import NewStream, Unavailable, hash_chain
from scorer.store.sqlite import SqliteStore
from scorer.store.sqlite.driver import sqlite3
from tests.torture import repetitions
from tests.torture.disk import Fault

HEAD = {"watten": 1}
APPENDS = 14
LARGE = "x" * 200_000
"""With this text in every event, SQLite moves the log into the file once during a test."""

FAULTS = [
    Fault(does, ends, after, error, short)
    for (does, ends), (error, short), after in product(
        [("write", "-wal"), ("write", ".db"), ("sync", "-wal"), ("sync", ".db"), ("sync", "")],
        [("EIO", False), ("EIO", True), ("ENOSPC", False), ("ENOSPC", True)],
        range(0, repetitions(2, 200), repetitions(1, 3)),
    )
    # A sync fails neither for lack of space nor halfway.
    if does == "write" or (error, short) == ("EIO", False)
]


def numbers(store, stream):
    return [stored.event["n"] for stored in store.events(stream)]


def append(store, stream, n, **more):
    body = {"n": n, "note": LARGE}
    return store.append(stream, body, idempotency_key=str(n), by="me", **more)


def outcome(attempt):
    """The outcome of an attempt: `recorded`, `refused` for certain, or `unsure`."""
    try:
        attempt()
    except Unavailable as error:
        assert error.reason in ("full", "broken")
        return "unsure" if error.may_be_recorded else "refused"
    return "recorded"


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_failing_disk_keeps_recorded_events(disk, tmp_path, fault):
    path = tmp_path / "test.db"
    store = SqliteStore(path)
    stream = store.create("table", NewStream(HEAD, {})).id
    append(store, stream, -1)
    disk.fails(fault)
    outcomes = {n: outcome(lambda n=n: append(store, stream, n)) for n in range(APPENDS)}
    disk.fails(None)
    found = numbers(store, stream)
    assert len(found) == len(set(found))
    assert {n for n, said in outcomes.items() if said == "recorded"} <= set(found)
    assert not {n for n, said in outcomes.items() if said == "refused"} & set(found)
    # Every event can be sent again, and is recorded only once.
    for n in range(APPENDS):
        append(store, stream, n)
    for reader in (store, SqliteStore(path)):
        assert sorted(numbers(reader, stream)) == list(range(-1, APPENDS))
        assert (
            hash_chain.first_broken_entry(HEAD, [stored.event for stored in reader.events(stream)])
            is None
        )
        assert reader.examine() == ""
        reader.close()


def test_faults_affect_enough_operations(disk, tmp_path):
    """The test above proves something only if enough operations meet its faults."""
    store = SqliteStore(tmp_path / "test.db")
    stream = store.create("table", NewStream(HEAD, {})).id
    met = {}
    for does, ends in (("sync", "-wal"), ("write", "-wal"), ("write", ".db")):
        disk.fails(Fault(does, ends, after=10**9))
        for n in range(APPENDS):
            append(store, stream, f"{does}{ends}{n}")
        met[does, ends] = disk.met
    store.close()
    assert met["sync", "-wal"] >= APPENDS
    assert met["write", "-wal"] > 50
    assert met["write", ".db"] > 50


@pytest.mark.parametrize("ends", [".db", "-wal"])
def test_unreadable_disk_loses_no_events(disk, tmp_path, ends):
    path = tmp_path / "test.db"
    store, other = SqliteStore(path), SqliteStore(path)
    stream = store.create("table", NewStream(HEAD, {})).id
    for n in range(APPENDS):
        append(other if n % 2 else store, stream, n)
    for after in range(repetitions(4, 40)):
        # Moves the log into the file, so that the next writer checks whether the log is the same.
        with closing(sqlite3.connect(path)) as third:
            third.execute("pragma wal_checkpoint(truncate)")
        for attempt in (
            lambda name=f"{ends}{after}": append(store, stream, name),
            lambda: numbers(other, stream),
            lambda: SqliteStore(path).close(),
        ):
            disk.fails(Fault("read", ends, after))
            outcome(attempt)
            disk.fails(None)
        assert append(store, stream, f"{ends}{after}").stored.event["n"] == f"{ends}{after}"
        assert numbers(other, stream) == numbers(store, stream)
    assert numbers(store, stream)[:APPENDS] == list(range(APPENDS))
    store.close()
    other.close()


@pytest.mark.parametrize("does", ["read", "write", "sync"])
def test_failed_creation_of_a_database_is_repeatable(disk, tmp_path, does):
    path = tmp_path / "test.db"
    for after in range(repetitions(6, 60)):
        disk.fails(Fault(does, "", after, "ENOSPC" if does == "write" else "EIO"))
        if outcome(lambda: SqliteStore(path).close()) == "recorded":
            break
    disk.fails(None)
    store = SqliteStore(path)
    assert numbers(store, store.create("table", NewStream(HEAD, {})).id) == []
    assert store.examine() == ""
    store.close()


@pytest.mark.parametrize("after", range(repetitions(3, 40)))
def test_opened_streams_commit_with_their_event(disk, tmp_path, after):
    store = SqliteStore(tmp_path / "test.db")
    stream = store.create("tournament", NewStream(HEAD, {})).id
    opens = {"table": [NewStream(HEAD, {"scorer": f"k{n}"}, id=f"{n}") for n in range(40)]}
    disk.fails(Fault("write", "-wal", after, "ENOSPC", short=True))
    outcome(lambda: append(store, stream, 1, opens=opens))
    disk.fails(None)
    tables = [found for found in store.dump()["streams"] if found["kind"] == "table"]
    assert len(tables) == 40 * store.length(stream)
    append(store, stream, 1, opens=opens)
    assert store.find("k39").stream == "39"
    assert store.length(stream) == 1
    store.close()


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
@pytest.mark.parametrize("after", range(repetitions(2, 30)))
def test_failed_backup_leaves_no_file(disk, tmp_path, error, short, after):
    store = SqliteStore(tmp_path / "test.db")
    stream = store.create("table", NewStream(HEAD, {})).id
    append(store, stream, 1)
    folder = tmp_path / "copies"
    folder.mkdir()
    disk.fails(Fault("write", ".unfinished", after, error, short))
    with pytest.raises(Unavailable) as refused:
        store.backup(folder / "copy.db")
    assert refused.value.reason == {"EIO": "broken", "ENOSPC": "full"}[error]
    assert list(folder.iterdir()) == []
    disk.fails(None)
    store.backup(folder / "copy.db")
    store.close()
    copy = SqliteStore(folder / "copy.db")
    assert numbers(copy, stream) == [1]
    copy.close()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (errno.EIO, "broken"),
        (errno.ENOSPC, "full"),
        (errno.EDQUOT, "full"),
        (errno.EACCES, "read-only"),
    ],
)
def test_unsynced_backup_leaves_no_file(tmp_path, monkeypatch, code, reason):
    store = SqliteStore(tmp_path / "test.db")
    folder = tmp_path / "copies"
    folder.mkdir()

    def fsync(_):
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as system:
        system.setattr(os, "fsync", fsync)
        with pytest.raises(Unavailable) as refused:
            store.backup(folder / "copy.db")
    assert refused.value.reason == reason
    assert list(folder.iterdir()) == []
    store.backup(folder / "copy.db")
    store.close()
