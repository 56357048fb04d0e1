"""A table in the hall of a tournament: where its result is entered, how many games it plays, and
whether its draw still stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import url_for

from scorer.book.match_tables import BELONGS
from scorer.book.tables import RecordedTap
from scorer.web.frame.access import Guest, tables, tournaments
from scorer.web.frame.errors import CodedText, message


@dataclass(frozen=True, slots=True)
class Terms:
    """What a tournament says of a table at one moment; of any other table nothing."""

    key: str
    games: int = 0
    """How many games are played at this table, or 0 for as many as one likes."""
    plays: bool = False
    """Whether a result is awaited from this table."""
    decides: bool = False
    """Whether a deciding game is played at this table."""
    gone: str = ""
    """What became of the draw of this table, as the code of its sentence, or nothing."""

    @property
    def url(self) -> str:
        """Where a pair enters its result."""
        return url_for("result_entry.page", key=self.key)

    @property
    def notice(self) -> CodedText | None:
        """What whoever sits at this table must know of its draw, or nothing."""
        return message(self.gone) if self.gone else None


class Hall:
    """The tournament of a table, if it has one."""

    def __init__(self, holder: Guest) -> None:
        self._book, self._table, self._key = tournaments(), holder.stream, holder.key
        found = self._book.of_table(holder.key) if BELONGS in holder.sees else None
        self.stream = found or ""
        """The tournament, or nothing."""

    def terms(self) -> Terms:
        """What it says of the table now."""
        if not self.stream:
            return Terms(self._key)
        tournament = self._book.reading(self.stream)
        found, decides = tournament.played_at(self._table), tournament.decides_at(self._table)
        return Terms(
            self._key,
            games=tournament.games(found[0]) if found else int(decides),
            plays=found is not None,
            decides=decides,
            gone=tournament.gone(self._table),
        )

    def settle(self) -> None:
        """Note what a deciding game has come to at its table."""
        # What stands at the table stands; why it is not noted, the desk says.
        self._book.settle(self.stream)


def write(
    holder: Guest, body: Mapping[str, Any], *, key: str, by: str, expected: int | None
) -> RecordedTap:
    """Record an event at a table, within what its tournament has it play.

    :raises Stale: the table has moved on since
    :raises Illegal: the rules refuse it, or all its games are played
    :raises StoreError: it could not be stored
    """
    hall = Hall(holder)
    terms = hall.terms()
    done = tables().record(
        holder.stream, body, key=key, by=by, expected=expected, most_games=terms.games
    )
    if terms.decides:
        hall.settle()
    return done
