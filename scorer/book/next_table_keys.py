"""A pair's way on: the link of a table where it sits opens the one where it sits next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from scorer.store import Seal
from scorer.tournament import Round, Tournament
from scorer.tournament.match import DrawnTable

Keys = Mapping[str, str]
"""The keys of a table by role."""
Opens = Callable[[str, str], str | None]
"""What the holder of a key finds sealed under a name."""

SEATS = ("scorer", "opponent")
"""Whose key the first and the second pair of a table have."""


def next_table_seals(
    rounds: Sequence[Round],
    table: DrawnTable,
    stream: str,
    keys: Keys,
    links: Callable[[DrawnTable], Keys],
) -> Iterator[Seal]:
    """Each pair's key to a new table, sealed with those of the tables where it sat last.

    Players whose partners change have no common way.

    :param rounds: all before the table's own
    :param links: the keys of a table that was drawn, as far as they are known
    """
    if table.teams:
        return
    for pair, seat in zip(table.pairs, SEATS, strict=True):
        for old in _last_tables(rounds, pair):
            holder = links(old).get(SEATS[old.pairs.index(pair)])
            if holder:
                yield Seal(holder, stream, keys[seat])


def _last_tables(rounds: Sequence[Round], pair: int) -> list[DrawnTable]:
    """The tables of the newest round in which a pair sat at any."""
    for played in reversed(rounds):
        if tables := _tables(played, pair):
            return tables
    return []


def _tables(played: Round, pair: int) -> list[DrawnTable]:
    return [m.drawn for m in played.matches.values() if pair in m.drawn.pairs and m.drawn.stream]


def next_keys(
    tournament: Tournament, number: int, pair: int, key: str, opens: Opens
) -> dict[str, str]:
    """A pair's keys to its tables of the newest round, by their streams.

    :param number: the round of the table that its `key` opens
    """
    newest, keys = dict[str, str](), [key]
    for played in tournament.rounds[number:]:
        streams = [drawn.stream for drawn in _tables(played, pair)]
        sealed = ((stream, opens(own, stream)) for stream in streams for own in keys)
        newest = {stream: new for stream, new in sealed if new}
        keys = list(newest.values()) or keys
    return newest
