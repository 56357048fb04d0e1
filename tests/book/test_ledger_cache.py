"""A ledger counts each evening once, in its newest state."""

from dataclasses import replace

import pytest

from scorer.book.ledger_cache import LedgerTotals
from scorer.book.tables import Tables
from scorer.engine.telling.player_statistics import accounts, evening_accounts
from tests.builders import LOST, WON, new_stream

SIDES = [{"players": ["Alice", "Bob"]}, {"players": ["Charlie", "Dora"]}]
WIN = {"do": "gewinnt", "side": 0, "stake": 15}


class Counted:
    """Five evenings of one store, their totals, and the number of times an evening was counted."""

    def __init__(self, store):
        self.tables = Tables(store)
        self.totals, self.count = LedgerTotals(self._counted), 0
        self.streams = [new_stream(self.tables, sides=SIDES) for _ in range(5)]

    def _counted(self, evening, nobody):
        self.count += 1
        return evening_accounts(evening, nobody)

    def write(self, at, event=WIN):
        seen = self.tables.current(self.streams[at]).seq
        name = f"{at} {seen}"
        self.tables.record(self.streams[at], event, idempotency_key=name, by="x", expected=seen)

    def current(self):
        evenings = [self.tables.current(stream) for stream in self.streams]
        totals = self.totals.total(evenings)
        assert totals.accounts == accounts(table.evening for table in evenings)
        return totals


@pytest.fixture
def ledger(store):
    return Counted(store)


def test_only_changed_evenings_are_counted_again(ledger):
    before = ledger.current()
    assert ledger.count == 5
    assert ledger.current() is before
    ledger.write(2)
    assert ledger.current().accounts.players["Alice"].rounds == 1
    assert ledger.count == 6


def test_undone_and_dropped_rounds_do_not_count(ledger):
    ledger.write(0)
    ledger.write(1)
    assert ledger.current().accounts.players["Alice"].rounds == 2
    ledger.write(1, ledger.tables.current(ledger.streams[1]).evening.undo_correction().to_json())
    assert ledger.current().accounts.players["Alice"].rounds == 1
    del ledger.streams[0]
    assert ledger.current().accounts.players == {}


def test_stream_replaced_by_one_of_equal_length_is_counted_again(ledger):
    ledger.write(0, WON)
    ledger.write(1, LOST)
    phone, server = (ledger.tables.current(stream) for stream in ledger.streams[:2])
    assert phone.seq == server.seq
    ledger.totals.total([phone])
    replaced = ledger.totals.total([replace(server, stream=phone.stream)])
    assert ledger.count == 2
    assert replaced.accounts == accounts([server.evening])
