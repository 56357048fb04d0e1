"""Results: who may say what about a match, and what it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scorer.engine import Illegal, RuleSet, Unreadable
from scorer.engine.translatable import N_
from scorer.tournament.events import (
    Bestaetigung,
    Ergebnis,
    Leerung,
    Sperre,
    Stechen,
    Stechtisch,
)
from scorer.tournament.match import Match, Overturned
from scorer.tournament.overturned import overturn
from scorer.tournament.reading import finals_rules
from scorer.tournament.results import check_games, check_retour

if TYPE_CHECKING:
    from scorer.tournament.tournament import Tournament


def ergebnis(tournament: Tournament, event: Ergebnis) -> None:
    match = tournament.match(event.round, event.table)
    if event.who != "director":
        if event.back:
            raise Unreadable("back", N_("is the director's alone"))
        _still_theirs(tournament, event.round, match)
    elif match.locked:
        raise Illegal("locked", table=event.table)
    check_result(tournament, event)
    _write(tournament, event, match, {**match.said, event.who: event})


def _write(
    tournament: Tournament, event: Ergebnis | Leerung, match: Match, said: Mapping[str, Ergebnis]
) -> None:
    """Let this be what was said about a match, and take back what rests on it where it says so."""
    before = tournament.rounds
    overturn(tournament, event)
    _not_built_upon(tournament, match, event)
    _about(tournament, event, match, said=said, confirmed=False)
    if event.back:
        tournament.overturned = Overturned(
            event.round, event.table, before, tournament.rounds, tournament.settings
        )


def check_result(tournament: Tournament, event: Ergebnis) -> None:
    """Let games pass that a table can have played.

    :raises Illegal: which game cannot be, and why
    """
    played = tournament.round(event.round)
    if event.walkover:
        if event.games or event.who != "director":
            raise Illegal("walkover-by-director")
        if event.walkover == "none" and played.final:
            raise Illegal("level-in-knockout", table=event.table)
        return
    check_games(tournament.settings.rules, played.target, played.games, event.games, event.anyway)
    if tournament.settings.version > 1:
        check_retour(rules_of(tournament, event.round), event.games, event.retour)
    elif max(event.retour, default=0) > len(event.games):
        raise Illegal("no-such-game", game=max(event.retour))
    if played.knockout:
        trial = Match(tournament.match(event.round, event.table).drawn, {"director": event})
        if trial.winner < 0:
            raise Illegal("level-in-knockout", table=event.table)


def rules_of(tournament: Tournament, number: int) -> RuleSet:
    """What a round is played by."""
    final = tournament.round(number).final
    return finals_rules(tournament.settings.rules, tournament.settings.finals if final else None)


def _not_built_upon(tournament: Tournament, match: Match, event: Ergebnis | Leerung) -> None:
    """A knock-out result from which a later round was drawn keeps its winner."""
    played = tournament.round(event.round)
    if match.result is None or not played.knockout or event.round == len(tournament.rounds):
        return
    said = {"director": event} if isinstance(event, Ergebnis) else {}
    if Match(match.drawn, said).winner != match.winner:
        raise Illegal("built-upon", round=event.round + 1)


def _still_theirs(tournament: Tournament, number: int, match: Match) -> None:
    table = match.drawn.table
    if match.locked:
        raise Illegal("locked", table=table)
    if match.result is not None:
        raise Illegal("settled", table=table)
    late = tournament.finals_drawn and not tournament.round(number).final
    if late and tournament.settings.version > 1:
        raise Illegal("finals-drawn", table=table)


def leerung(tournament: Tournament, event: Leerung) -> None:
    match = tournament.match(event.round, event.table)
    if match.locked:
        raise Illegal("locked", table=event.table)
    if not match.said:
        raise Illegal("nothing-to-confirm", table=event.table)
    _write(tournament, event, match, {})


def bestaetigung(tournament: Tournament, event: Bestaetigung) -> None:
    match = tournament.match(event.round, event.table)
    _still_theirs(tournament, event.round, match)
    if len(match.said) != 1:
        raise Illegal("nothing-to-confirm", table=event.table)
    if event.who in match.said:
        raise Illegal("own-result", table=event.table)
    (said,) = match.said.values()
    seen = said.retour if event.retour is None else event.retour
    if (event.games, seen) != (said.games, said.retour):
        raise Illegal("another-result", table=event.table)
    _about(tournament, event, match, confirmed=True)


def sperre(tournament: Tournament, event: Sperre) -> None:
    match = tournament.match(event.round, event.table)
    _about(tournament, event, match, locked=not event.open)


def _about(
    tournament: Tournament,
    event: Ergebnis | Bestaetigung | Sperre | Leerung,
    match: Match,
    **changed: Any,
) -> None:
    """Take note of what the newest event says about a match."""
    noted = replace(match, history=(*match.history, len(tournament.recorded) - 1), **changed)
    played = tournament.rounds[event.round - 1]
    played = replace(played, matches={**played.matches, event.table: noted})
    tournament.rounds = (
        *tournament.rounds[: event.round - 1],
        played,
        *tournament.rounds[event.round :],
    )


def stechen(tournament: Tournament, event: Stechen) -> None:
    if tournament.entrant(event.winner) is tournament.entrant(event.loser):
        raise Illegal("no-such-pair", pair=event.loser)
    if not event.undone:
        tournament.deciders = (*tournament.deciders, event)
        return
    two = {event.winner, event.loser}
    left = tuple(noted for noted in tournament.deciders if {noted.winner, noted.loser} != two)
    if left == tournament.deciders:
        raise Illegal("no-decider")
    tournament.deciders = left


def stechtisch(tournament: Tournament, event: Stechtisch) -> None:
    for pair in event.pairs:
        tournament.entrant(pair)
    tournament.decider_tables = (*tournament.decider_tables, event)
