"""Which pair wins which prize."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.tournament.standings import Standing
from scorer.tournament.state import Tournament


def prize_winners(tournament: Tournament, lines: Sequence[Standing]) -> list[tuple[Standing, str]]:
    """Lines of the standings and their prizes; pairs that left get none."""
    prizes = tournament.prizes
    there = [line for line in lines if tournament.entrants[line.pair].plays]
    given = list(zip(there, prizes.lines, strict=False))
    winless = [line for line in there if not line.tally.won]
    consoled = {"last": there[-1:], "last-but-one": there[-2:-1], "winless": winless[-1:]}
    if prizes.consolation:
        given += [(line, prizes.consolation) for line in consoled[prizes.to]]
    return [(line, prize) for line, prize in given if prize]
