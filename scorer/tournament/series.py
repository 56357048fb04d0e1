"""Tournaments that count together, by rules that are data (`series.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scorer.tournament.names import alike, same_people
from scorer.tournament.standings import standings
from scorer.tournament.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Series:
    """How evenings count together."""

    best: int = 0
    """How many evenings of each count, the best ones; 0 for all."""
    places: tuple[int, ...] = ()
    """What each place brings, the last for all behind it."""
    metric: str = ""
    """What is summed instead."""


@dataclass(frozen=True, slots=True)
class Season:
    """What somebody has made in a series."""

    rank: int
    """Shared by those with the same sum."""
    name: str
    evenings: tuple[int | None, ...]
    """What each evening brought, None where it was not played."""
    counted: tuple[bool, ...]
    """Which of them count."""
    total: int


@cache
def rules() -> Mapping[str, Series]:
    """The ready-made rules by their ids."""
    with Path(__file__).with_name("series.toml").open("rb") as file:
        data = tomllib.load(file)
    return {
        name: Series(found.get("best", 0), tuple(found.get("places", ())), found.get("metric", ""))
        for name, found in data.items()
    }


def seasons(series: Series, evenings: Sequence[Tournament], by_player: bool) -> list[Season]:
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
            found = made.setdefault(key, {})
            found[at] = max(value, found.get(at, value))
    found_seasons = []
    for key, values in made.items():
        best = sorted(values, key=lambda at: -values[at])[: series.best or None]
        total = sum(values[at] for at in best)
        found_seasons.append(
            Season(
                0,
                names[key],
                tuple(values.get(at) for at in range(len(evenings))),
                tuple(at in best for at in range(len(evenings))),
                total,
            )
        )
    return _ranked(found_seasons)


def _brought(series: Series, evening: Tournament, by_player: bool) -> list[tuple[str, int]]:
    """What an evening brings to everybody who has a place; before its first result nobody has."""
    found: list[tuple[str, int]] = []
    if all(match.result is None for played in evening.rounds for match in played.matches.values()):
        return found
    for line in standings(evening):
        if not line.rank:
            continue
        value = getattr(line.tally, series.metric) if series.metric else 0
        if series.places:
            value = series.places[min(line.rank, len(series.places)) - 1]
        pair = evening.entrants[line.pair].pair
        found += [(who, value) for who in (by_player and pair.players) or (pair.name,)]
    return found


def _ranked(found: list[Season]) -> list[Season]:
    ordered = sorted(found, key=lambda season: (-season.total, alike(season.name)))
    ranked: list[Season] = []
    for at, season in enumerate(ordered, 1):
        same = bool(ranked) and ranked[-1].total == season.total
        rank = ranked[-1].rank if same else at
        ranked.append(Season(rank, season.name, season.evenings, season.counted, season.total))
    return ranked
