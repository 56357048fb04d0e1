"""Events about entries: sign-up, acceptance, changes, withdrawal and return."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any, Final

from scorer.engine import Illegal
from scorer.engine.aggregate import replace
from scorer.engine.input.field_readers import integer, listed, text
from scorer.engine.input.field_readers import name as read_name
from scorer.engine.input.lookalikes import lookalike_of
from scorer.tournament.entrants import Entrant, SignUp
from scorer.tournament.event_types.event import GLANCE, Event
from scorer.tournament.match import PairNumber
from scorer.tournament.pairs import Pair, read_pair
from scorer.tournament.registration_deadline import require_registration_open
from scorer.tournament.settings import CIRCLES, Since
from scorer.tournament.state import Tournament

MAX_POINT_CHANGE: Final = 999
"""Most points that the director can add to a pair or take from it."""

Entry = Annotated[Pair, read_pair]
PairNumbers = Annotated[tuple[int, ...], listed(integer(1, 9999))]
RegistrationNumbers = Annotated[tuple[int, ...], listed(integer(1, 10**6))]
"""The positions of sign-ups in their stream, from 1."""


@dataclass(frozen=True, slots=True)
class Anmeldung(Event):
    """A pair signs up, before the first draw or late."""

    do = "anmeldung"
    entry: Entry
    waiting: bool = False
    """Whether it is put on the waiting list until the director accepts it."""

    def check(self, state: Tournament) -> None:
        require_registration_open(state)
        if self.waiting:
            _require_new_name(state, self.entry.name)
        else:
            with_pair(state, self.entry)

    def effect(self, state: Tournament) -> Tournament:
        if not self.waiting:
            return with_pair(state, self.entry)
        number = state.seq
        return _with_sign_up(state, SignUp(number, self.entry.name, self.entry.club, self.entry))


@dataclass(frozen=True, slots=True)
class Einzeln(Event):
    """A player without a partner signs up, to be given one by lot."""

    do = "einzeln"
    name: Annotated[str, read_name]
    club: Annotated[str, read_name] = ""
    waiting: bool = False

    def check(self, state: Tournament) -> None:
        require_registration_open(state)
        if self.waiting:
            _require_new_name(state, self.name)
        else:
            _with_single_player(state, SignUp(0, self.name, self.club))

    def effect(self, state: Tournament) -> Tournament:
        player = SignUp(state.seq, self.name, self.club)
        return _with_sign_up(state, player) if self.waiting else _with_single_player(state, player)


@dataclass(frozen=True, slots=True)
class Aufnahme(Event):
    """The director accepts who signed up: the places of those events in the stream, from 1."""

    do = "aufnahme"
    signed: RegistrationNumbers

    def replay_cost(self, state: Tournament) -> int:
        return 1 + 2 * len(self.signed)

    def check(self, state: Tournament) -> None:
        require_registration_open(state)
        _require_waiting(state, self.signed)
        self.effect(state)

    def effect(self, state: Tournament) -> Tournament:
        accepted = [state.waiting_list[number] for number in dict.fromkeys(self.signed)]
        state = _without_sign_ups(state, self.signed)
        for signed in accepted:
            state = (
                _with_single_player(state, signed)
                if signed.pair is None
                else with_pair(state, signed.pair)
            )
        return state


@dataclass(frozen=True, slots=True)
class Ablehnung(Event):
    """The director removes sign-ups or single players from the waiting list."""

    do = "ablehnung"
    signed: RegistrationNumbers

    def check(self, state: Tournament) -> None:
        singles = {single.number for single in state.singles}
        others = [number for number in self.signed if number not in singles]
        if others or singles.isdisjoint(self.signed):
            _require_waiting(state, others)

    def effect(self, state: Tournament) -> Tournament:
        singles = tuple(one for one in state.singles if one.number not in self.signed)
        return replace(_without_sign_ups(state, self.signed), singles=singles)


@dataclass(frozen=True, slots=True)
class Streichung(Event):
    """Removes pairs that never played; their names can be used again."""

    do = "streichung"
    pairs: PairNumbers

    def replay_cost(self, state: Tournament) -> int:
        return 1 + len(self.pairs) + state.tables_drawn // GLANCE

    def check(self, state: Tournament) -> None:
        drawn_pairs = {pair for r in state.rounds for pair in (*r.playing, *state.bye_pairs(r))}
        for number in self.pairs:
            entrant = state.entrant(number)
            if number in drawn_pairs or (state.rounds and state.settings.format != "redraw"):
                raise Illegal("has-played", name=entrant.pair.name)

    def effect(self, state: Tournament) -> Tournament:
        removed = {number: replace(state.entrants[number], removed=True) for number in self.pairs}
        return replace(state, entrants={**state.entrants, **removed})


@dataclass(frozen=True, slots=True)
class Anwesenheit(Event):
    """Sets the pairs that are absent; all others are present."""

    do = "anwesenheit"
    absent: PairNumbers

    def replay_cost(self, state: Tournament) -> int:
        return 1 + len(state.entrants) // GLANCE

    def check(self, state: Tournament) -> None:
        for number in self.absent:
            state.entrant(number)

    def effect(self, state: Tournament) -> Tournament:
        absent_numbers = set(self.absent)
        there = {e.number: replace(e, absent=e.number in absent_numbers) for e in state.listed}
        return replace(state, attendance_recorded=True, entrants={**state.entrants, **there})


@dataclass(frozen=True, slots=True)
class Zulosung(Event):
    """The players without a partner are paired by lot: the pairs that come of it."""

    do = "zulosung"
    entries: Annotated[tuple[Pair, ...], listed(read_pair)]

    def replay_cost(self, state: Tournament) -> int:
        return 1 + 2 * len(self.entries)

    def check(self, state: Tournament) -> None:
        require_registration_allowed(state, len(self.entries))
        names = self._names
        if not names:
            raise Illegal("too-few-singles")
        waiting = {single.name for single in state.singles}
        if len(set(names)) < len(names) or not waiting.issuperset(names):
            raise Illegal("nobody-single")
        self.effect(state)

    def effect(self, state: Tournament) -> Tournament:
        for pair in self.entries:
            state = with_pair(state, pair)
        names = self._names
        return replace(state, singles=tuple(one for one in state.singles if one.name not in names))

    @property
    def _names(self) -> list[str]:
        return [name for pair in self.entries for name in pair.players]


@dataclass(frozen=True, slots=True)
class Aenderung(Event):
    """Changes a pair's name, players or club."""

    do = "aenderung"
    pair: PairNumber
    entry: Entry

    def check(self, state: Tournament) -> None:
        entrant = state.entrant(self.pair)
        _require_free_name(state, self.entry.name, except_number=self.pair)
        if self.entry.entries != entrant.pair.entries:
            if state.rounds:
                raise Illegal("lots-fixed", name=entrant.pair.name)
            _require_room(state, self.entry.entries - entrant.pair.entries)

    def effect(self, state: Tournament) -> Tournament:
        return _with_entrant_changed(state, self.pair, pair=self.entry)


