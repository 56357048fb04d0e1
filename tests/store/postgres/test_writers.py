"""Writers of different streams do not wait for each other, and readers miss nothing."""

import psycopg
import pytest

from scorer.store import NewStream, hash_chain
from scorer.store.postgres import migrations
from scorer.store.sql_store import NewEvent
from tests.store.test_faults import append_number, expect_unavailable


def test_only_writers_of_one_stream_block_each_other(database, store, stream):
    other, hasty = store.create("table", NewStream({}, {})).id, database.open(patience=0.2)
    with store._writing(stream):
        assert expect_unavailable(append_number, hasty, stream, 1) == ("locked", False)
        assert expect_unavailable(hasty.grant, stream, {}) == ("locked", False)
        assert append_number(hasty, other, 1).is_new
    assert append_number(hasty, stream, 1).is_new


def test_events_committed_out_of_order_are_reported(database, store, stream):
    other, late = store.create("table", NewStream({}, {})).id, database.open()
    position, _ = store.grown_streams(0)
    with late._writing() as run:
        first = late._append(run, NewEvent(stream, {"do": "x"}, "1", "late", None)).stored
        second = append_number(store, other, 1).stored
        assert first.position < second.position
        position, moved = store.grown_streams(position)
        assert moved == {other: 1}
        before = store.changes()
    assert store.changes() != before
    position, moved = store.grown_streams(position)
    assert moved[stream] == 1
    # Once all transactions have ended, nothing is reported twice.
    assert store.grown_streams(store.grown_streams(position)[0])[1] == {}


def test_restored_dump_is_not_reported_as_changed(database, store, stream):
    append_number(store, stream, 1)
    # A younger server has not assigned this transaction id yet.
    database.execute(
        "set bummerl.locks = 'test'; set bummerl.erasing = 'on'; "
        "update events set xid = '4000000000000'"
    )
    assert store.grown_streams(store.grown_streams(0)[0])[1] == {}


@pytest.fixture
def previous_release(database):
    """A connection of the previous release, which created the tables and wrote two events."""
    with psycopg.connect(database.place, autocommit=True) as connection:
        columns = "name text primary key, applied text not null"
        connection.execute(f"create table bummerl_migrations ({columns})")
        for name in ("m001_streams", "m002_opened", "m003_announced"):
            for statement in migrations._MIGRATIONS[name]:
                connection.execute(statement)
            connection.execute("insert into bummerl_migrations values (%s, '')", [name])
        connection.execute("""insert into streams values ('old', 'table', '{"watten":1}', '')""")
        previous = hash_chain.head_hash({"watten": 1})
        for n in (1, 2):
            event = hash_chain.chain_entry(previous, {"n": n}, "2026-01-06T19:00:00.000Z", "me")
            previous = event["hash"]
            connection.execute(
                "insert into events (stream, n, key, body, event, hash) "
                "values ('old', %s, %s, %s, %s, %s)",
                [
                    n,
                    str(n),
                    hash_chain.canonical_json({"n": n}),
                    hash_chain.canonical_json(event),
                    previous,
                ],
            )
        yield connection


def test_database_of_previous_release_is_usable(database, previous_release):
    store = database.open()
    assert [append_number(store, "old", n).is_new for n in (2, 3)] == [False, True]
    assert (
        hash_chain.first_broken_entry(
            {"watten": 1}, [stored.event for stored in store.events("old")]
        )
        is None
    )
    assert store.grown_streams(0)[1] == {"old": 3}


@pytest.mark.parametrize(
    "write",
    [
        "insert into events (stream, n, key, body, event, hash) "
        "values ('old', 3, '3', '', '{}', '')",
        "insert into streams values ('new', 'table', '{}', '')",
        "update keys set revoked = 'now'",
    ],
)
def test_writes_of_the_previous_release_are_refused(database, previous_release, write):
    store = database.open()
    # The older server reports this as "read-only".
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction, match="upgrade this server"):
        previous_release.execute(write)
    assert store.length("old") == 2
