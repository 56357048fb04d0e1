"""Who plays: what the events about pairs and players do."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scorer.engine import Illegal
from scorer.engine.rules.looks import twin
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


def may_enter(found: Tournament, lots: int = 1) -> None:
    """Let so many lots enter, if they still may.

    :raises Illegal: the list is full, or it is too late
    """
    not_too_late(found)
    _room(found, lots)


def not_too_late(found: Tournament) -> None:
    """Only rounds that are drawn anew each time have room for whoever comes late."""
    fresh = found.settings.format in ("redraw", "partners")
    if found.rounds and (not fresh or found.rounds[-1].knockout):
        raise Illegal("too-late-to-enter")


def _room(found: Tournament, lots: int) -> None:
    taken = sum(entrant.pair.entries for entrant in found.entrants.values() if entrant.holds_place)
    if taken + lots > found.settings.places:
        raise Illegal("full", most=found.settings.places)


def enter(found: Tournament, pair: Pair) -> None:
    """Give a pair the next number.

    :raises Illegal: no room, or the name is taken
    """
    _room(found, pair.entries)
    _free(found, pair.name)
    number = len(found.entrants) + 1
    found.entrants = {**found.entrants, number: Entrant(number, pair)}


def _free(found: Tournament, name: str, but: int = 0) -> None:
    for entrant in found.listed:
        if entrant.pair.name == name and entrant.number != but:
            raise Illegal("name-taken", name=name, pair=entrant.number)


def told_apart(found: Tournament, event: Event) -> None:
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
    names = [entrant.pair.name for entrant in found.listed if entrant.number != own]
    if isinstance(event, Einzeln) or (isinstance(event, Anmeldung) and event.waiting):
        names += [single.name for single in found.singles]
        names += [signed.name for signed in found.signed.values()]
    other = twin(new, names)
    if other is not None and other != new:
        raise Illegal("looks-taken", name=new, other=other)


def _wait(found: Tournament, name: str, event: Anmeldung | Einzeln) -> None:
    """Put whoever signed up on the waiting list."""
    _free(found, name)
    if any(signed.name == name for signed in found.signed.values()):
        raise Illegal("name-taken", name=name, pair=0)
    number = len(found.recorded)
    found.signed = {**found.signed, number: Signed(number, event)}


def anmeldung(found: Tournament, event: Anmeldung) -> None:
    not_too_late(found)
    if event.waiting:
        _wait(found, event.entry.name, event)
    else:
        enter(found, event.entry)


def einzeln(found: Tournament, event: Einzeln) -> None:
    not_too_late(found)
    if event.waiting:
        _wait(found, event.name, event)
    else:
        _alone(found, Signed(len(found.recorded), event))


def _alone(found: Tournament, player: Signed) -> None:
    """Let a player wait for a partner."""
    if any(single.name == player.name for single in found.singles):
        raise Illegal("name-taken", name=player.name, pair=0)
    found.singles = (*found.singles, player)


def aufnahme(found: Tournament, event: Aufnahme) -> None:
    not_too_late(found)
    for signed in _taken_off(found, event.signed):
        if isinstance(signed.event, Anmeldung):
            enter(found, signed.event.entry)
        else:
            _alone(found, signed)


def ablehnung(found: Tournament, event: Ablehnung) -> None:
    gone = {single.number for single in found.singles} & set(event.signed)
    found.singles = tuple(single for single in found.singles if single.number not in gone)
    others = [number for number in event.signed if number not in gone]
    if others or not gone:
        _taken_off(found, others)


def _taken_off(found: Tournament, numbers: Collection[int]) -> list[Signed]:
    """Take these off the waiting list."""
    if not numbers or not set(numbers) <= set(found.signed):
        raise Illegal("not-waiting")
    gone = [found.signed[number] for number in dict.fromkeys(numbers)]
    found.signed = {n: signed for n, signed in found.signed.items() if n not in numbers}
    return gone


def zulosung(found: Tournament, event: Zulosung) -> None:
    may_enter(found, len(event.entries))
    names = [name for pair in event.entries for name in pair.players]
    if not names:
        raise Illegal("too-few-singles")
    waiting = {single.name for single in found.singles}
    if len(set(names)) < len(names) or not waiting.issuperset(names):
        raise Illegal("nobody-single")
    for pair in event.entries:
        enter(found, pair)
    found.singles = tuple(single for single in found.singles if single.name not in names)


def aenderung(found: Tournament, event: Aenderung) -> None:
    entrant = found.entrant(event.pair)
    _free(found, event.entry.name, but=event.pair)
    if event.entry.entries != entrant.pair.entries:
        if found.rounds:
            raise Illegal("lots-fixed", name=entrant.pair.name)
        _room(found, event.entry.entries - entrant.pair.entries)
    change(found, entrant, pair=event.entry)


def change(found: Tournament, entrant: Entrant, **changed: Any) -> None:
    """A pair as it now is."""
    found.entrants = {**found.entrants, entrant.number: replace(entrant, **changed)}


def abmeldung(found: Tournament, event: Abmeldung) -> None:
    entrant = found.entrant(event.pair)
    if entrant.withdrawn:
        raise Illegal("withdrawn-already", name=entrant.pair.name)
    change(found, entrant, withdrawn=True)


def rueckkehr(found: Tournament, event: Rueckkehr) -> None:
    entrant = found.entrant(event.pair)
    if not entrant.withdrawn or entrant.struck:
        raise Illegal("not-withdrawn", name=entrant.pair.name)
    if found.settings.version > 1:
        _room(found, entrant.pair.entries)
    change(found, entrant, withdrawn=False)


def streichung(found: Tournament, event: Streichung) -> None:
    from scorer.tournament.tally import pair_of

    played = {
        number
        for drawn in found.rounds
        for match in drawn.matches.values()
        for side in match.sides
        for number in side
    } | {pair_of(found, lot) for drawn in found.rounds for lot in drawn.byes}
    for number in event.pairs:
        entrant = found.entrant(number)
        if number in played or (found.rounds and found.settings.format != "redraw"):
            raise Illegal("has-played", name=entrant.pair.name)
        change(found, entrant, struck=True)


def anwesenheit(found: Tournament, event: Anwesenheit) -> None:
    gone = set(event.absent)
    for number in gone:
        found.entrant(number)
    found.asked = True
    for entrant in found.listed:
        change(found, entrant, absent=entrant.number in gone)


def vermerk(found: Tournament, event: Vermerk) -> None:
    entrant = found.entrant(event.pair)
    absent = entrant.absent and not event.here
    change(found, entrant, paid=event.paid, here=event.here, absent=absent)
