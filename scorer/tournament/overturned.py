"""Corrections that take back, in one step, the rounds which rest on the result they change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scorer.engine import Illegal
from scorer.tournament.events import Ergebnis, Leerung, Widerruf
from scorer.tournament.match import Round

if TYPE_CHECKING:
    from scorer.tournament.tournament import Tournament


def resting_on(tournament: Tournament, number: int) -> tuple[Round, ...]:
    """The rounds that were drawn from who won in a round, or came through it, in their order."""
    if tournament.round(number).knockout:
        return tournament.rounds[number:]
    return tuple(played for played in tournament.rounds if played.final)


def overturn(tournament: Tournament, event: Ergebnis | Leerung) -> None:
    """Take back the rounds that rest on a result, where its correction says so.

    :raises Illegal: they are others than it says
    """
    if not event.back:
        return
    resting = resting_on(tournament, event.round)
    if not resting or resting[0].number != event.back:
        raise Illegal("no-such-round", round=event.back)
    tournament.undone = (*tournament.undone, *reversed(resting))
    tournament.rounds = tournament.rounds[: event.back - 1]


def widerruf(tournament: Tournament, event: Widerruf) -> None:
    """Let everything stand as before a correction; what was said about its table stays told.

    :raises Illegal: something has been built on it
    """
    undone = tournament.revocable
    if undone is None or (undone.round, undone.table) != (event.round, event.table):
        raise Illegal("correction-stays")
    told = tournament.match(event.round, event.table).history
    before = undone.before[event.round - 1]
    match = before.matches[event.table]
    match = replace(match, history=(*told, len(tournament.recorded) - 1))
    played = replace(before, matches={**before.matches, event.table: match})
    at = event.round
    tournament.rounds = (*undone.before[: at - 1], played, *undone.before[at:])
    tournament.undone = tuple(drawn for drawn in tournament.undone if drawn not in undone.gone)
    tournament.overturned = None
