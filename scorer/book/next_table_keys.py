"""Seals a pair's key to its next table for its key of the last one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from scorer.store import Seal
from scorer.store.roles import OPPONENT, WRITER
from scorer.tournament import Round, Tournament
from scorer.tournament.match import DrawnTable

Keys = Mapping[str, str]
Unseal = Callable[[str, str], str | None]
"""Returns the key sealed for the holder of a key under a name, or None."""

SEATS = (WRITER, OPPONENT)
"""Roles of the first and the second pair at a table."""


def next_table_seals(
    rounds: Sequence[Round],
    table: DrawnTable,
    stream: str,
    keys: Keys,
    known_keys: Callable[[DrawnTable], Keys],
) -> Iterator[Seal]:
    """Each pair's key to a new table, sealed for its keys of its last tables.

    None for teams of several entrants, whose partners change.

    :param rounds: all rounds before the table's own
    :param known_keys: returns those of a drawn table by role
    """
    if table.teams:
        return
    for pair, seat in zip(table.pairs, SEATS, strict=True):
        for last_table in _last_tables(rounds, pair):
            holder = known_keys(last_table).get(SEATS[last_table.pairs.index(pair)])
            if holder:
                yield Seal(holder, stream, keys[seat])


def _last_tables(rounds: Sequence[Round], pair: int) -> list[DrawnTable]:
    """The pair's tables in the last round it played."""
    for round_ in reversed(rounds):
        if tables := _tables_of_pair(round_, pair):
            return tables
    return []


def _tables_of_pair(round_: Round, pair: int) -> list[DrawnTable]:
    return [
        m.drawn_table
        for m in round_.matches.values()
        if pair in m.drawn_table.pairs and m.drawn_table.stream
    ]


def next_table_keys(
    tournament: Tournament, number: int, pair: int, key: str, unseal: Unseal
) -> dict[str, str]:
    """A pair's keys to its tables of the newest round, by stream.

    :param number: the round of the table that `key` opens
    """
    newest, keys = dict[str, str](), [key]
    for round_ in tournament.rounds[number:]:
        streams = [drawn.stream for drawn in _tables_of_pair(round_, pair)]
        unsealed = ((stream, unseal(last_key, stream)) for stream in streams for last_key in keys)
        newest = {stream: new for stream, new in unsealed if new}
        keys = list(newest.values()) or keys
    return newest
