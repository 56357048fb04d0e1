"""A copy between databases is complete, also while somebody writes."""

import threading
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorer.demo import preiswatten, write
from scorer.store import Exists, NewStream, Seal, hash_chain
from scorer.store.database_url import open_store
from scorer.store.keys import mint
from scorer.store.sqlite.driver import sqlite3
from tests.commands import bummerl
from tests.databases import PostgresDatabase, SqliteDatabase
from tests.store.test_faults import append_number

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
BODIES = st.dictionaries(TEXTS, TEXTS | st.integers() | FLOATS | st.none())


@pytest.fixture
def other(database, tmp_path, cluster):
    """A database of the other kind."""
    with (
        PostgresDatabase(cluster)
        if isinstance(database, SqliteDatabase)
        else SqliteDatabase(tmp_path / "other") as made
    ):
        yield made


def rows(database):
    """The rows of each table of a database, including sequence numbers."""
    names = {
        "streams": "id, kind, head, created",
        "events": "seq, stream, n, key, body, event, hash",
        "keys": "digest, stream, role, created, revoked",
        "boxes": "holder, role, nonce, box",
    }
    queries = {table: f"select {columns} from {table}" for table, columns in names.items()}
    found = {table: map(tuple, database.execute(sql)) for table, sql in queries.items()}
    return {table: sorted(rows, key=repr) for table, rows in found.items()}


def dump_of(place):
    with closing(open_store(place)) as store:
        return store.dump()


@pytest.mark.slow
def test_demo_survives_copying_there_and_back(database, other, tmp_path, cluster):
    list(write(database.place))
    preiswatten(database.place)
    back = cluster.book() if isinstance(database, PostgresDatabase) else tmp_path / "back.db"
    bummerl("copy", database.place, other.place)
    bummerl("copy", other.place, back)
    assert dump_of(database.place) == dump_of(other.place) == dump_of(back)
    assert rows(database) == rows(other)


ROLES = TEXTS.filter(lambda text: "\0" not in text)
STREAM = st.tuples(BODIES, st.lists(BODIES, max_size=3), ROLES)


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STREAM, min_size=6, max_size=20))
def test_any_text_is_copied_unchanged(tmp_path_factory, cluster, streams):
    with (
        SqliteDatabase(tmp_path_factory.mktemp("texts")) as files,
        PostgresDatabase(cluster) as servers,
    ):
        store, there = files.open(), servers.open()
        for number, (head, bodies, role) in enumerate(streams):
            key = f"key {number}"
            new_stream = NewStream(head, {role: key}, [Seal(key, role, "viewer")])
            stream = store.create("table", new_stream).id
            for body in bodies:
                store.append(stream, body, idempotency_key=mint(), by="me")
        there.copy_all_from(store)
        assert there.dump() == store.dump()
        assert rows(files) == rows(servers)
        assert there.unseal(key, role) == "viewer"
        assert there.dump([stream]) == store.dump([stream])
        first, second = (append_number(one, stream, 1).stored.position for one in (there, store))
        assert first == second


def test_copy_during_writes_is_consistent(database, store, stream, other):
    done, last = threading.Event(), 0

    def write():
        nonlocal last
        # Each event also creates a table with a key, so that a torn copy is noticed.
        while not done.is_set():
            opens = {"table": [NewStream({"n": last}, {"scorer": f"key {last}"})]}
            append_number(store, stream, last, opens=opens)
            last += 1

    writer = threading.Thread(target=write)
    writer.start()
    while last < 3 and writer.is_alive():
        pass
    try:
        target = other.open()
        target.copy_all_from(database.open())
    finally:
        done.set()
        writer.join()
    events = [stored.event for stored in target.events(stream)]
    assert 3 <= len(events) <= last
    assert hash_chain.first_broken_entry({"watten": 1}, events) is None
    found = target.dump()["streams"]
    assert len(found) == 1 + len(events)
    assert sum(len(one["keys"]) for one in found) == 1 + len(events)


def test_copy_refuses_a_non_empty_target(database, store, stream, other):
    mine = other.open()
    kept = mine.create("table", NewStream({}, {})).id
    with pytest.raises(Exists):
        mine.copy_all_from(store)
    printed = bummerl("copy", database.place, other.place, status=1).text
    assert "is not empty" in printed or "is there already" in printed
    assert [one["id"] for one in mine.dump()["streams"]] == [kept]


def test_backup_is_a_usable_database(database, store, stream, tmp_path):
    append_number(store, stream, 1)
    target = tmp_path / "backup.db"
    bummerl("backup", "--db", database.place, target)
    assert dump_of(target) == store.dump()
    with closing(sqlite3.connect(target)) as again:
        # It has a log like the server's database, so readers do not block the writer.
        assert again.execute("pragma journal_mode").fetchall() == [("wal",)]


def test_unsupported_database_url_is_refused():
    assert "postgresql://" in bummerl("export", "--db", "mysql://localhost/bummerl", status=2).text
