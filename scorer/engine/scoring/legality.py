"""Which events are legal in a state, and why the others are not.

`check` judges one event, `legal` lists them all; both ask the same questions, so a screen that
shows `legal` shows exactly what `apply` will take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from scorer.engine.rules.cards import SCHLAEGE, SUITS
from scorer.engine.rules.ruleset import OFFENCES, PENALTY_FIELDS
from scorer.engine.scoring.events import (
    Ansage,
    Bestaetigt,
    Bieten,
    Bleiben,
    Einig,
    Event,
    Gehen,
    Geklaert,
    Gespannt,
    Gewinnt,
    NeuesSpiel,
    Preis,
    Schlagtausch,
    Schoenere,
    SetztAus,
    Sitzordnung,
    Strafe,
    Streichen,
    Strittig,
    Uebernahme,
)
from scorer.engine.scoring.state import State
from scorer.engine.scoring.worth import cannot_see, lock, next_raise, reachable


class Illegal(ValueError):
    """An event the rules refuse: a code, the rules that say so, and the figures for the words.

    `event` is the index of the refused event in its record, once that is known.
    """

    def __init__(self, code: str, rules: tuple[str, ...] = (), **values: int | str) -> None:
        super().__init__(code)
        self.code, self.rules, self.values = code, rules, values
        self.event: int | None = None

    @property
    def rule(self) -> str:
        """The first rule id, or an empty text where the record's own contract refuses."""
        return self.rules[0] if self.rules else ""


def _exists(state: State, side: int) -> None:
    if side >= len(state.points):
        raise Illegal("no-such-side", side=side, sides=len(state.points))


def _running(state: State) -> None:
    if state.winner is not None:
        raise Illegal("game-over", state.rules.cite("target"), side=state.winner)


def _plays(state: State, side: int) -> None:
    _exists(state, side)
    _running(state)
    if side == state.sits_out:
        raise Illegal("sits-out", state.rules.cite("sits_out"), side=side)


def _nothing_open(state: State) -> None:
    if state.open_raise is not None:
        opened = state.open_raise
        cites = state.rules.cite("answer")
        raise Illegal("raise-open", cites, side=opened.side, to=opened.to)
    if state.decision is not None:
        decision = state.decision
        raise Illegal(
            "decision-open",
            state.rules.cite("decline"),
            side=decision.side,
            stay=decision.stay,
            go=decision.go,
        )


def _bieten(state: State, event: Bieten) -> None:
    rules, side = state.rules, event.side
    _plays(state, side)
    if state.decision is not None:
        _nothing_open(state)
    if held := lock(state, side):
        raise Illegal(held.code, rules.cite(held.field), side=side, other=held.side, near=rules.id)
    if rules.alternate and state.raiser == side:
        raise Illegal("twice-in-a-row", rules.cite("alternate"), side=side)
    if state.open_raise is not None and state.open_raise.side == side:
        raise Illegal("own-raise-open", rules.cite("alternate"), side=side)
    to = next_raise(state)
    if rules.max_stake is not None and to > rules.max_stake:
        raise Illegal("max-stake", rules.cite("max_stake"), side=side, stake=rules.max_stake)
    if event.to is not None and event.to != to:
        raise Illegal("wrong-step", rules.cite("step"), side=side, to=event.to, stake=to)


def _answer(state: State, event: Bleiben | Gehen) -> None:
    side = event.side
    _plays(state, side)
    if state.decision is not None:
        if state.decision.side != side:
            raise Illegal("wrong-side", state.rules.cite("decline"), side=side)
    elif state.open_raise is not None:
        if state.open_raise.side == side:
            raise Illegal("wrong-side", state.rules.cite("alternate"), side=side)
        if isinstance(event, Bleiben) and cannot_see(state, side):
            raise Illegal("cannot-see", state.rules.cite("near_lock"), side=side)
    else:
        plain = state.rules.decline == "none" and state.opening.code == "base"
        fields = ("answer",) if plain else ("decline", "answer")
        raise Illegal("nothing-to-answer", state.rules.cite(*fields), side=side)


def _gewinnt(state: State, event: Gewinnt) -> None:
    _plays(state, event.side)
    _nothing_open(state)
    if event.stake is not None and not reachable(state, event.stake):
        raise Illegal("stake-unreachable", state.rules.cite("step"), stake=event.stake)


