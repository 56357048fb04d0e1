"""Subscribers are notified of every write."""

import threading
from contextlib import closing

from scorer.book.notifications import Hub
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.store import NewStream
from scorer.store.sqlite import SqliteStore
from scorer.tournament import read_settings
from tests.builders import WON, new_stream


class Overtaken(SqliteStore):
    """A store into which another process writes just before `changes` is first read."""

    def changes(self):
        if not self.length(self.stream_of_test):
            with closing(SqliteStore(self.path)) as other:
                other.append(self.stream_of_test, {"do": "x"}, idempotency_key="1", by="other")
        return super().changes()


def test_write_during_first_watch_is_reported(tmp_path):
    with closing(Overtaken(tmp_path / "x.db")) as store:
        stream = store.stream_of_test = store.create("table", NewStream({}, {})).id
        assert Hub(store).wait({stream: 0}, timeout=60)


class Asked(SqliteStore):
    """A store in which a thread of this process writes while the test reads `length`.

    `changes` is constant, so that only this thread notifies the hub.
    """

    def length(self, stream):
        found = super().length(stream)
        if threading.current_thread() is not threading.main_thread():
            return found
        writer = threading.Thread(target=self.write, args=(stream,), daemon=True)
        writer.start()
        writer.join(20)
        self.held_up = writer.is_alive()
        return found

    def write(self, stream):
        done = self.append(stream, {"do": "x"}, idempotency_key="1", by="me")
        self.hub.changed(stream, done.stored.n)

    def changes(self):
        return -1


def test_writer_does_not_wait_for_watchers(tmp_path):
    with closing(Asked(tmp_path / "x.db")) as store:
        stream, store.hub = store.create("table", NewStream({}, {})).id, Hub(store)
        assert store.hub.wait({stream: 0}, timeout=0)
        assert not store.held_up


def test_every_recorded_event_is_reported(store):
    reports = []
    tables = Tables(store, lambda *news: reports.append(news))
    book = Tournaments(store, tables, on_change=lambda *news: reports.append(news))
    table = new_stream(tables)
    desk = store.find(book.create(read_settings({"name": "Cup", "rules": "bayern"}))["director"])
    for key in ("a", "a", "b"):
        tables.record(table, WON, idempotency_key=key, by="x", expected=None)
    book.start_clock(desk.stream, 45, 0, idempotency_key="c", by="x")
    # A repetition is reported, too: the first report may have been lost.
    assert reports == [(table, 1), (table, 1), (table, 2), (desk.stream, 1)]
