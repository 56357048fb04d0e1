"""What many evenings come to, counted once as they stand.

An evening that has not moved since is not counted again, and the whole only where one has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from scorer.book.live import Once
from scorer.book.ratings import Rating, ratings
from scorer.book.tables import Table
from scorer.engine import Evening
from scorer.engine.telling.ledger import Ledger, counted

EVENINGS: Final = 2000
"""Evenings whose accounts a process holds."""
GROUPS: Final = 100
"""As many groups."""


@dataclass(frozen=True, slots=True)
class Season:
    """What the evenings of a group come to."""

    ledger: Ledger
    ratings: list[Rating]


class Ledgers:
    """The ledgers of one process.

    :param count: what one evening comes to
    """

    def __init__(self, count: Callable[[Evening], Ledger] = counted) -> None:
        self._count = count
        self._evenings: Once[Ledger] = Once(EVENINGS, lambda _: 1)
        self._groups: Once[Season] = Once(GROUPS, lambda _: 1)

    def reading(self, tables: Iterable[Table]) -> Season:
        """What these evenings come to, as they stand; nobody changes it."""
        known = {(table.stream, table.mark): table for table in tables}

        def season() -> Season:
            found = Ledger()
            for state, table in known.items():
                found.add(self._evenings(state, partial(self._count, table.evening)))
            evenings = (table.evening for table in known.values())
            return Season(found, ratings(evenings, found.name))

        return self._groups(tuple(known), season)