@dataclass(frozen=True, slots=True)
class Abmeldung(Event):
    """A pair withdraws and is not drawn any more. A second one can only change `annulled`."""

    do = "abmeldung"
    pair: PairNumber
    annulled: bool = False
    """Whether its games do not count; each of its opponents has a bye instead."""

    def check(self, state: Tournament) -> None:
        entrant = state.entrant(self.pair)
        if self.annulled or entrant.annulled:
            require_annulment_allowed(state)
        if entrant.withdrawn and entrant.annulled == self.annulled:
            raise Illegal("withdrawn-already", name=entrant.pair.name)

    def effect(self, state: Tournament) -> Tournament:
        return _with_entrant_changed(state, self.pair, withdrawn=True, annulled=self.annulled)


@dataclass(frozen=True, slots=True)
class Rueckkehr(Event):
    """A pair that had withdrawn plays again."""

    do = "rueckkehr"
    pair: PairNumber

    def check(self, state: Tournament) -> None:
        entrant = state.entrant(self.pair)
        if not entrant.withdrawn or entrant.removed:
            raise Illegal("not-withdrawn", name=entrant.pair.name)
        if entrant.annulled and state.finals_drawn:
            raise Illegal("finals-by-it")
        if state.settings.version >= Since.CHECKED_ENTRIES:
            _require_room(state, entrant.pair.entries)

    def effect(self, state: Tournament) -> Tournament:
        return _with_entrant_changed(state, self.pair, withdrawn=False, annulled=False)


@dataclass(frozen=True, slots=True)
class Vermerk(Event):
    """Sets whether a pair has paid and whether it is present."""

    do = "vermerk"
    pair: PairNumber
    paid: bool = False
    here: bool = False

    def check(self, state: Tournament) -> None:
        state.entrant(self.pair)

    def effect(self, state: Tournament) -> Tournament:
        absent = state.entrants[self.pair].absent and not self.here
        return _with_entrant_changed(
            state, self.pair, paid=self.paid, here=self.here, absent=absent
        )


@dataclass(frozen=True, slots=True)
class Punkte(Event):
    """Sets the points that the director adds to a pair, or takes from it if negative."""

    do = "punkte"
    pair: PairNumber
    points: Annotated[int, integer(-MAX_POINT_CHANGE, MAX_POINT_CHANGE)]
    reason: Annotated[str, text(200)] = ""

    def check(self, state: Tournament) -> None:
        entrant = state.entrant(self.pair)
        require_points_allowed(state)
        if self.points and not self.reason.strip():
            raise Illegal("extra-without-reason", name=entrant.pair.name)

    def effect(self, state: Tournament) -> Tournament:
        reason = self.reason if self.points else ""
        return _with_entrant_changed(state, self.pair, extra=self.points, extra_reason=reason)


