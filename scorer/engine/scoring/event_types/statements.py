"""Statements beside the play: undo skips them, and they do not change the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from scorer.engine.aggregate import Illegal, replace
from scorer.engine.input.field_readers import code, integer, listed, one_of
from scorer.engine.scoring.event_types.event import Event, EventIndex, SideIndex
from scorer.engine.scoring.preconditions import require_side
from scorer.engine.scoring.state import Confirmation, Price, State

UNITS: Final = ("euro", "runden")
"""Units of a price: cents, or rounds of drinks."""
PER: Final = ("bummerl", "spiel")


class Statement(Event):
    """Base class of statements; any side may make one unless `check` refuses it."""

    __slots__ = ()
    is_statement = True

    def check(self, state: State) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Einig(Statement):
    """The side agrees to the rules of the table; all points stay."""

    do = "einig"
    side: SideIndex

    def check(self, state: State) -> None:
        require_side(state, self.side)
        if self.side in state.agreeing_sides:
            raise Illegal("agreed-already", side=self.side)

    def effect(self, state: State) -> State:
        return replace(state, agreeing_sides=tuple(sorted({*state.agreeing_sides, self.side})))


@dataclass(frozen=True, slots=True)
class Bestaetigt(Statement):
    """The side confirms how a game ended, with the result it saw, such as `9:4`."""

    do = "bestaetigt"
    side: SideIndex
    game: Annotated[int, integer(1, 10**6)]
    stand: Annotated[str, code(20)]

    def check(self, state: State) -> None:
        # `stand` is not compared: after a correction the confirmation no longer counts.
        require_side(state, self.side)

    def effect(self, state: State) -> State:
        confirmation = Confirmation(self.game, self.side, self.stand)
        confirmations = tuple(dict.fromkeys((*state.confirmations, confirmation)))
        return replace(state, confirmations=confirmations)


@dataclass(frozen=True, slots=True)
class Strittig(Statement):
    """The side disputes the round of the recorded event `of`."""

    do = "strittig"
    side: SideIndex
    of: EventIndex

    def check(self, state: State) -> None:
        require_side(state, self.side)
        if self.of in state.disputed:
            raise Illegal("disputed-already")

    def effect(self, state: State) -> State:
        return replace(state, disputed=(*state.disputed, self.of))


@dataclass(frozen=True, slots=True)
class Geklaert(Statement):
    """The dispute about the round of the recorded event `of` is settled."""

    do = "geklaert"
    side: SideIndex
    of: EventIndex

    def check(self, state: State) -> None:
        require_side(state, self.side)
        if self.of not in state.disputed:
            raise Illegal("not-disputed")

    def effect(self, state: State) -> State:
        return replace(state, disputed=tuple(index for index in state.disputed if index != self.of))


@dataclass(frozen=True, slots=True)
class Uebernahme(Statement):
    """From now on the phone that signs this speaks for the other side, by the link `link`."""

    do = "uebernahme"  # authorised by its key, not by the score
    link: Annotated[str, code(20)]


@dataclass(frozen=True, slots=True)
class Loeschung(Statement):
    """A person's name was erased; `sealed` lists the entries and their new hashes."""

    do = "loeschung"  # recorded by the operator of the server; no key allows it
    sealed: Annotated[tuple[str, ...], listed(code(140), 100_000)]


@dataclass(frozen=True, slots=True)
class Preis(Statement):
    """The table's price: `amount` in cents or in whole rounds of drinks; 0: no price."""

    do = "preis"  # any side may set it; the newest counts
    amount: Annotated[int, integer(0, 999_999)]
    unit: Annotated[str, one_of(*UNITS)]
    per: Annotated[str, one_of(*PER)]

    def effect(self, state: State) -> State:
        price = Price(self.amount, self.unit, self.per) if self.amount else None
        return replace(state, price=price)
