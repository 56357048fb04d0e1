"""Results: who may say what about a match, and what it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scorer.engine import Illegal, RuleSet, Unreadable
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


def ergebnis(found: Tournament, event: Ergebnis) -> None:
    match = found.match(event.round, event.table)
    if event.who != "director":
        if event.back:
            raise Unreadable("back", "is the director's alone")
        _still_theirs(found, event.round, match)
    elif match.locked:
        raise Illegal("locked", table=event.table)
    check_result(found, event)
    _write(found, event, match, {**match.said, event.who: event})


def _write(
    found: Tournament, event: Ergebnis | Leerung, match: Match, said: Mapping[str, Ergebnis]
) -> None:
    """Let this be what was said about a match, and take back what rests on it where it says so."""
    before = found.rounds
    overturn(found, event)
    _not_built_upon(found, match, event)
    _about(found, event, match, said=said, confirmed=False)
    if event.back:
        found.overturned = Overturned(
            event.round, event.table, before, found.rounds, found.settings
        )


def check_result(found: Tournament, event: Ergebnis) -> None:
    """Let games pass that a table can have played.

    :raises Illegal: which game cannot be, and why
    """
    played = found.round(event.round)
    if event.walkover:
        if event.games or event.who != "director":
            raise Illegal("walkover-by-director")
        if event.walkover == "none" and played.stage == "final":
            raise Illegal("level-in-knockout", table=event.table)
        return
    check_games(found.settings.rules, played.target, played.games, event.games, event.anyway)
    if found.settings.version > 1:
        check_retour(rules_of(found, event.round), event.games, event.retour)
    elif max(event.retour, default=0) > len(event.games):
        raise Illegal("no-such-game", game=max(event.retour))
    if played.knockout:
        trial = Match(found.match(event.round, event.table).drawn, {"director": event})
        if trial.winner < 0:
            raise Illegal("level-in-knockout", table=event.table)


def rules_of(found: Tournament, number: int) -> RuleSet:
    """What a round is played by."""
    final = found.round(number).stage == "final"
    return finals_rules(found.settings.rules, found.settings.finals if final else None)


def _not_built_upon(found: Tournament, match: Match, event: Ergebnis | Leerung) -> None:
    """A knock-out result from which a later round was drawn keeps its winner."""
    played = found.round(event.round)
    if match.result is None or not played.knockout or event.round == len(found.rounds):
        return
    said = {"director": event} if isinstance(event, Ergebnis) else {}
    if Match(match.drawn, said).winner != match.winner:
        raise Illegal("built-upon", round=event.round + 1)


def _still_theirs(found: Tournament, number: int, match: Match) -> None:
    table = match.drawn.table
    if match.locked:
        raise Illegal("locked", table=table)
    if match.result is not None:
        raise Illegal("settled", table=table)
    late = found.finals_drawn and found.round(number).stage != "final"
    if late and found.settings.version > 1:
        raise Illegal("finals-drawn", table=table)


def leerung(found: Tournament, event: Leerung) -> None:
    match = found.match(event.round, event.table)
    if match.locked:
        raise Illegal("locked", table=event.table)
    if not match.said:
        raise Illegal("nothing-to-confirm", table=event.table)
    _write(found, event, match, {})


def bestaetigung(found: Tournament, event: Bestaetigung) -> None:
    match = found.match(event.round, event.table)
    _still_theirs(found, event.round, match)
    if len(match.said) != 1:
        raise Illegal("nothing-to-confirm", table=event.table)
    if event.who in match.said:
        raise Illegal("own-result", table=event.table)
    (said,) = match.said.values()
    seen = said.retour if event.retour is None else event.retour
    if (event.games, seen) != (said.games, said.retour):
        raise Illegal("another-result", table=event.table)
    _about(found, event, match, confirmed=True)


def sperre(found: Tournament, event: Sperre) -> None:
    match = found.match(event.round, event.table)
    _about(found, event, match, locked=not event.open)


def _about(
    found: Tournament,
    event: Ergebnis | Bestaetigung | Sperre | Leerung,
    match: Match,
    **changed: Any,
) -> None:
    """Take note of what the newest event says about a match."""
    noted = replace(match, history=(*match.history, len(found.recorded) - 1), **changed)
    played = found.rounds[event.round - 1]
    played = replace(played, matches={**played.matches, event.table: noted})
    found.rounds = (*found.rounds[: event.round - 1], played, *found.rounds[event.round :])


def stechen(found: Tournament, event: Stechen) -> None:
    if found.entrant(event.winner) is found.entrant(event.loser):
        raise Illegal("no-such-pair", pair=event.loser)
    if not event.undone:
        found.deciders = (*found.deciders, event)
        return
    two = {event.winner, event.loser}
    left = tuple(noted for noted in found.deciders if {noted.winner, noted.loser} != two)
    if left == found.deciders:
        raise Illegal("no-decider")
    found.deciders = left


def stechtisch(found: Tournament, event: Stechtisch) -> None:
    for pair in event.pairs:
        found.entrant(pair)
    found.decider_tables = (*found.decider_tables, event)