@dataclass(frozen=True, slots=True)
class Trennung(Event):
    """Keeps two pairs from meeting in later draws, or lets them meet again."""

    do = "trennung"
    pair: PairNumber
    other: PairNumber
    apart: bool = True

    def check(self, state: Tournament) -> None:
        first, second = state.entrant(self.pair), state.entrant(self.other)
        if first is second:
            raise Illegal("same-pair", name=first.pair.name)

    def effect(self, state: Tournament) -> Tournament:
        two = frozenset((self.pair, self.other))
        return replace(
            state, kept_apart=state.kept_apart | {two} if self.apart else state.kept_apart - {two}
        )


# Shared checks and helpers


def require_registration_allowed(state: Tournament, lots: int = 1) -> None:
    """Check that `lots` more lots may enter.

    :raises Illegal: the list is full, or it is too late
    """
    require_registration_open(state)
    _require_room(state, lots)


def require_annulment_allowed(state: Tournament) -> None:
    """Check that the games of a pair can be left out, or counted again.

    :raises Illegal: the finals are drawn, or not all pairs meet, so that opponents would lose games
    """
    if state.finals_drawn:
        raise Illegal("finals-by-it")
    if state.settings.format not in CIRCLES:
        raise Illegal("games-count")


def require_points_allowed(state: Tournament) -> None:
    """Check that the director may add points.

    :raises Illegal: the finals are drawn, or the standings count no points
    """
    if state.rounds and state.rounds[-1].is_final:
        raise Illegal("finals-by-it")
    if not {"points", "difference", "score"} & {*state.settings.ranking}:
        raise Illegal("points-do-not-count")


def with_pair(state: Tournament, pair: Pair) -> Tournament:
    """The tournament with one more pair, under the next number.

    :raises Illegal: the list is full, or the name is taken
    """
    _require_room(state, pair.entries)
    _require_free_name(state, pair.name)
    number = len(state.entrants) + 1
    return replace(state, entrants={**state.entrants, number: Entrant(number, pair)})


def require_distinct_name(state: Tournament, event: Event) -> None:
    """Check that a new name cannot be confused with another on the list.

    :raises Illegal: it looks like another name
    """
    match event:
        case Anmeldung() | Aenderung():
            new_name = event.entry.name
        case Einzeln():
            new_name = event.name
        case _:
            return
    same_pair = event.pair if isinstance(event, Aenderung) else 0
    names = [entrant.pair.name for entrant in state.listed if entrant.number != same_pair]
    if isinstance(event, Einzeln) or (isinstance(event, Anmeldung) and event.waiting):
        names += [single.name for single in state.singles]
        names += [signed.name for signed in state.waiting_list.values()]
    other = lookalike_of(new_name, names)
    if other is not None and other != new_name:
        raise Illegal("looks-taken", name=new_name, other=other)


def _require_room(state: Tournament, lots: int) -> None:
    taken = sum(e.pair.entries for e in state.entrants.values() if e.holds_place)
    if taken + lots > state.settings.places:
        raise Illegal("full", most=state.settings.places)


def _require_free_name(state: Tournament, name: str, except_number: int = 0) -> None:
    for entrant in state.listed:
        if entrant.pair.name == name and entrant.number != except_number:
            raise Illegal("name-taken", name=name, pair=entrant.number)


def _with_entrant_changed(state: Tournament, number: int, **changed: Any) -> Tournament:
    entrant = replace(state.entrants[number], **changed)
    return replace(state, entrants={**state.entrants, number: entrant})


def _require_new_name(state: Tournament, name: str) -> None:
    _require_free_name(state, name)
    if any(signed.name == name for signed in state.waiting_list.values()):
        raise Illegal("name-taken", name=name, pair=0)


def _with_sign_up(state: Tournament, signed: SignUp) -> Tournament:
    return replace(state, waiting_list={**state.waiting_list, signed.number: signed})


def _require_waiting(state: Tournament, numbers: Collection[int]) -> None:
    if not numbers or not state.waiting_list.keys() >= set(numbers):
        raise Illegal("not-waiting")


def _without_sign_ups(state: Tournament, numbers: Collection[int]) -> Tournament:
    remaining = {number: one for number, one in state.waiting_list.items() if number not in numbers}
    return replace(state, waiting_list=remaining)


def _with_single_player(state: Tournament, player: SignUp) -> Tournament:
    """The tournament with one more player waiting for a partner.

    :raises Illegal: a player of that name is waiting already
    """
    if any(single.name == player.name for single in state.singles):
        raise Illegal("name-taken", name=player.name, pair=0)
    return replace(state, singles=(*state.singles, player))
