"""Tournaments and tables over a store to which another process writes."""

import time

import pytest

from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.engine import Illegal, read_head
from scorer.store import IdempotencyKeyReused, NewStream, Unavailable
from scorer.tournament import read_settings
from tests.builders import BAYERN, WON, new_stream

SETTINGS = {"name": "T", "rules": "bayern", "pairs": [{"name": "A"}, {"name": "B"}], "seed": "s"}


class Overtaken:
    """A store that calls `quicker` once, just before an append."""

    def __init__(self, store):
        self._store, self.quicker = store, None

    def __getattr__(self, name):
        return getattr(self._store, name)

    def append(self, *given, **named):
        if self.quicker is not None:
            quicker, self.quicker = self.quicker, None
            quicker()
        return self._store.append(*given, **named)


@pytest.fixture
def stores(database):
    """Two stores on one database, as in two processes; the first is `Overtaken`."""
    return Overtaken(database.open()), database.open()


@pytest.fixture
def books(stores):
    return [Tournaments(store, Tables(store)) for store in stores]


@pytest.fixture
def director(books):
    """A director's key of a tournament with two pairs."""
    return books[0].create(read_settings(SETTINGS))["director"]


@pytest.fixture
def stream(stores, director):
    return stores[0].find(director).stream


def signup_event(name):
    return {"do": "anmeldung", "entry": {"name": name}}


def tables_of(store):
    """The streams of all evenings in a store."""
    return {one["id"] for one in store.dump()["streams"] if one["kind"] == "table"}


def names(book, stream):
    return [one.pair.name for one in book.current(stream).entrants.values()]


def test_event_sent_by_two_processes_is_recorded_once(stores, books, stream):

    def quicker():
        books[1].record(stream, signup_event("X"), idempotency_key="x", by="other")
        books[1].record(stream, signup_event("Y"), idempotency_key="y", by="other")

    stores[0].quicker = quicker
    assert books[0].record(stream, signup_event("Y"), idempotency_key="y", by="one") == 2
    assert names(books[0], stream) == names(books[1], stream) == ["A", "B", "X", "Y"]


def test_name_taken_by_another_process_is_refused(stores, books, stream):
    name = {"idempotency_key": "theirs", "by": "other"}
    stores[0].quicker = lambda: books[1].record(stream, signup_event("X"), **name)
    with pytest.raises(Illegal, match="name-taken"):
        books[0].record(stream, signup_event("X"), idempotency_key="mine", by="one")
    assert names(books[0], stream) == ["A", "B", "X"]


def test_two_processes_draw_one_round(stores, books, director, stream):
    drawn = []

    def quicker():
        drawn.append(books[1].draw(stream, director, idempotency_key="draw", by="other"))

    stores[0].quicker = quicker
    assert books[0].draw(stream, director, idempotency_key="draw", by="one") == drawn[0]
    assert len(books[0].current(stream).rounds) == 1
    # The second draw created no tables.
    assert tables_of(stores[0]) == {table.stream for table in drawn[0].tables}


def test_repeated_clock_start_is_recorded_once(books, stream):
    book, now = books[1], time.time()

    def start(minutes, later, name="c"):
        return book.start_clock(stream, minutes, now + later, idempotency_key=name, by="x")

    assert start(45, 0) == start(45, 1) == start(45, 25) == 1
    assert book.current(stream).clock_until == int(now) + 45 * 60
    # Another duration under the same key is another event.
    for minutes in (44, 46, 0):
        with pytest.raises(IdempotencyKeyReused):
            start(minutes, 1)
    assert start(0, 2, "off") == start(0, 3, "off") == 2
    with pytest.raises(IdempotencyKeyReused):
        start(45, 0, "off")
    book.record(stream, signup_event("X"), idempotency_key="entry", by="x")
    with pytest.raises(IdempotencyKeyReused):
        start(45, 0, "entry")


def test_clock_event_with_bad_time_is_no_repetition(stores, books):
    begun = {"do": "uhr", "until": 1, "at": "2026-13-01"}
    stream = stores[0].create("tournament", NewStream(SETTINGS, {}, events=[begun])).id
    with pytest.raises(IdempotencyKeyReused):
        books[0].start_clock(stream, 45, time.time(), idempotency_key="taken:1", by="x")


def test_two_processes_start_one_clock(stores, books, stream):
    now = time.time()
    stores[0].quicker = lambda: books[1].start_clock(
        stream, 45, now, idempotency_key="c", by="other"
    )
    assert books[0].start_clock(stream, 45, now + 1, idempotency_key="c", by="one") == 1
    assert books[0].current(stream).clock_until == int(now) + 45 * 60


def test_failed_tournament_event_creates_no_tables(stores, books):
    book = books[0]
    pairs = [{"name": name} for name in "ABCD"]
    settings = read_settings({**SETTINGS, "pairs": pairs, "format": "knockout"})
    director = book.create(settings)["director"]
    stream = stores[0].find(director).stream

    def full():
        raise Unavailable("full")

    def refused(attempt, *given, **named):
        before = tables_of(stores[0])
        stores[0].quicker = full
        with pytest.raises(Unavailable, match="full"):
            attempt(stream, director, *given, idempotency_key="k", by="one", **named)
        assert tables_of(stores[0]) == before

    refused(book.draw)
    lots = book.draw(stream, director, idempotency_key="draw", by="one").tables
    refused(book.swap, 1, (lots[0].pairs[0], lots[1].pairs[0]))
    refused(book.open_decider_table, (1, 2))


def test_taken_code_is_redrawn(stores):
    codes = iter(["AAAAAA", "AAAAAA", "BBBBBB"])
    tables = Tables(stores[0], draw_code=lambda: next(codes))
    tables.create(read_head(BAYERN))
    book = Tournaments(stores[0], tables)
    director = book.create(read_settings(SETTINGS))["director"]
    drawn = book.draw(stores[0].find(director).stream, director, idempotency_key="draw", by="one")
    scorer = book.keyrings.writer_key(director, drawn.tables[0].stream)
    assert tables.links.keys_for_writer(scorer)["code"] == "BBBBBB"


def test_round_sent_by_two_processes_counts_once(stores):
    tables = [Tables(store) for store in stores]
    stream = new_stream(tables[0])

    def quicker():
        for name in ("first", "same"):
            tables[1].record(stream, WON, idempotency_key=name, by="other", expected=None)

    stores[0].quicker = quicker
    done = tables[0].record(stream, WON, idempotency_key="same", by="one", expected=None)
    assert (done.seq, done.is_new, done.state.points) == (2, False, (4, 0))
    for book in tables:
        assert book.current(stream).evening.state.points == (4, 0)