def _strafe(state: State, event: Strafe) -> None:
    rules = state.rules
    _plays(state, event.side)
    if event.offence == "sonstige":
        if event.points is None:
            raise Illegal("points-missing", side=event.side)
        return
    cites = rules.cite(PENALTY_FIELDS[event.offence])
    if rules.penalty(event.offence) is None:
        raise Illegal("no-such-offence", cites, offence=event.offence)
    if event.points is not None:
        raise Illegal("points-fixed", cites, offence=event.offence)
    if event.offence == "krank-geboten" and lock(state, event.side) is None:
        raise Illegal("not-locked", cites, side=event.side)


def _gespannt(state: State, event: Gespannt) -> None:
    rules, side = state.rules, event.side
    _plays(state, side)
    if not rules.gespannt:
        raise Illegal("no-gespannt", rules.cite("gespannt"))
    if state.decision is not None:
        _nothing_open(state)
    if state.open_raise is not None and state.open_raise.side == side:
        raise Illegal("own-raise-open", rules.cite("gespannt"), side=side)


def _streichen(state: State, event: Streichen) -> None:
    rules, side = state.rules, event.side
    _exists(state, side)
    _running(state)
    if not rules.strike:
        raise Illegal("no-strike", rules.cite("strike"))
    if not state.fresh:
        raise Illegal("strike-late", rules.cite("strike"), side=side)
    near = state.near
    if not any(near[other] for other in range(len(near)) if other != side):
        raise Illegal("strike-none-near", rules.cite("strike"), side=side)
    if state.points[side] == 0:
        raise Illegal("strike-at-zero", rules.cite("strike"), side=side)
    if rules.strike_requires_not_krank and near[side]:
        raise Illegal("strike-near-self", rules.cite("strike_requires_not_krank"), side=side)
    if rules.strike_limit is not None and state.strikes[side] >= rules.strike_limit:
        raise Illegal(
            "strike-limit", rules.cite("strike_limit"), side=side, limit=rules.strike_limit
        )


def _ansage(state: State, event: Ansage) -> None:
    _running(state)
    if event.schlag is None and event.trumpf is None:
        raise Illegal("nothing-announced")
    if event.schlag == "6" and state.rules.deck != 33:
        raise Illegal("no-such-schlag", state.rules.cite("deck"), schlag=event.schlag)


def _before_bids(state: State, field: str, side: int) -> None:
    _plays(state, side)
    if not getattr(state.rules, field):
        raise Illegal(f"no-{field}", state.rules.cite(field))
    if state.raiser is not None:
        raise Illegal("too-late", state.rules.cite(field))


def _schoenere(state: State, event: Schoenere) -> None:
    _before_bids(state, "schoenere", event.side)


def _schlagtausch(state: State, event: Schlagtausch) -> None:
    _before_bids(state, "schlagtausch", event.side)


def _neues_spiel(state: State, event: NeuesSpiel) -> None:
    if state.winner is None:
        raise Illegal("game-running", state.rules.cite("target"))
    _known(state, event.dealer)


def _known(state: State, dealer: str | None) -> None:
    if dealer is not None and state.seat_of(dealer) is None:
        raise Illegal("no-such-player", dealer=dealer)


def _setzt_aus(state: State, event: SetztAus) -> None:
    _exists(state, event.side)
    _running(state)
    if state.sits_out is None:
        raise Illegal("nobody-sits-out", state.rules.cite("sits_out"))
    if not state.fresh:
        raise Illegal("round-begun", state.rules.cite("sits_out"))


def _sitzordnung(state: State, event: Sitzordnung) -> None:
    if event.sides is None and event.dealer is None:
        raise Illegal("nothing-changed")
    if event.sides is not None and len(event.sides) != len(state.points):
        raise Illegal("other-number-of-sides", sides=len(state.points))
    if event.sides is None:
        _known(state, event.dealer)
    elif event.dealer is not None:
        names = {name for side in event.sides for name in (side.name, *side.players)}
        if event.dealer not in names:
            raise Illegal("no-such-player", dealer=event.dealer)
    _may_deal(state, event)


