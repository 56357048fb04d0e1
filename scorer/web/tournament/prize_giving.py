"""The prize-giving: the director calls out one place after the other, the best one last.

The prizes of categories come first. The setting `called` says how far the calls have come. Visitors
see the places that are called.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from scorer.tournament.pairs import MAX_PAIRS, whole_name
from scorer.tournament.standings import Standing
from scorer.web.frame.translation import gettext
from scorer.web.tournament.standings_view import StandingsView

PLACES_WITHOUT_PRIZES: Final = 3
"""How many places are called if there are no prizes."""


class Call(NamedTuple):
    number: int
    """The setting `called` after this call: the place, or a number above all places."""
    place: int
    """The place among all pairs, or in the category."""
    name: str
    """The players' full names."""
    about: str
    """The category or the club, or ""."""
    prize: str
    """The prizes of the place, or ""."""

    @property
    def is_overall(self) -> bool:
        """Whether it is a place among all pairs, not in a category."""
        return self.number == self.place

    @property
    def title(self) -> str:
        place = gettext("Place %(n)s", n=self.place)
        return place if self.is_overall else f"{self.about}, {place}"


class PrizeGiving:
    """:param standings_view: the standings with the last round"""

    def __init__(self, standings_view: StandingsView) -> None:
        self._standings = standings_view
        self._best_called = standings_view.tournament.settings.called

    @cached_property
    def calls(self) -> list[Call]:
        """All calls in their order."""
        prizes: dict[int, list[str]] = {}
        lines: dict[int, Standing] = {}
        placed = [line for line in self._standings.lines if line.rank]
        awards: Sequence[tuple[Standing, str]] = self._standings.prizes or [
            (line, "") for line in placed[:PLACES_WITHOUT_PRIZES]
        ]
        for line, prize in awards:
            # The last pair may win a prize by place and the consolation prize.
            prizes.setdefault(line.rank, []).append(prize)
            lines[line.rank] = line
        places = [
            self._call(rank, rank, lines[rank], ", ".join(filter(None, prizes[rank])))
            for rank in sorted(lines, reverse=True)
        ]
        return [*self._category_calls(), *places]

    def _category_calls(self) -> list[Call]:
        awards = [
            (category, line)
            for category, lines in self._standings.categories.items()
            for line in reversed(lines)
            if line.prize
        ]
        return [
            self._call(
                MAX_PAIRS + len(awards) - index, line.place, line.standing, line.prize, category
            )
            for index, (category, line) in enumerate(awards)
        ]

    def _call(
        self, number: int, place: int, standing: Standing, prize: str, category: str = ""
    ) -> Call:
        pair = self._standings.tournament.entrants[standing.pair].pair
        return Call(number, place, whole_name(pair), category or pair.club, prize)

    @cached_property
    def calls_made(self) -> list[Call]:
        """The calls made so far, the newest first."""
        best = self._best_called
        return [call for call in self.calls if 0 < best <= call.number][::-1]

    @property
    def next_call(self) -> Call | None:
        return next(iter(self.calls[len(self.calls_made) :]), None)

    @property
    def called_before(self) -> int:
        """The setting `called` before the newest call."""
        return self.calls_made[1].number if len(self.calls_made) > 1 else 0
