"""A rendering is made once for all viewers, and a slow viewer delays nobody."""

import threading
from contextlib import suppress

import pytest

from scorer.book.live_channels import Channels, Rendering, Watcher
from scorer.book.notifications import Hub
from scorer.book.tables import Tables
from tests.builders import new_stream

MANY = 250


class Table:
    """A table with its channels, and the stream's length at each rendering."""

    def __init__(self, store):
        self.tables, self.hub = Tables(store), Hub(store)
        self.channels = Channels(self.hub)
        self.stream = new_stream(self.tables)
        self.drawn, self.alike = [], ()
        self.open = self.whole = True
        # A watcher who joins during a rendering.
        self.late = None

    def render(self):
        if not self.open:
            return None
        assert self.whole
        if self.late:
            late, self.late = self.late, None
            self.channels.join("board", (self.stream,), self.render, late)
        length = self.tables.current(self.stream).seq
        self.drawn.append(length)
        text = "alike" if length in self.alike else str(length)
        return Rendering(length, text, b"%d" % length)

    def join_watcher(self, seen=-1, name="board"):
        watcher = Watcher(seen)
        self.channels.join(name, (self.stream,), self.render, watcher)
        return watcher

    def write(self):
        seen = self.tables.current(self.stream).seq
        event = {"do": "ansage", "schlag": str(7 + seen % 2)}
        self.tables.record(self.stream, event, idempotency_key=str(seen), by="x", expected=seen)
        self.hub.changed(self.stream, seen + 1)


@pytest.fixture
def table(store):
    made = Table(store)
    yield made
    made.hub.closed = True
    # These threads read the store, which is closed next.
    while live := [thread for thread in threading.enumerate() if thread.name == "live"]:
        for thread in live:
            # Another thread may still be starting it.
            with suppress(RuntimeError):
                thread.join()


def rendering(length):
    return Rendering(length, str(length), b"%d" % length)


def test_state_is_rendered_once_for_all_watchers(table):
    watchers = [table.join_watcher() for _ in range(MANY)]
    assert {watcher.next() for watcher in watchers} == {b"0"}
    for number in (1, 2):
        table.write()
        messages = [watcher.next() for watcher in watchers]
        assert messages == [b"%d" % number] * MANY
        assert len({id(message) for message in messages}) == 1
    assert table.drawn == [0, 1, 2]


def test_late_watcher_reuses_the_rendering(table):
    assert table.join_watcher().next() == b"0"
    table.write()
    assert [table.join_watcher().next() for _ in range(3)] == [b"1"] * 3
    assert table.drawn == [0, 1]
    assert table.join_watcher(name="another language").next() == b"1"
    assert table.drawn == [0, 1, 1]


def test_slow_watcher_gets_only_the_newest_state():
    watcher = Watcher()
    for length in range(1, 100):
        watcher.send(rendering(length))
    assert watcher.next() == b"99"
    watcher.wake()
    assert watcher.next() == b""


def test_watcher_gets_only_newer_states(table):
    table.write()
    back = table.join_watcher(seen=1)
    table.write()
    assert back.next() == b"2"


def test_older_rendering_does_not_hide_the_next():
    """After a rendering older than the state seen, the watcher gets the newer one again."""
    watcher = Watcher(seen_length=1)
    watcher.send(rendering(0))
    watcher.send(rendering(1))
    assert watcher.next() == b"1"


def test_unchanged_rendering_is_not_sent_again(table):
    table.alike = (0, 1)
    watcher = table.join_watcher()
    assert watcher.next() == b"0"
    table.write()
    table.write()
    assert watcher.next() == b"2"


def test_watcher_joining_meanwhile_gets_same_rendering(table):
    table.alike = (0, 1)
    watcher = table.join_watcher()
    assert watcher.next() == b"0"
    late = table.late = Watcher()
    table.write()
    assert late.next() == b"1"
    table.write()
    assert (late.next(), watcher.next()) == (b"2", b"2")


def test_closed_stream_releases_all_watchers(table):
    watchers = [table.join_watcher() for _ in range(3)]
    assert [watcher.next() for watcher in watchers] == [b"0"] * 3
    table.open = False
    table.write()
    assert [(watcher.next(), watcher.has_ended) for watcher in watchers] == [(b"", True)] * 3


def test_failed_rendering_releases_the_watcher(table):
    watcher = table.join_watcher()
    watcher.next()
    table.whole = False
    table.write()
    assert (watcher.next(), watcher.has_ended) == (b"", True)
    table.whole = True
    assert table.join_watcher().next() == b"1"


def test_unsubscribed_watcher_gets_no_messages(table):
    left, stays = table.join_watcher(), table.join_watcher()
    assert (left.next(), stays.next()) == (b"0", b"0")
    table.channels.leave("board", left)
    table.write()
    assert stays.next() == b"1"
    left.wake()
    assert left.next() == b""


def test_process_shutdown_releases_watchers(table):
    watcher = table.join_watcher()
    watcher.next()
    # The signal handler does the same.
    table.hub.closed = True
    assert (watcher.next(), watcher.has_ended) == (b"", True)
