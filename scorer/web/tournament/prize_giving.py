"""The prize-giving: the director calls out one place after the other, the best one last.

The setting `called` says how far the calls have come. Visitors see the places that are called.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from scorer.tournament.pairs import whole_name
from scorer.tournament.standings import Standing
from scorer.web.tournament.standings_view import StandingsView

PLACES_WITHOUT_PRIZES: Final = 3
"""How many places are called if there are no prizes."""


class Call(NamedTuple):
    rank: int
    name: str
    """The players' full names."""
    club: str
    prize: str
    """The prizes of the place, or ""."""


class PrizeGiving:
    """:param standings_view: the standings with the last round"""

    def __init__(self, standings_view: StandingsView) -> None:
        self._standings = standings_view
        self._best_called = standings_view.tournament.settings.called

    @cached_property
    def calls(self) -> list[Call]:
        """The places in the order in which they are called."""
        prizes: dict[int, list[str]] = {}
        lines: dict[int, Standing] = {}
        awards: Sequence[tuple[Standing, str]] = self._standings.prizes or [
            (line, "") for line in self._standings.lines[:PLACES_WITHOUT_PRIZES]
        ]
        for line, prize in awards:
            # The last pair may win a prize by place and the consolation prize.
            prizes.setdefault(line.rank, []).append(prize)
            lines[line.rank] = line
        return [self._call(lines[rank], prizes[rank]) for rank in sorted(lines, reverse=True)]

    def _call(self, line: Standing, prizes: Sequence[str]) -> Call:
        pair = self._standings.tournament.entrants[line.pair].pair
        return Call(line.rank, whole_name(pair), pair.club, ", ".join(filter(None, prizes)))

    @cached_property
    def calls_made(self) -> list[Call]:
        """The calls made so far, the newest first."""
        best = self._best_called
        return [call for call in self.calls if 0 < best <= call.rank][::-1]

    @property
    def next_call(self) -> Call | None:
        return next(iter(self.calls[len(self.calls_made) :]), None)

    @property
    def called_before(self) -> int:
        """The setting `called` before the newest call."""
        return self.calls_made[1].rank if len(self.calls_made) > 1 else 0
