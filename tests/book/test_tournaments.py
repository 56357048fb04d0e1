"""Tournaments over a store, while another process is at work on the same."""

import subprocess
import sys

import pytest

from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.engine import Illegal, read_head
from scorer.store.sqlite import SqliteStore
from scorer.tournament import read_settings

SETTINGS = {"name": "T", "rules": "bayern", "pairs": [{"name": "A"}, {"name": "B"}], "seed": "s"}


class Overtaken(SqliteStore):
    """A store in which somebody else is quicker once, just before an append."""

    def __init__(self, path):
        super().__init__(path)
        self.quicker = None

    def append(self, *given, **named):
        if self.quicker is not None:
            quicker, self.quicker = self.quicker, None
            quicker()
        return super().append(*given, **named)


@pytest.fixture
def two(tmp_path):
    """The same database as two processes have it open; the first may be overtaken."""
    stores = Overtaken(tmp_path / "x.db"), SqliteStore(tmp_path / "x.db")
    yield stores
    for store in stores:
        store.close()


def entered(name):
    return {"do": "anmeldung", "entry": {"name": name}}


def names(book, stream):
    tournament = book.reading(stream)
    return [one.pair.name for one in tournament.entrants.values()]


def test_the_same_event_from_two_processes_is_there_once(two):
    books = [Tournaments(store, Tables(store)) for store in two]
    stream = two[0].find(books[0].create(read_settings(SETTINGS))["director"]).stream

    def quicker():
        books[1].record(stream, entered("X"), key="x", by="other")
        books[1].record(stream, entered("Y"), key="y", by="other")

    two[0].quicker = quicker
    assert books[0].record(stream, entered("Y"), key="y", by="one") == 2
    assert names(books[0], stream) == names(books[1], stream) == ["A", "B", "X", "Y"]


def test_what_another_process_made_impossible_is_refused_and_leaves_nothing(two):
    books = [Tournaments(store, Tables(store)) for store in two]
    stream = two[0].find(books[0].create(read_settings(SETTINGS))["director"]).stream
    two[0].quicker = lambda: books[1].record(stream, entered("X"), key="theirs", by="other")
    with pytest.raises(Illegal, match="name-taken"):
        books[0].record(stream, entered("X"), key="mine", by="one")
    assert names(books[0], stream) == ["A", "B", "X"]


def test_two_processes_draw_one_round(two):
    books = [Tournaments(store, Tables(store)) for store in two]
    director = books[0].create(read_settings(SETTINGS))["director"]
    stream = two[0].find(director).stream
    drawn = []

    def quicker():
        drawn.append(books[1].draw(stream, director, key="draw", by="other"))

    two[0].quicker = quicker
    assert books[0].draw(stream, director, key="draw", by="one") == drawn[0]
    tournament = books[0].reading(stream)
    assert len(tournament.rounds) == 1


def test_a_round_that_another_process_wrote_under_the_same_name_is_written_once(two):
    tables = [Tables(store) for store in two]
    keys = tables[0].create(read_head({"watten": 1, "rules": "bayern"}))
    stream = two[0].find(keys["scorer"]).stream
    won = {"do": "gewinnt", "side": 0}

    def quicker():
        for name in ("first", "same"):
            tables[1].record(stream, won, key=name, by="other", expected=None)

    two[0].quicker = quicker
    done = tables[0].record(stream, won, key="same", by="one", expected=None)
    assert (done.seq, done.fresh, done.state.points) == (2, False, (4, 0))
    for book in tables:
        table = book.reading(stream)
        assert table.evening.state.points == (4, 0)


def test_who_draws_a_round_carries_no_numpy(tmp_path):
    drawing = """
import sys
from pathlib import Path
from scorer.demo import preiswatten
preiswatten(Path(sys.argv[1]))
sys.exit(not {"rustworkx", "numpy"}.isdisjoint(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", drawing, tmp_path / "x.db"], check=False)
    assert done.returncode == 0
