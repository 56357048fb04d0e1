"""Standings over several tournaments, by rules from `series.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scorer.tournament.name_matching import folded_name, same_people
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
    made: dict[str, dict[int, int]] = {}
    for index, evening in enumerate(evenings):
        for who, value in _brought(series, evening, by_player):
            # Equal names are one entry, in whatever order a pair or a player's names are written.
            key = same_people((), who)
            names[key] = who
            values = made.setdefault(key, {})
            values[index] = max(value, values.get(index, value))
    unranked = [_standing(series, names[key], made[key], len(evenings)) for key in made]
    return _ranked(unranked)


def _standing(series: Series, name: str, made: Mapping[int, int], count: int) -> SeriesStanding:
    best = sorted(made, key=lambda index: -made[index])[: series.best or None]
    evenings = range(count)
    return SeriesStanding(
        0,
        name,
        tuple(made.get(index) for index in evenings),
        tuple(index in best for index in evenings),
        sum(made[index] for index in best),
    )


def _brought(series: Series, evening: Tournament, by_player: bool) -> list[tuple[str, int]]:
    """Names and values of an evening for all with a place; empty before its first result."""
    brought: list[tuple[str, int]] = []
    if not evening.begun:
        return brought
    for line in standings(evening):
        if not line.rank:
            continue
        value = getattr(line.tally, series.metric) if series.metric else 0
        if series.places:
            value = series.places[min(line.rank, len(series.places)) - 1]
        pair = evening.entrants[line.pair].pair
        brought += [(who, value) for who in (by_player and pair.players) or (pair.name,)]
    return brought


def _ranked(unranked: Sequence[SeriesStanding]) -> list[SeriesStanding]:
    ordered = sorted(unranked, key=lambda standing: (-standing.total, folded_name(standing.name)))
    ranked: list[SeriesStanding] = []
    for rank, standing in enumerate(ordered, 1):
        same = bool(ranked) and ranked[-1].total == standing.total
        ranked.append(replace(standing, rank=ranked[-1].rank if same else rank))
    return ranked
