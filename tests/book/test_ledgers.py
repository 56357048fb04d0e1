"""An evening is counted once as it stands, and what is told is what it comes to now."""

import pytest

from scorer.book.ledgers import Ledgers
from scorer.book.tables import Tables
from scorer.engine import read_head
from scorer.engine.telling.ledger import counted, ledger
from scorer.store.sqlite import SqliteStore

SIDES = [{"players": ["Alice", "Bob"]}, {"players": ["Charlie", "Dora"]}]
WIN = {"do": "gewinnt", "side": 0, "stake": 15}


class Group:
    """Evenings of one book, and how often one of them was counted."""

    def __init__(self, store):
        self.store, self.tables = store, Tables(store)
        self.ledgers, self.count = Ledgers(self._counted), 0
        self.streams = [self._opened() for _ in range(5)]

    def _counted(self, evening):
        self.count += 1
        return counted(evening)

    def _opened(self):
        head = {"watten": 1, "rules": "bayern", "sides": SIDES}
        return self.store.find(self.tables.create(read_head(head))["scorer"]).stream

    def write(self, at, event=WIN):
        seen = self.tables.reading(self.streams[at]).seq
        name = f"{at} {seen}"
        self.tables.record(self.streams[at], event, key=name, by="x", expected=seen)

    def reading(self):
        evenings = [self.tables.reading(stream) for stream in self.streams]
        found = self.ledgers.reading(evenings)
        assert found.ledger == ledger(table.evening for table in evenings)
        return found


@pytest.fixture
def group(tmp_path):
    store = SqliteStore(tmp_path / "x.db")
    yield Group(store)
    store.close()


def test_only_what_moved_is_counted_again(group):
    before = group.reading()
    assert group.count == 5
    assert group.reading() is before
    group.write(2)
    assert group.reading().ledger.players["Alice"].rounds == 1
    assert group.count == 6


def test_undo_and_dropped_evenings_are_no_longer_in_it(group):
    group.write(0)
    group.write(1)
    assert group.reading().ledger.players["Alice"].rounds == 2
    group.write(1, group.tables.reading(group.streams[1]).evening.undo().to_json())
    assert group.reading().ledger.players["Alice"].rounds == 1
    del group.streams[0]
    assert group.reading().ledger.players == {}


def test_as_many_other_entries_in_a_tables_place_are_another_state(group):
    """A phone's stream may be replaced by a server's that is as long."""
    group.write(0, {"do": "gewinnt", "side": 0})
    group.write(1, {"do": "gewinnt", "side": 1})
    first, second = (group.tables.reading(stream) for stream in group.streams[:2])
    assert first.seq == second.seq
    assert first.mark != second.mark