def _may_deal(state: State, event: Sitzordnung) -> None:
    """Once a round of three has begun, nobody who sits it out can turn out to be its dealer."""
    begun = state.winner is None and not state.fresh
    if not begun or event.dealer is None or state.rules.sits_out_by == "turn":
        return
    seated = state if event.sides is None else replace(state, sides=event.sides)
    seat = seated.seat_of(event.dealer)
    if seat is not None and seated.seats[seat][0] == state.sits_out:
        raise Illegal("sits-out", state.rules.cite("sits_out_by"), side=state.sits_out)


def _einig(state: State, event: Einig) -> None:
    _exists(state, event.side)
    if event.side in state.agreed:
        raise Illegal("agreed-already", side=event.side)


def _bestaetigt(state: State, event: Bestaetigt) -> None:
    # What it saw may be corrected later: then it counts no more, and forbids nothing.
    _exists(state, event.side)


def _preis(state: State, event: Preis) -> None:
    # Any side may name it, and the last word counts.
    pass


def _uebernahme(state: State, event: Uebernahme) -> None:
    # Who may say it is the keys' business; the score knows no phones.
    pass


def _strittig(state: State, event: Strittig) -> None:
    _exists(state, event.side)
    if event.of in state.disputed:
        raise Illegal("disputed-already")


def _geklaert(state: State, event: Geklaert) -> None:
    _exists(state, event.side)
    if event.of not in state.disputed:
        raise Illegal("not-disputed")


_CHECKS: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    Bieten: _bieten,
    Bleiben: _answer,
    Gehen: _answer,
    Gewinnt: _gewinnt,
    Strafe: _strafe,
    Streichen: _streichen,
    Gespannt: _gespannt,
    Ansage: _ansage,
    Schoenere: _schoenere,
    Schlagtausch: _schlagtausch,
    NeuesSpiel: _neues_spiel,
    SetztAus: _setzt_aus,
    Sitzordnung: _sitzordnung,
    Einig: _einig,
    Bestaetigt: _bestaetigt,
    Preis: _preis,
    Uebernahme: _uebernahme,
    Strittig: _strittig,
    Geklaert: _geklaert,
}


def check(state: State, event: Event) -> None:
    """Let a legal `event` pass.

    :raises Illegal: the code, rule and figures of the first rule that refuses it
    """
    _CHECKS[type(event)](state, event)


def is_legal(state: State, event: Event) -> bool:
    """Whether `apply` would take `event`."""
    try:
        check(state, event)
    except Illegal:
        return False
    return True


def _conceivable(state: State) -> Iterator[Event]:
    """Every event that some state of these rules takes, in the order a screen lists them."""
    rules, sides = state.rules, range(len(state.points))
    tricks = range(3, rules.tricks_to_end + 1) if rules.overtrick else (None,)
    for side in sides:
        yield Bieten(side, next_raise(state))
    yield from (Bleiben(side) for side in sides)
    yield from (Gehen(side) for side in sides)
    yield from (Gewinnt(side, taken) for side in sides for taken in tricks)
    yield from (Streichen(side) for side in sides)
    yield from (Gespannt(side) for side in sides)
    for offence in OFFENCES:
        points = rules.base if offence == "sonstige" else None
        yield from (Strafe(side, offence, points) for side in sides)
    yield from (Schoenere(side, agreed) for side in sides for agreed in (True, False))
    yield from (Schlagtausch(side, agreed) for side in sides for agreed in (True, False))
    yield from (SetztAus(side) for side in sides)
    yield from (Ansage(schlag=schlag) for schlag in SCHLAEGE)
    yield from (Ansage(trumpf=farbe) for farbe in SUITS)
    yield NeuesSpiel()


def legal(state: State) -> tuple[Event, ...]:
    """Every legal event, one of each kind: `apply` takes these and no others.

    Three things stand for a whole range: a `gewinnt` may carry any `stake` of `worth.stakes`, a
    `strafe` of `sonstige` any number of points, an `ansage` both its fields; names (`dealer`,
    `sitzordnung`) and what is said
    aside of the play (`einig`, `bestaetigt`, `strittig` ...) are the table's own.

    >>> from scorer.engine import load, start
    >>> [event.to_json() for event in legal(start(load("bayern"), points=(13, 6)))][:2]
    [{'do': 'bleiben', 'side': 0}, {'do': 'gehen', 'side': 0}]
    """
    return tuple(event for event in _conceivable(state) if is_legal(state, event))
