"""A PostgreSQL server that stops, restarts, cuts connections or loses data."""

import signal
import threading

import psycopg
import pytest

from scorer.doctor import examine, startup_problem
from scorer.store import Unavailable, hash_chain
from scorer.store.database_url import open_store
from tests.store.test_faults import append_number, expect_unavailable, run_in_threads


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["restart", "crash"])
def test_server_restart_within_patience_is_no_error(cluster, store, stream, how):
    append_number(store, stream, 1)
    news = store.changes()
    cluster.stop(how)
    try:
        # The processes of a killed server end a moment later, so one may still answer.
        with pytest.raises(Unavailable, match="gone"):
            while True:
                store.changes()
        waiting = threading.Thread(target=append_number, args=(store, stream, 2))
        waiting.start()
    finally:
        cluster.start()
    waiting.join()
    assert [stored.n for stored in store.events(stream)] == [1, 2]
    assert store.changes() != news


def test_unreachable_server_is_reported(cluster, database, stream):
    store = database.open(patience=0.2)
    cluster.stop()
    try:
        # The first event may have been written before the connection was lost.
        assert expect_unavailable(append_number, store, stream, 1) == ("gone", True)
        assert expect_unavailable(append_number, store, stream, 1) == ("gone", False)
        assert expect_unavailable(store.events, stream)[0] == "gone"
        assert expect_unavailable(open_store, database.place, 0.1)[0] == "gone"
        # The doctor and the commands also show PostgreSQL's own message.
        [text] = troubles(database.place)
        assert startup_problem(database.place, Unavailable("gone")) in text
        assert "No such file" in text
    finally:
        cluster.start()
    assert append_number(store, stream, 1).is_new


def test_connection_lost_before_commit_writes_nothing(cluster, store, stream):
    with pytest.raises(Unavailable) as cut, store._writing() as run:
        run("update keys set revoked = 'now'")
        cluster.cut_connections()
        run("select 1")
    assert (cut.value.reason, cut.value.may_be_recorded) == ("gone", False)
    assert store.find("key-of-scorer") is not None
    assert append_number(store, stream, 1).is_new


def test_connection_lost_at_commit_is_uncertain(cluster, store, stream):
    with pytest.raises(Unavailable) as cut, store._writing() as run:
        run("update keys set revoked = 'now'")
        cluster.cut_connections()
    assert (cut.value.reason, cut.value.may_be_recorded) == ("gone", True)


def test_lost_connections_lose_or_double_no_event(cluster, database, stream):
    stores = [database.open(patience=20) for _ in range(2)]
    cuts = 0

    def write(who):
        for n in range(20):
            while True:
                try:
                    name = {"idempotency_key": f"{who} {n}", "by": str(who)}
                    stores[who % 2].append(stream, {"n": n}, **name)
                    break
                except Unavailable:
                    continue

    writers = [threading.Thread(target=write, args=(who,)) for who in range(6)]
    for writer in writers:
        writer.start()
    while cuts < 60 and any(writer.is_alive() for writer in writers):
        cuts += cluster.cut_connections()
    for writer in writers:
        writer.join()
    events = [stored.event for stored in stores[0].events(stream)]
    assert cuts
    assert hash_chain.first_broken_entry({"watten": 1}, events) is None
    for who in range(6):
        assert [e["n"] for e in events if e["by"] == str(who)] == list(range(20))


def test_serialization_failure_is_reported_as_locked(database, store, stream):
    # The store sets the isolation level itself, whatever the database's default.
    serializable = database.open(default_transaction_isolation="serializable")
    assert append_number(serializable, stream, 1).is_new
    with pytest.raises(Unavailable) as refusal, store._writing() as run:
        run("do $$ begin raise exception 'x' using errcode = 'serialization_failure'; end $$")
    assert (refusal.value.reason, refusal.value.may_be_recorded) == ("locked", False)
    assert append_number(store, stream, 2).is_new


def test_ignored_sql_error_prevents_the_commit(store, stream):
    with pytest.raises(Unavailable, match="broken"), store._writing() as run:
        run("update keys set revoked = 'now'")
        with pytest.raises(psycopg.Error):
            run("select 1 / 0")
    assert store.find("key-of-scorer") is not None


def test_idle_writer_loses_its_lock(database, store, stream, monkeypatch):
    monkeypatch.setattr("scorer.store.postgres.connections.IDLE_WRITER_SECONDS", 0.2)
    with pytest.raises(Unavailable), database.open()._writing(stream):
        assert append_number(store, stream, 1).is_new


def test_read_only_server_refuses_writes(database, store, stream):
    append_number(store, stream, 1)
    standby = database.open(default_transaction_read_only="on")
    assert standby.length(stream) == 1
    assert expect_unavailable(append_number, standby, stream, 2) == ("read-only", False)


def test_lost_events_are_reported_as_replaced(cluster, database, store, stream):
    append_number(store, stream, 1)
    # This is like a standby that takes over without the newest event.
    database.execute("alter table events disable trigger no_change; delete from events")
    append_number(database.open(), stream, 1)
    cluster.cut_connections()
    for number in (2, 3):
        assert expect_unavailable(append_number, store, stream, number) == ("replaced", False)
    assert append_number(database.open(), stream, 2).is_new


def test_foreign_database_is_refused(database):
    database.execute("create table photos (id integer)")
    assert expect_unavailable(database.open)[0] == "foreign"


def test_database_without_unicode_is_refused(cluster):
    cluster.execute("create database latin encoding 'latin1' locale 'C' template template0")
    assert expect_unavailable(open_store, cluster.url("latin"))[0] == "encoding"


def test_synchronous_commit_is_always_on(database):
    assert database.open(synchronous_commit="off").settings()["synchronous_commit"] == "on"


def test_pool_opens_at_most_ten_connections(database, store, stream):
    ready = threading.Barrier(30)

    def read(_):
        ready.wait()
        store.events(stream)

    run_in_threads(read, 30)
    assert store._db._pool.open_count <= 10


def troubles(url):
    return [finding.text for finding in examine(url) if not finding.is_ok]


def test_doctor_reports_missing_setup(cluster):
    cluster.execute("create database others")
    cluster.execute("create role guest login")
    guest = cluster.url("others").replace("bummerl@", "guest@")
    for url, reason, words in (
        # Since PostgreSQL 15 only the owner creates tables.
        (guest, "read-only", "permission denied"),
        (cluster.url("nosuch"), "gone", 'database "nosuch" does not exist'),
        (guest.replace("guest", "nobody"), "gone", 'role "nobody" does not exist'),
    ):
        [text] = troubles(url)
        assert startup_problem(url, Unavailable(reason)) in text
        assert words in text
    # As docs/postgres.md describes it.
    cluster.execute("create database owned owner guest encoding 'UTF8' template template0")
    owned = cluster.url("owned").replace("bummerl@", "guest@")
    assert troubles(owned) == ["fsync is off: switch it on"]


def test_doctor_examines_the_server(database):
    found = list(examine(database.place))
    assert any("PostgreSQL" in finding.text and finding.is_ok for finding in found)
    # The tests' own server runs without fsync.
    assert troubles(database.place) == ["fsync is off: switch it on"]
