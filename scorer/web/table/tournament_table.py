"""A table's tournament: where to enter its result, number of games, and state of its draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import url_for

from scorer.book.match_tables import TOURNAMENT_SEAL
from scorer.book.stream_cache import failures_leave_recording_unsure
from scorer.book.tables import RecordedEvent, Table
from scorer.web.frame.access import KeyHolder, tables, tournaments
from scorer.web.frame.errors import CodedText, message


@dataclass(frozen=True, slots=True)
class TableTerms:
    """A tournament's current terms for a table; defaults for a table without one."""

    key: str
    games: int = 0
    """Number of games to play; 0 for any."""
    is_match_table: bool = False
    is_decider_table: bool = False
    draw_error: str = ""
    """Error code if its draw is no longer valid, else ""."""

    @property
    def url(self) -> str:
        return url_for("result_entry.page", key=self.key)

    @property
    def notice(self) -> CodedText | None:
        return message(self.draw_error) if self.draw_error else None


class TournamentTable:
    def __init__(self, holder: KeyHolder) -> None:
        self._book, self._table, self._key = tournaments(), holder.stream, holder.key
        stream = (
            self._book.of_table(holder.key) if TOURNAMENT_SEAL in holder.visible_roles else None
        )
        self.stream = stream or ""
        """The tournament's stream, or ""."""

    def terms(self) -> TableTerms:
        if not self.stream:
            return TableTerms(self._key)
        tournament = self._book.current(self.stream)
        round_match = tournament.find_match(self._table)
        is_decider_table = tournament.is_decider_table(self._table)
        return TableTerms(
            self._key,
            games=tournament.games(round_match[0]) if round_match else int(is_decider_table),
            is_match_table=round_match is not None,
            is_decider_table=is_decider_table,
            draw_error=tournament.void_reason(self._table),
        )

    def note_deciders(self) -> None:
        """Record the result of a deciding game in the tournament."""
        # A refused result stays at the table; the desk page shows why.
        self._book.note_deciders(self.stream)


def record_within_terms(
    holder: KeyHolder,
    body: Mapping[str, Any],
    *,
    idempotency_key: str,
    by: str,
    expected: int | None,
    precondition: Callable[[Table], None] = lambda table: None,
) -> RecordedEvent:
    """Record an event at a table, within the limits of its tournament.

    :param precondition: called with the table before a new event is recorded; raises to refuse it
    :raises Stale: the table has other events than expected
    :raises Illegal: against the rules, or all games are played
    :raises StoreError: a database failure
    """
    table = TournamentTable(holder)
    terms = table.terms()
    tap = tables().record(
        holder.stream,
        body,
        idempotency_key=idempotency_key,
        by=by,
        expected=expected,
        max_games=terms.games,
        precondition=precondition,
    )
    if terms.is_decider_table:
        with failures_leave_recording_unsure():  # the event itself is recorded
            table.note_deciders()
    return tap
