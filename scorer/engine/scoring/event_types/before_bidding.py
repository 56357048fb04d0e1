"""Announcement, better cards, seating, dealing and the next game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final

from scorer.engine.aggregate import Illegal, replace
from scorer.engine.input.field_readers import name, one_of
from scorer.engine.rules.cards import SCHLAEGE, SUITS
from scorer.engine.rules.grounds import Reason, reason, refusal
from scorer.engine.scoring.event_types.event import Event, SideIndex
from scorer.engine.scoring.preconditions import (
    require_playing_side,
    require_running_game,
    require_side,
)
from scorer.engine.scoring.round_lifecycle import (
    begin_round,
    deal_to,
    next_dealer_seat,
    rotate_sitting_out,
)
from scorer.engine.scoring.seat_roles import redeals_all_hands
from scorer.engine.scoring.state import Side, State, read_sides, with_reasons


@dataclass(frozen=True, slots=True)
class Ansage(Event):
    """Announces Schlag, trump or both."""

    do = "ansage"
    schlag: Annotated[str | None, one_of(*SCHLAEGE)] = None
    trumpf: Annotated[str | None, one_of(*SUITS)] = None

    def check(self, state: State) -> None:
        require_running_game(state)
        if self.schlag is None and self.trumpf is None:
            raise Illegal("nothing-announced")
        if self.schlag == "6" and state.rules.deck != 33:
            raise refusal(state.rules, "no-such-schlag", {"schlag": self.schlag})

    def effect(self, state: State) -> State:
        schlag = self.schlag if self.schlag is not None else state.schlag
        trumpf = self.trumpf if self.trumpf is not None else state.trumpf
        return replace(state, schlag=schlag, trumpf=trumpf, round_is_new=False)

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        # A blind round's announcement is recorded after the round, by a correction.
        return () if state.rules.blind else _ANNOUNCEMENTS


_ANNOUNCEMENTS: Final = (
    *(Ansage(schlag=schlag) for schlag in SCHLAEGE),
    *(Ansage(trumpf=suit) for suit in SUITS),
)


@dataclass(frozen=True, slots=True)
class Schoenere(Event):
    """A side asked for better cards; `agreed`: the other announcer said yes."""

    do = "schoenere"
    side: SideIndex
    agreed: bool

    def check(self, state: State) -> None:
        _require_in_time(state, "schoenere", self.side)

    def effect(self, state: State) -> State:
        state, answer = replace(state, round_is_new=False), _answer_reason(state, self)
        if not self.agreed:
            return with_reasons(state, answer)
        # New cards need a new announcement.
        state = replace(state, schoenere=state.schoenere + 1, schlag=None, trumpf=None)
        state = with_reasons(state, answer)
        if not redeals_all_hands(state.rules, state.schoenere):
            return state
        return with_reasons(state, reason(state.rules, "schoenere-all", {"side": self.side}))

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        sides = state.side_indices if state.rules.schoenere else ()
        return (Schoenere(side, agreed) for side in sides for agreed in (True, False))


@dataclass(frozen=True, slots=True)
class Schlagtausch(Event):
    """A side asked to swap the announcers' roles."""

    do = "schlagtausch"
    side: SideIndex
    agreed: bool

    def check(self, state: State) -> None:
        _require_in_time(state, "schlagtausch", self.side)

    def effect(self, state: State) -> State:
        roles_swapped = state.roles_swapped != self.agreed
        return with_reasons(
            replace(state, round_is_new=False, roles_swapped=roles_swapped),
            _answer_reason(state, self),
        )

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        sides = state.side_indices if state.rules.schlagtausch else ()
        return (Schlagtausch(side, agreed) for side in sides for agreed in (True, False))


def _require_in_time(state: State, field: str, side: int) -> None:
    rules = state.rules
    require_playing_side(state, side)
    if not getattr(rules, field):
        raise refusal(rules, f"no-{field}")
    if state.raiser is not None:
        raise refusal(rules, "too-late", {}, f"{field}-yes")
    if state.decision_made and getattr(rules, f"{field}_until") == "decision":
        raise refusal(rules, "too-late", {}, f"{field}-yes", f"until-{field}")


