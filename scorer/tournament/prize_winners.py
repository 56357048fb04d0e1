"""The pairs that win prizes, overall and in each category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.tournament.standings import Standing
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class CategoryLine:
    """A pair within its category."""

    place: int
    """Its place among the pairs of the category."""
    standing: Standing
    prize: str
    """Its prize of the category, or ""."""


def prize_winners(tournament: Tournament, lines: Sequence[Standing]) -> list[tuple[Standing, str]]:
    """Lines of the standings and their main prizes by place; pairs that left get none."""
    playing_lines = _playing_lines(tournament, lines)
    awards = zip(playing_lines, tournament.prizes.lines, strict=False)
    return [(line, prize) for line, prize in awards if prize]


def consolation_winner(tournament: Tournament, lines: Sequence[Standing]) -> Standing | None:
    """The line of the pair with the consolation prize, if there is one."""
    prizes = tournament.prizes
    if not prizes.consolation:
        return None
    playing_lines = _playing_lines(tournament, lines)
    winless = [line for line in playing_lines if not line.totals.won]
    consolation_lines = {
        "last": playing_lines[-1:],
        "last-but-one": playing_lines[-2:-1],
        "winless": winless[-1:],
    }
    return next(iter(consolation_lines[prizes.consolation_for]), None)


def _playing_lines(tournament: Tournament, lines: Sequence[Standing]) -> list[Standing]:
    return [line for line in lines if tournament.entrants[line.pair].plays]


def category_names(tournament: Tournament) -> list[str]:
    """The categories that have prizes, then those that only pairs have. Two names that differ only
    in case are one category.
    """
    with_prizes = [category.category for category in tournament.prizes.categories]
    of_pairs = sorted(entrant.pair.category for entrant in tournament.listed)
    names: dict[str, str] = {}
    for name in filter(None, [*with_prizes, *of_pairs]):
        names.setdefault(name.casefold(), name)
    return list(names.values())


def category_winners(
    tournament: Tournament, lines: Sequence[Standing]
) -> dict[str, list[CategoryLine]]:
    """The pairs of each category, best first, with their prizes. Pairs that left are not listed."""
    prizes = tournament.prizes
    main_prize_pairs = set[int]()
    if prizes.one_prize_per_pair:
        main_prize_pairs = {line.pair for line, _ in prize_winners(tournament, lines)}
        if consoled := consolation_winner(tournament, lines):
            main_prize_pairs.add(consoled.pair)
    prizes_left = {
        category.category.casefold(): iter(category.lines) for category in prizes.categories
    }
    winners: dict[str, list[CategoryLine]] = {name: [] for name in category_names(tournament)}
    name_of_key = {name.casefold(): name for name in winners}
    for line in lines:
        entrant = tournament.entrants[line.pair]
        category = entrant.pair.category.casefold()
        if not (category and entrant.plays):
            continue
        prize = (
            "" if line.pair in main_prize_pairs else next(prizes_left.get(category, iter(())), "")
        )
        placed = winners[name_of_key[category]]
        placed.append(CategoryLine(len(placed) + 1, line, prize))
    return {name: placed for name, placed in winners.items() if placed}
