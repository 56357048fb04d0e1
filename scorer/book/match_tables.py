"""The tables of a tournament's matches, with keys for both pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from scorer.book.keyrings import Keyrings
from scorer.book.next_table_keys import next_table_seals
from scorer.book.table_links import ROLES
from scorer.book.tables import Tables
from scorer.book.tournament_event_limits import require_not_full
from scorer.engine import Head, RuleSet, Side
from scorer.store import NewStream, Seal
from scorer.store.roles import VIEWER, WRITER
from scorer.tournament import Round, Tournament
from scorer.tournament.match import DrawnTable
from scorer.tournament.pairs import default_pair_name

TOURNAMENT_SEAL: Final = "tournament"
"""Name under which a table's key has its tournament sealed."""


class MatchTables:
    """Opens tables for the draws of one store's tournaments."""

    def __init__(self, tables: Tables, rings: Keyrings) -> None:
        self._tables, self._rings = tables, rings

    def prepare(
        self,
        stream: str,
        tournament: Tournament,
        rules: RuleSet,
        tables: Sequence[DrawnTable],
        director_key: str,
        earlier_rounds: Sequence[Round] = (),
    ) -> list[NewStream]:
        """A table to be created for each match, with its keys sealed for the desk.

        :param earlier_rounds: on the pages of their tables, pairs find the link to their next table
        :raises Illegal: the tournament is full
        """
        require_not_full(tournament)
        desk_ring, hall_ring = self._rings.ensure_ring_secrets(stream, director_key).values()
        writer_keys = self._tables.store.unseal_all([desk_ring])[desk_ring]
        earlier_streams = [
            match.drawn_table.stream
            for round_ in earlier_rounds
            for match in round_.matches.values()
        ]
        by_writer = self._tables.links.keys_for_writers(
            [writer_keys[table] for table in earlier_streams if table in writer_keys]
        )

        def keys_of(table: DrawnTable) -> dict[str, str]:
            return by_writer.get(writer_keys.get(table.stream, ""), {})

        prepared = []
        for table in tables:
            evening = self._tables.prepare(_head(tournament, rules, table).to_json())
            keys = evening.grants
            seals = [
                *evening.seals,
                Seal(desk_ring, evening.id, keys[WRITER]),
                Seal(hall_ring, evening.id, keys[VIEWER]),
                *(Seal(keys[role], TOURNAMENT_SEAL, stream) for role in ROLES),
                *next_table_seals(earlier_rounds, table, evening.id, keys, keys_of),
            ]
            prepared.append(replace(evening, seals=seals))
        return prepared


def _head(tournament: Tournament, rules: RuleSet, drawn: DrawnTable) -> Head:
    """The head of a table: its sides are the two pairs."""
    sides = []
    for numbers in drawn.teams or ((drawn.pairs[0],), (drawn.pairs[1],)):
        pairs = [tournament.entrants[number].pair for number in numbers]
        players = [name for pair in pairs for name in (pair.players or (pair.name,))]
        side_players = pairs[0].players if len(pairs) == 1 else tuple(players)
        sides.append(Side(default_pair_name([pair.name for pair in pairs]), side_players))
    return Head(rules, tuple(sides), (0, 0), (0, 0))
