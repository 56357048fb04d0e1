"""Who plays: what the events about pairs and players do."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scorer.engine import Illegal
from scorer.engine.input.lookalikes import twin
from scorer.tournament.events import (
    Ablehnung,
    Abmeldung,
    Aenderung,
    Anmeldung,
    Anwesenheit,
    Aufnahme,
    Einzeln,
    Event,
    Rueckkehr,
    Streichung,
    Vermerk,
    Zulosung,
)
from scorer.tournament.match import Entrant, Signed
from scorer.tournament.settings import Pair

if TYPE_CHECKING:
    from scorer.tournament.tournament import Tournament


def may_enter(tournament: Tournament, lots: int = 1) -> None:
    """Let so many lots enter, if they still may.

    :raises Illegal: the list is full, or it is too late
    """
    not_too_late(tournament)
    _room(tournament, lots)


def not_too_late(tournament: Tournament) -> None:
    """Only rounds that are drawn anew each time have room for whoever comes late."""
    fresh = tournament.settings.format in ("redraw", "partners")
    if tournament.rounds and (not fresh or tournament.rounds[-1].knockout):
        raise Illegal("too-late-to-enter")


def _room(tournament: Tournament, lots: int) -> None:
    taken = sum(
        entrant.pair.entries for entrant in tournament.entrants.values() if entrant.holds_place
    )
    if taken + lots > tournament.settings.places:
        raise Illegal("full", most=tournament.settings.places)


def enter(tournament: Tournament, pair: Pair) -> None:
    """Give a pair the next number.

    :raises Illegal: no room, or the name is taken
    """
    _room(tournament, pair.entries)
    _free(tournament, pair.name)
    number = len(tournament.entrants) + 1
    tournament.entrants = {**tournament.entrants, number: Entrant(number, pair)}


def _free(tournament: Tournament, name: str, but: int = 0) -> None:
    for entrant in tournament.listed:
        if entrant.pair.name == name and entrant.number != but:
            raise Illegal("name-taken", name=name, pair=entrant.number)


def told_apart(tournament: Tournament, event: Event) -> None:
    """Let a new name pass that nobody can take for another on the list.

    :raises Illegal: it looks like another
    """
    match event:
        case Anmeldung() | Aenderung():
            new = event.entry.name
        case Einzeln():
            new = event.name
        case _:
            return
    own = event.pair if isinstance(event, Aenderung) else 0
    names = [entrant.pair.name for entrant in tournament.listed if entrant.number != own]
    if isinstance(event, Einzeln) or (isinstance(event, Anmeldung) and event.waiting):
        names += [single.name for single in tournament.singles]
        names += [signed.name for signed in tournament.signed.values()]
    other = twin(new, names)
    if other is not None and other != new:
        raise Illegal("looks-taken", name=new, other=other)


def _wait(tournament: Tournament, name: str, event: Anmeldung | Einzeln) -> None:
    """Put whoever signed up on the waiting list."""
    _free(tournament, name)
    if any(signed.name == name for signed in tournament.signed.values()):
        raise Illegal("name-taken", name=name, pair=0)
    number = len(tournament.recorded)
    tournament.signed = {**tournament.signed, number: Signed(number, event)}


def anmeldung(tournament: Tournament, event: Anmeldung) -> None:
    not_too_late(tournament)
    if event.waiting:
        _wait(tournament, event.entry.name, event)
    else:
        enter(tournament, event.entry)


def einzeln(tournament: Tournament, event: Einzeln) -> None:
    not_too_late(tournament)
    if event.waiting:
        _wait(tournament, event.name, event)
    else:
        _alone(tournament, Signed(len(tournament.recorded), event))


def _alone(tournament: Tournament, player: Signed) -> None:
    """Let a player wait for a partner."""
    if any(single.name == player.name for single in tournament.singles):
        raise Illegal("name-taken", name=player.name, pair=0)
    tournament.singles = (*tournament.singles, player)


def aufnahme(tournament: Tournament, event: Aufnahme) -> None:
    not_too_late(tournament)
    for signed in _taken_off(tournament, event.signed):
        if isinstance(signed.event, Anmeldung):
            enter(tournament, signed.event.entry)
        else:
            _alone(tournament, signed)


def ablehnung(tournament: Tournament, event: Ablehnung) -> None:
    gone = {single.number for single in tournament.singles} & set(event.signed)
    tournament.singles = tuple(single for single in tournament.singles if single.number not in gone)
    others = [number for number in event.signed if number not in gone]
    if others or not gone:
        _taken_off(tournament, others)


def _taken_off(tournament: Tournament, numbers: Collection[int]) -> list[Signed]:
    """Take these off the waiting list."""
    if not numbers or not set(numbers) <= set(tournament.signed):
        raise Illegal("not-waiting")
    gone = [tournament.signed[number] for number in dict.fromkeys(numbers)]
    tournament.signed = {n: signed for n, signed in tournament.signed.items() if n not in numbers}
    return gone


def zulosung(tournament: Tournament, event: Zulosung) -> None:
    may_enter(tournament, len(event.entries))
    names = [name for pair in event.entries for name in pair.players]
    if not names:
        raise Illegal("too-few-singles")
    waiting = {single.name for single in tournament.singles}
    if len(set(names)) < len(names) or not waiting.issuperset(names):
        raise Illegal("nobody-single")
    for pair in event.entries:
        enter(tournament, pair)
    tournament.singles = tuple(single for single in tournament.singles if single.name not in names)


def aenderung(tournament: Tournament, event: Aenderung) -> None:
    entrant = tournament.entrant(event.pair)
    _free(tournament, event.entry.name, but=event.pair)
    if event.entry.entries != entrant.pair.entries:
        if tournament.rounds:
            raise Illegal("lots-fixed", name=entrant.pair.name)
        _room(tournament, event.entry.entries - entrant.pair.entries)
    change(tournament, entrant, pair=event.entry)


def change(tournament: Tournament, entrant: Entrant, **changed: Any) -> None:
    """A pair as it now is."""
    tournament.entrants = {**tournament.entrants, entrant.number: replace(entrant, **changed)}


def abmeldung(tournament: Tournament, event: Abmeldung) -> None:
    entrant = tournament.entrant(event.pair)
    if entrant.withdrawn:
        raise Illegal("withdrawn-already", name=entrant.pair.name)
    change(tournament, entrant, withdrawn=True)


def rueckkehr(tournament: Tournament, event: Rueckkehr) -> None:
    entrant = tournament.entrant(event.pair)
    if not entrant.withdrawn or entrant.struck:
        raise Illegal("not-withdrawn", name=entrant.pair.name)
    if tournament.settings.version > 1:
        _room(tournament, entrant.pair.entries)
    change(tournament, entrant, withdrawn=False)


def streichung(tournament: Tournament, event: Streichung) -> None:
    played = {pair for r in tournament.rounds for pair in (*r.playing, *tournament.free(r))}
    for number in event.pairs:
        entrant = tournament.entrant(number)
        if number in played or (tournament.rounds and tournament.settings.format != "redraw"):
            raise Illegal("has-played", name=entrant.pair.name)
        change(tournament, entrant, struck=True)


def anwesenheit(tournament: Tournament, event: Anwesenheit) -> None:
    gone = set(event.absent)
    for number in gone:
        tournament.entrant(number)
    tournament.asked = True
    for entrant in tournament.listed:
        change(tournament, entrant, absent=entrant.number in gone)


def vermerk(tournament: Tournament, event: Vermerk) -> None:
    entrant = tournament.entrant(event.pair)
    absent = entrant.absent and not event.here
    change(tournament, entrant, paid=event.paid, here=event.here, absent=absent)
