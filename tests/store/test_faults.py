"""Each failure of a database becomes one error, and nothing is half written or lost."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from scorer.store import NewStream, StreamKeyTaken, Unavailable


def append_number(store, stream, number, **options):
    return store.append(stream, {"n": number}, idempotency_key=str(number), by="me", **options)


def expect_unavailable(do, *given, **named):
    with pytest.raises(Unavailable) as found:
        do(*given, **named)
    return found.value.reason, found.value.may_be_recorded


def run_in_threads(job, count):
    """Run `job` in `count` threads, each with its own number."""
    with ThreadPoolExecutor(count) as pool:
        list(pool.map(job, range(count)))


@pytest.mark.parametrize(("table", "change"), [("events", "n = 9"), ("streams", "head = '{}'")])
def test_database_refuses_updates_and_deletes(database, store, stream, table, change):
    append_number(store, stream, 1)
    for sql in (f"update {table} set {change}", f"delete from {table}"):
        with pytest.raises(Exception, match="append-only"):
            database.execute(sql)


def test_lock_held_too_long_is_reported(database):
    store = database.open(patience=0.2)
    stream = store.create("table", NewStream({}, {})).id
    with database.hold_write_lock():
        assert expect_unavailable(append_number, store, stream, 1) == ("locked", False)
        assert store.events(stream) == []
    assert append_number(store, stream, 1).is_new


def test_lock_released_in_time_is_no_error(database):
    store = database.open(patience=20)
    stream = store.create("table", NewStream({}, {})).id
    with database.hold_write_lock():
        waiting = threading.Thread(target=append_number, args=(store, stream, 1))
        waiting.start()
    waiting.join()
    assert store.length(stream) == 1


def test_blocked_writers_time_out_only_once(database):
    store = database.open(patience=0.5)
    stream = store.create("table", NewStream({}, {})).id
    tried = []

    def write(number):
        with store.waiting() as until:
            before = until
            tried.append(expect_unavailable(append_number, store, stream, number))
            with store.waiting() as again:
                assert again == before

    with database.hold_write_lock():
        run_in_threads(write, 40)
    assert tried == [("locked", False)] * 40
    # Waiting threads hold no connection, and used connections were returned.
    assert store._db._pool.open_count <= 10
    assert append_number(store, stream, 1).is_new


def test_failed_transaction_leaves_nothing(store, stream):
    opens = {"table": [NewStream({"new": 1}, {"scorer": "key-of-scorer"})]}
    with pytest.raises(StreamKeyTaken):
        append_number(store, stream, 1, opens=opens)
    assert store.length(stream) == 0
    assert [one["id"] for one in store.dump()["streams"]] == [stream]
    assert append_number(store, stream, 1).stored.n == 1


def test_database_of_newer_release_is_not_opened(database, store):
    database.as_of_a_later_release()
    assert expect_unavailable(database.open) == ("newer", False)
    assert expect_unavailable(store.ready) == ("newer", False)


def test_database_check_does_not_block_readers(database, store, stream):
    append_number(store, stream, 1)
    append_number(database.open(), stream, 2)
    known, check, read = store._is_same_database, store._check_database, []

    def meanwhile(run):
        def looked_up(sql, *given):
            if "hash" in sql:
                with ThreadPoolExecutor(1) as another:
                    read.append(another.submit(store.events, stream).result())
            return run(sql, *given)

        return known(looked_up)

    store._is_same_database = meanwhile
    store._check_database = lambda run, _: check(run, True)
    assert append_number(store, stream, 3).stored.n == 3
    assert [[stored.n for stored in events] for events in read] == [[1, 2]]


def test_ready_check_writes_nothing(store, stream):
    append_number(store, stream, 1)
    before = store.dump()
    store.ready()
    assert store.dump() == before


def test_sixteen_threads_open_a_new_database(database):
    ready = threading.Barrier(16)

    def start(_):
        ready.wait()
        database.open()

    run_in_threads(start, 16)
    store = database.open()
    assert store.events(store.create("table", NewStream({}, {})).id) == []


WRITER = """
import sys
from scorer.store.database_url import open_store
store = open_store(sys.argv[1])
n = store.length(sys.argv[2])
while True:
    n += 1
    store.append(sys.argv[2], {"n": n}, idempotency_key=str(n), by="me")
    print(n, flush=True)
"""


@pytest.mark.slow
def test_killed_writer_loses_no_confirmed_event(database, store, stream):
    answered = 0
    for kill_after in range(1, 40, 6):
        command = [sys.executable, "-c", WRITER, database.place, stream]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            for line in writer.stdout:
                answered = int(line)
                kill_after -= 1
                if not kill_after:
                    writer.kill()
                    break
            answered = max([answered, *(int(n) for n in writer.stdout if n.endswith("\n"))])
        assert not kill_after
        events = store.events(stream)
        assert len(events) >= answered
        assert [stored.n for stored in events] == list(range(1, len(events) + 1))
        assert [stored.event["n"] for stored in events] == list(range(1, len(events) + 1))
