"""Readers of several streams block nobody, in whatever order they read."""

import threading
import time

import pytest

from scorer.book.pairing_process import MAX_DRAWN_HERE
from scorer.book.stream_cache import EventToAppend, StreamCache
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.engine import Evening, read_head
from scorer.store.sqlite import SqliteStore
from scorer.tournament import read_settings
from scorer.web import create_app
from tests.builders import WON, new_stream
from tests.serving import PATIENCE_SECONDS

PAIRS = {"name": "T", "rules": "bayern", "pairs": [{"name": "A"}, {"name": "B"}], "seed": "s"}


class Meeting(SqliteStore):
    """A store in which each page thread's first read waits until the other's has begun."""

    def __init__(self, path):
        super().__init__(path)
        self.meet = threading.Barrier(2)
        self.met = threading.local()

    def events_after(self, lengths):
        if threading.current_thread().name.startswith("page") and not hasattr(self.met, "once"):
            self.met.once = True
            self.meet.wait(PATIENCE_SECONDS)
        return super().events_after(lengths)


@pytest.fixture
def app(tmp_path):
    app = create_app({"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": False})
    store = Meeting(tmp_path / "x.db")
    tables = app.extensions["tables"] = Tables(store)
    app.extensions["tournaments"] = Tournaments(store, tables)
    yield app
    store.close()


def fetch_concurrently(app, *paths):
    """Fetch pages at the same time; return each status, 0 if the page never arrived."""
    found = dict.fromkeys(paths, 0)

    def fetch(path):
        found[path] = app.test_client().get(path).status_code

    threads = [threading.Thread(target=fetch, args=(path,), daemon=True) for path in paths]
    for thread in threads:
        thread.name = f"page {thread.name}"
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    return list(found.values())


def test_table_and_desk_pages_do_not_deadlock(app):
    tournaments = app.extensions["tournaments"]
    director = tournaments.create(read_settings(PAIRS))["director"]
    stream = tournaments.store.find(director).stream
    [drawn] = tournaments.draw(stream, director, idempotency_key="draw", by="director").tables
    scorer = tournaments.keyrings.writer_key(director, drawn.stream)
    app.extensions["tables"].record(drawn.stream, WON, idempotency_key="1", by="scorer", expected=0)
    # The table's page reads its tournament, and the desk reads each table.
    assert fetch_concurrently(app, f"/t/{scorer}", f"/p/{director}") == [200, 200]


def test_slow_writer_does_not_block_other_streams(store):
    tables = Tables(store)
    slow, *others = (new_stream(tables) for _ in range(300))
    written, hangs = threading.Event(), threading.Event()
    cache = StreamCache(store, lambda stream: Evening(read_head(stream.head)))

    def say(evening):
        hangs.set()
        assert written.wait(PATIENCE_SECONDS)
        return EventToAppend(WON)

    name = {"idempotency_key": "slow", "by": "scorer"}
    writer = threading.Thread(
        target=cache.append_composed, args=(slow, say), kwargs=name, daemon=True
    )
    writer.start()
    assert hangs.wait(PATIENCE_SECONDS)
    for stream in others:
        cache.append_body(stream, WON, idempotency_key="1", by="scorer")
    written.set()
    writer.join(PATIENCE_SECONDS)
    assert cache.current(slow).state.points == (2, 0)


def test_draw_time_does_not_count_as_waiting(store):
    tournaments = Tournaments(store, Tables(store))
    many = [{"name": f"P{n}"} for n in range(MAX_DRAWN_HERE + 2)]
    director = tournaments.create(read_settings({**PAIRS, "pairs": many}))["director"]
    stream = store.find(director).stream
    begun = time.monotonic()
    with store.waiting() as before:
        drawn = tournaments.draw(stream, director, idempotency_key="draw", by="director")
        with store.waiting() as after:
            assert before < after < before + time.monotonic() - begun
        # A repetition returns the same draw without drawing again.
        assert tournaments.draw(stream, director, idempotency_key="draw", by="director") == drawn
        with store.waiting() as again:
            assert again == after
