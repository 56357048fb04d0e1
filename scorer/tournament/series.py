"""Standings over several tournaments, by rules from `series.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scorer.tournament.name_matching import folded_name, people_key
from scorer.tournament.settings import Series
from scorer.tournament.standings import standings
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class SeriesStanding:
    """Total of a pair or player in a series."""

    rank: int
    """Equal for equal totals."""
    name: str
    evenings: tuple[int | None, ...]
    """Value of each evening, None if not played."""
    counted: tuple[bool, ...]
    total: int


def series_standings(
    series: Series, evenings: Sequence[Tournament], by_player: bool
) -> list[SeriesStanding]:
    """The standings of a series, best first.

    :param by_player: rank players; else pairs by their names
    """
    names: dict[str, str] = {}
    values_of: dict[str, dict[int, int]] = {}
    for index, evening in enumerate(evenings):
        for name, value in _values_of_evening(series, evening, by_player):
            # Equal names are one entry, in whatever order a pair or a player's names are written.
            key = people_key((), name)
            names[key] = name
            values = values_of.setdefault(key, {})
            values[index] = max(value, values.get(index, value))
    unranked = [_standing(series, names[key], values_of[key], len(evenings)) for key in values_of]
    return _with_ranks(unranked)


def _standing(series: Series, name: str, values: Mapping[int, int], count: int) -> SeriesStanding:
    best = sorted(values, key=lambda index: -values[index])[: series.best or None]
    evenings = range(count)
    return SeriesStanding(
        0,
        name,
        tuple(values.get(index) for index in evenings),
        tuple(index in best for index in evenings),
        sum(values[index] for index in best),
    )


def _values_of_evening(
    series: Series, evening: Tournament, by_player: bool
) -> list[tuple[str, int]]:
    """Names and values of an evening for all with a place; empty before its first result."""
    values: list[tuple[str, int]] = []
    if not evening.begun:
        return values
    for line in standings(evening):
        if not line.rank:
            continue
        value = getattr(line.tally, series.metric) if series.metric else 0
        if series.places:
            value = series.places[min(line.rank, len(series.places)) - 1]
        pair = evening.entrants[line.pair].pair
        values += [(name, value) for name in (by_player and pair.players) or (pair.name,)]
    return values


def _with_ranks(unranked: Sequence[SeriesStanding]) -> list[SeriesStanding]:
    ordered = sorted(unranked, key=lambda standing: (-standing.total, folded_name(standing.name)))
    ranked: list[SeriesStanding] = []
    for rank, standing in enumerate(ordered, 1):
        is_equal = bool(ranked) and ranked[-1].total == standing.total
        ranked.append(replace(standing, rank=ranked[-1].rank if is_equal else rank))
    return ranked
