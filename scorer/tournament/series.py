"""Tournaments that count together, by rules that are data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scorer.tournament.name_matching import folded_name, same_people
from scorer.tournament.settings import Series
from scorer.tournament.standings import standings
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class SeriesStanding:
    """What somebody has made in a series."""

    rank: int
    """Shared by those with the same sum."""
    name: str
    evenings: tuple[int | None, ...]
    """What each evening brought, None where it was not played."""
    counted: tuple[bool, ...]
    """Which of them count."""
    total: int


def series_standings(
    series: Series, evenings: Sequence[Tournament], by_player: bool
) -> list[SeriesStanding]:
    """Everybody's series, best first.

    :param by_player: each player takes what the pair made; else pairs are counted by their names
    """
    names: dict[str, str] = {}
    made: dict[str, dict[int, int]] = {}
    for at, evening in enumerate(evenings):
        for who, value in _brought(series, evening, by_player):
            # Who stood second last time, or wrote the surname first, is nobody else.
            key = same_people((), who)
            names[key] = who
            own = made.setdefault(key, {})
            own[at] = max(value, own.get(at, value))
    unranked = [_season(series, names[key], made[key], len(evenings)) for key in made]
    return _ranked(unranked)


def _season(series: Series, name: str, made: Mapping[int, int], count: int) -> SeriesStanding:
    """What somebody made in some of `count` evenings, without a rank yet."""
    best = sorted(made, key=lambda at: -made[at])[: series.best or None]
    evenings = range(count)
    return SeriesStanding(
        0,
        name,
        tuple(made.get(at) for at in evenings),
        tuple(at in best for at in evenings),
        sum(made[at] for at in best),
    )


def _brought(series: Series, evening: Tournament, by_player: bool) -> list[tuple[str, int]]:
    """What an evening brings to everybody who has a place; before its first result nobody has."""
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
    """The same with their ranks, best first."""
    ordered = sorted(unranked, key=lambda season: (-season.total, folded_name(season.name)))
    ranked: list[SeriesStanding] = []
    for at, season in enumerate(ordered, 1):
        same = bool(ranked) and ranked[-1].total == season.total
        ranked.append(replace(season, rank=ranked[-1].rank if same else at))
    return ranked