def _answer_reason(state: State, event: Schoenere | Schlagtausch) -> Reason:
    code = f"{event.do}-{'yes' if event.agreed else 'no'}"
    return reason(state.rules, code, {"side": event.side})


@dataclass(frozen=True, slots=True)
class NeuesSpiel(Event):
    """The next game of the evening; `dealer` is a player's name."""

    do = "neues_spiel"
    dealer: Annotated[str | None, name] = None

    def check(self, state: State) -> None:
        if state.winner is None:
            raise refusal(state.rules, "game-running")
        _require_known_player(state, self.dealer)

    def effect(self, state: State) -> State:
        count = len(state.points)
        if self.dealer is not None:
            dealer = state.seat_of(self.dealer)
        else:
            dealer = next_dealer_seat(state) if state.rules.next_game_dealer == "turn" else None
        state = replace(
            state,
            points=(0,) * count,
            strikes=(0,) * count,
            retour_chances=((),) * count,
            winner=None,
            game=state.game + 1,
            round=1,
        )
        return begin_round(deal_to(rotate_sitting_out(state), dealer))

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        yield NeuesSpiel()


@dataclass(frozen=True, slots=True)
class SetztAus(Event):
    """The side sits out this round; only with three sides."""

    do = "setzt_aus"
    side: SideIndex

    def check(self, state: State) -> None:
        require_side(state, self.side)
        require_running_game(state)
        if state.sits_out is None:
            raise refusal(state.rules, "nobody-sits-out")
        if not state.round_is_new:
            raise refusal(state.rules, "round-begun")

    def effect(self, state: State) -> State:
        seat, by_turn = state.dealer, state.rules.sits_out_by == "turn"
        if seat is not None and not by_turn and state.seats[seat][0] == self.side:
            # The dealer's side never sits out, so the deal passes on (R1b).
            state = replace(state, dealer=next_dealer_seat(state))
        return begin_round(replace(state, sits_out=self.side))

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (SetztAus(side) for side in state.side_indices if state.sits_out is not None)


@dataclass(frozen=True, slots=True)
class Sitzordnung(Event):
    """Changes the seats or the dealer from now on; all points stay."""

    do = "sitzordnung"
    sides: Annotated[tuple[Side, ...] | None, read_sides] = None
    dealer: Annotated[str | None, name] = None

    def check(self, state: State) -> None:
        if self.sides is None and self.dealer is None:
            raise Illegal("nothing-changed")
        if self.sides is not None and len(self.sides) != len(state.points):
            raise Illegal("other-number-of-sides", sides=len(state.points))
        if self.sides is None:
            _require_known_player(state, self.dealer)
        elif self.dealer is not None:
            names = {name for side in self.sides for name in (side.name, *side.players)}
            if self.dealer not in names:
                raise Illegal("no-such-player", dealer=self.dealer)
        _require_dealer_plays(state, self)

    def effect(self, state: State) -> State:
        if self.sides is not None:
            state = replace(state, sides=self.sides)
            if state.dealer is not None:
                state = replace(state, dealer=state.dealer % len(state.seats))
        if self.dealer is None:
            return state
        seat = state.seat_of(self.dealer)
        if not state.round_is_new:
            return replace(state, dealer=seat)
        with_dealer = deal_to(state, seat)
        return with_dealer if with_dealer.sits_out == state.sits_out else begin_round(with_dealer)


def _require_dealer_plays(state: State, event: Sitzordnung) -> None:
    """Refuse a dealer whose side sits out the running round of three."""
    has_begun = state.winner is None and not state.round_is_new
    if not has_begun or event.dealer is None or state.rules.sits_out_by == "turn":
        return
    new_seating = state if event.sides is None else replace(state, sides=event.sides)
    seat = new_seating.seat_of(event.dealer)
    if seat is not None and new_seating.seats[seat][0] == state.sits_out:
        raise refusal(state.rules, "sits-out", {"side": state.sits_out}, "dealer-plays")


def _require_known_player(state: State, dealer: str | None) -> None:
    if dealer is not None and state.seat_of(dealer) is None:
        raise Illegal("no-such-player", dealer=dealer)
