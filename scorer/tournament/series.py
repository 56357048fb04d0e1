"""Standings over several tournaments, by rules from `series.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scorer.tournament.name_matching import normalized_name, people_key
from scorer.tournament.settings import Series
from scorer.tournament.standings import standings
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class SeriesStanding:
    """Total of a pair or player in a series."""

    rank: int
    """Equal for equal totals."""
    name: str
    values: tuple[int | None, ...]
    """Value in each tournament, None if not played."""
    counted: tuple[bool, ...]
    total: int


def series_standings(
    series: Series, tournaments: Sequence[Tournament], by_player: bool
) -> list[SeriesStanding]:
    """The standings of a series, best first.

    :param by_player: rank players; else pairs by their names
    """
    names: dict[str, str] = {}
    values_of: dict[str, dict[int, int]] = {}
    for index, tournament in enumerate(tournaments):
        for name, value in _values_of_tournament(series, tournament, by_player):
            # Equal names are one entry, in whatever order a pair or a player's names are written.
            key = people_key((), name)
            names[key] = name
            values = values_of.setdefault(key, {})
            values[index] = max(value, values.get(index, value))
    unranked = [
        _standing(series, names[key], values_of[key], len(tournaments)) for key in values_of
    ]
    return _with_ranks(unranked)


def similar_names(series_lines: Sequence[SeriesStanding]) -> list[tuple[str, str]]:
    """Names that differ by one letter and were never in one tournament: maybe one pair or player,
    written in two ways.

    >>> played = {"Ali & Rosa": (9, None), "Rosi / Ali": (None, 7), "Rose & Ali": (3, 4)}
    >>> similar_names([SeriesStanding(1, name, values, (), 0) for name, values in played.items()])
    [('Ali & Rosa', 'Rosi / Ali')]
    """
    lines_of_variant: dict[str, list[SeriesStanding]] = {}
    similar: dict[tuple[str, str], None] = {}
    for line in series_lines:
        key = people_key((), line.name)
        # Two words that differ by one letter are equal without some letter of each.
        for variant in {key, *(key[:at] + key[at + 1 :] for at in range(len(key)))}:
            others = lines_of_variant.setdefault(variant, [])
            similar |= dict.fromkeys(
                (other.name, line.name) for other in others if not _have_met(other, line)
            )
            others.append(line)
    return [*similar]


def _have_met(first: SeriesStanding, second: SeriesStanding) -> bool:
    """Whether both played in one tournament."""
    both = zip(first.values, second.values, strict=True)
    return any(None not in values for values in both)


def _standing(series: Series, name: str, values: Mapping[int, int], count: int) -> SeriesStanding:
    best = sorted(values, key=lambda index: -values[index])[: series.best or None]
    indexes = range(count)
    return SeriesStanding(
        0,
        name,
        tuple(values.get(index) for index in indexes),
        tuple(index in best for index in indexes),
        sum(values[index] for index in best),
    )


def _values_of_tournament(
    series: Series, tournament: Tournament, by_player: bool
) -> list[tuple[str, int]]:
    """Names and values of a tournament for all with a place; empty before its first result."""
    values: list[tuple[str, int]] = []
    if not tournament.begun:
        return values
    for line in standings(tournament):
        if not line.rank:
            continue
        value = getattr(line.totals, series.metric) if series.metric else 0
        if series.points_by_place:
            value = series.points_by_place[min(line.rank, len(series.points_by_place)) - 1]
        pair = tournament.entrants[line.pair].pair
        values += [(name, value) for name in (by_player and pair.players) or (pair.name,)]
    return values


def _with_ranks(unranked: Sequence[SeriesStanding]) -> list[SeriesStanding]:
    ordered = sorted(
        unranked, key=lambda standing: (-standing.total, normalized_name(standing.name))
    )
    ranked: list[SeriesStanding] = []
    for rank, standing in enumerate(ordered, 1):
        is_equal = bool(ranked) and ranked[-1].total == standing.total
        ranked.append(replace(standing, rank=ranked[-1].rank if is_equal else rank))
    return ranked
