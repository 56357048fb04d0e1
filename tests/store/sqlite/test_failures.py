"""What a disk can do to us is said in one word, and nothing is half written."""

import shutil
import subprocess
import sys
import threading

import pytest

from scorer.store import Opening, Unavailable
from scorer.store.sqlite import SqliteStore
from scorer.store.sqlite.driver import sqlite3


@pytest.mark.parametrize(
    "change",
    [
        "update events set n = 9",
        "delete from events",
        "update streams set head = '{}'",
        "delete from streams",
    ],
)
def test_the_database_itself_refuses_to_change_the_past(store, stream, change):
    store.append(stream, {"do": "x"}, key="1", by="me")
    connection = sqlite3.connect(store.path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(change)
    connection.close()


def test_a_held_lock_is_waited_for_and_then_named(tmp_path):
    store = SqliteStore(tmp_path / "test.db", patience=0.2)
    stream = store.create("table", Opening({}, {})).id
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(Unavailable) as refused:
        store.append(stream, {}, key="1", by="me")
    assert refused.value.reason == "locked"
    assert store.events(stream) == []
    other.rollback()
    assert store.append(stream, {}, key="1", by="me").fresh
    other.close()
    store.close()


def test_a_lock_let_go_in_time_is_no_error(tmp_path):
    store = SqliteStore(tmp_path / "test.db", patience=20)
    stream = store.create("table", Opening({}, {})).id
    other = sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)
    other.execute("begin immediate")
    waiting = threading.Thread(
        target=store.append, args=(stream, {}), kwargs={"key": "1", "by": "me"}
    )
    waiting.start()
    other.rollback()
    waiting.join()
    assert store.length(stream) == 1
    other.close()
    store.close()


def test_a_full_disk_loses_nothing_and_says_so(store, stream):
    # The database's own limit stands for the disk's: SQLite answers both alike.
    with store._db.borrow() as db:
        pages = db.execute("pragma page_count").fetchone()[0]
        db.execute(f"pragma max_page_count = {pages}")
    written = 0
    with pytest.raises(Unavailable) as refused:
        for n in range(10_000):
            store.append(stream, {"note": "x" * 400}, key=str(n), by="me")
            written += 1
    assert refused.value.reason == "full"
    assert store.length(stream) == written
    with store._db.borrow() as db:
        db.execute("pragma max_page_count = 1000000")
    assert store.append(stream, {"note": "x" * 400}, key=str(written), by="me").fresh


def test_a_database_that_may_not_be_written_is_read_and_not_written(store, stream):
    # SQLite's own switch answers as a read-only file does, to root too.
    with store._db.borrow() as db:
        db.execute("pragma query_only = on")
    assert store.stream(stream).head == {"watten": 1}
    with pytest.raises(Unavailable) as refused:
        store.append(stream, {}, key="1", by="me")
    assert refused.value.reason == "read-only"


def test_a_file_that_is_no_database_is_refused_at_once(tmp_path):
    path = tmp_path / "test.db"
    path.write_text("Wir 2 Die 4\n" * 500)
    with pytest.raises(Unavailable) as refused:
        SqliteStore(path)
    assert refused.value.reason == "damaged"
    assert path.read_text().startswith("Wir 2")


def test_a_damaged_database_is_named_broken(store, stream):
    for n in range(200):
        store.append(stream, {"note": "x" * 400}, key=str(n), by="me")
    store.close()
    damaged = store.path.with_name("damaged.db")
    shutil.copy(store.path, damaged)
    with damaged.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 60_000)
    with pytest.raises(Unavailable) as refused:
        SqliteStore(damaged)
    assert refused.value.reason == "damaged"


def test_sixteen_that_start_at_once_all_find_a_ready_database(tmp_path):
    path, errors, ready = tmp_path / "test.db", [], threading.Barrier(16)

    def start():
        try:
            ready.wait()
            SqliteStore(path).close()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=start) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    store = SqliteStore(path)
    assert store.events(store.create("table", Opening({}, {})).id) == []
    store.close()


WRITER = """
import sys
from scorer.store.sqlite.driver import sqlite3
from scorer.store.sqlite import SqliteStore
store = SqliteStore(sys.argv[1])
n = store.length(sys.argv[2])
while True:
    n += 1
    store.append(sys.argv[2], {"n": n}, key=str(n), by="me")
    print(n, flush=True)
"""


def test_a_kill_at_any_moment_loses_nothing_that_was_answered(store, stream):
    answered = 0
    for kill_after in range(1, 40, 3):
        command = [sys.executable, "-c", WRITER, str(store.path), stream]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            for line in writer.stdout:
                answered = int(line)
                kill_after -= 1
                if not kill_after:
                    writer.kill()
                    break
            answered = max(
                [answered, *(int(line) for line in writer.stdout if line.endswith("\n"))]
            )
        events = store.events(stream)
        assert len(events) >= answered
        assert [stored.n for stored in events] == list(range(1, len(events) + 1))
        assert [stored.event["n"] for stored in events] == list(range(1, len(events) + 1))
