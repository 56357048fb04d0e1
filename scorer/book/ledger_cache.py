"""Cached totals of ledgers, computed again only for evenings that have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from scorer.book.continuations import continued_streams
from scorer.book.ratings import Rating, ratings
from scorer.book.single_flight import SingleFlight
from scorer.book.tables import Table
from scorer.engine import Evening
from scorer.engine.telling.player_statistics import LedgerStatistics, evening_accounts

MAX_EVENINGS: Final = 2000
"""Evenings whose accounts are cached."""
MAX_LEDGERS: Final = 100
"""Ledgers whose totals are cached."""


@dataclass(frozen=True, slots=True)
class LedgerTotal:
    accounts: LedgerStatistics
    ratings: list[Rating]
    streaks: dict[str, int]
    """By player, the last evenings in a row without a Bummerl taken."""
    continued: frozenset[str]
    """Streams of evenings that are left out because another one continues them."""


class LedgerTotals:
    """The totals of one process.

    :param count: computes an evening's accounts
    :param nobody: normalized names of sides that name no person, such as "we"
    """

    def __init__(
        self,
        count: Callable[[Evening, frozenset[str]], LedgerStatistics] = evening_accounts,
        nobody: frozenset[str] = frozenset(),
    ) -> None:
        self._count, self._nobody = count, nobody
        self._evenings: SingleFlight[LedgerStatistics] = SingleFlight(MAX_EVENINGS, lambda _: 1)
        self._totals: SingleFlight[LedgerTotal] = SingleFlight(MAX_LEDGERS, lambda _: 1)

    def total(self, tables: Iterable[Table]) -> LedgerTotal:
        """The totals of these evenings, each round counted once; do not modify."""
        by_version = {(table.stream, table.version_tag): table for table in tables}

        def compute() -> LedgerTotal:
            accounts = LedgerStatistics(nobody=self._nobody)
            streaks: dict[str, int] = {}
            left_out = continued_streams(by_version.values())
            counted_tables = {
                version: table
                for version, table in by_version.items()
                if table.stream not in left_out
            }
            for version, table in counted_tables.items():
                count = partial(self._count, table.evening, self._nobody)
                evening_account = self._evenings(version, count)
                accounts.add(evening_account)
                for spelling, player in evening_account.players.items():
                    name = accounts.name(spelling)
                    streak = 0 if player.taken else streaks.get(name, 0) + bool(player.games)
                    streaks[name] = streak
            evenings = (table.evening for table in counted_tables.values())
            return LedgerTotal(accounts, ratings(evenings, accounts), streaks, left_out)

        return self._totals(tuple(by_version), compute)
