"""A table in the hall of a tournament: where its result is entered, how many games it plays, and
whether its draw still stands."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from flask import url_for

from scorer.book.tables import Recorded
from scorer.book.tournaments import BELONGS
from scorer.engine import Illegal
from scorer.web.frame.access import Guest, hub, tables, tournaments
from scorer.web.frame.errors import message


class Hall:
    """What a tournament says of a table, at the moment it is asked; of any other table nothing."""

    def __init__(self, holder: Guest) -> None:
        self._book, self._table, self._key = tournaments(), holder.stream, holder.key
        found = self._book.of_table(holder.key) if BELONGS in holder.sees else None
        self.stream = found or ""
        """The tournament, or nothing."""

    @property
    def url(self) -> str:
        """Where a pair enters its result."""
        return url_for("entry.page", key=self._key)

    @property
    def games(self) -> int:
        """How many games are played at this table, or 0 for as many as one likes."""
        if not self.stream:
            return 0
        tournament = self._book.reading(self.stream)
        found = tournament.played_at(self._table)
        return tournament.games(found[0]) if found else int(tournament.decides_at(self._table))

    @property
    def plays(self) -> bool:
        """Whether a result is awaited from this table."""
        found = self.stream and self._book.reading(self.stream).played_at(self._table)
        return bool(found)

    @property
    def gone(self) -> str:
        """What became of the draw of this table, as the code of its sentence, or nothing."""
        return self._book.reading(self.stream).gone(self._table) if self.stream else ""

    @property
    def notice(self) -> str:
        """What whoever sits at this table must know of its draw, or nothing."""
        return message(self.gone) if self.gone else ""

    def report(self) -> None:
        """Note what a deciding game has come to at its table."""
        if self.stream and self._book.reading(self.stream).decides_at(self._table):
            # What stands at the table stands; why it is not noted, the desk says.
            with suppress(Illegal):
                length = self._book.settle(self.stream)
                if length is not None:
                    hub().moved(self.stream, length)


def write(
    holder: Guest, body: Mapping[str, Any], *, key: str, by: str, expected: int | None
) -> Recorded:
    """Record an event at a table, within what its tournament has it play.

    :raises Stale: the table has moved on since
    :raises Illegal: the rules refuse it, or all its games are played
    :raises StoreError: it could not be stored
    """
    hall = Hall(holder)
    done = tables().record(
        holder.stream, body, key=key, by=by, expected=expected, most_games=hall.games
    )
    hub().moved(holder.stream, done.seq)
    hall.report()
    return done
