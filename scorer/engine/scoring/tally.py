"""The scoring machine: `start` a game, `apply` one event after another.

`apply` never changes a state; it returns the next one, with the reasons of every change in
`because`, or raises `Illegal` and nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from scorer.engine.rules.ruleset import PENALTY_FIELDS, RuleSet
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
    Side,
    Sitzordnung,
    Strafe,
    Streichen,
    Strittig,
    Uebernahme,
)
from scorer.engine.scoring.legality import check
from scorer.engine.scoring.procedure import all_redeal, next_dealer, sits_out
from scorer.engine.scoring.state import Game, Raise, Reason, State
from scorer.engine.scoring.worth import (
    asked,
    base_value,
    fold_value,
    four_leader,
    next_raise,
    opening_value,
)

KINDS: Final = ("einfach", "schneider", "retourschneider", "verleugnet")


def start(
    rules: RuleSet,
    sides: Sequence[Side] = (Side(), Side()),
    points: Sequence[int] = (),
    bummerl: Sequence[int] = (),
    dealer: str | None = None,
) -> State:
    """The state before the first event.

    :param points: taken over from paper, below the target
    :param bummerl: the Bummerl each side already has

    >>> from scorer.engine.rules.ruleset import load
    >>> start(load("oberoesterreich"), points=(7, 0)).near
    (True, False)
    """
    count = len(sides)
    state = State(
        rules=rules,
        opening=base_value(rules),
        sides=tuple(sides),
        points=tuple(points) or (0,) * count,
        bummerl=tuple(bummerl) or (0,) * count,
        sits_out=2 if count == 3 else None,
        strikes=(0,) * count,
        retour=((),) * count,
    )
    return _begin(_dealt(state, None if dealer is None else state.seat_of(dealer)))


def apply(state: State, event: Event) -> State:
    """The state after `event`, with its reasons in `because`.

    >>> from scorer.engine.rules.ruleset import load
    >>> state = start(load("oberoesterreich"))
    >>> for event in (Bieten(0), Bleiben(1), Bieten(1), Gehen(0)):
    ...     state = apply(state, event)
    >>> state.points, state.because[0].rules
    ((0, 3), ('O-45', 'U15'))

    :raises Illegal: the rules refuse it
    """
    check(state, event)
    # What is said aside changes nothing, so the reasons of the last change still stand.
    before = state if event.aside else replace(state, because=())
    return _EFFECTS[type(event)](before, event)


# The course of a round


def _begin(state: State) -> State:
    """A round before its first event: its value, who is asked, who could turn it all round."""
    state = replace(
        state,
        stake=state.rules.base,
        open_raise=None,
        raiser=None,
        undecided=(),
        fresh=True,
        schlag=None,
        trumpf=None,
        swapped=False,
        schoenere=0,
        four=four_leader(state),
    )
    opening = opening_value(state)
    stake = int(opening.values["value"])
    return _latch(replace(state, opening=opening, stake=stake, undecided=asked(state)))


def _latch(state: State) -> State:
    """Remember for the rest of the game who stood at 0 against a near side (O-53, U6)."""
    if not state.rules.retour:
        return state
    near, retour = state.near, list(state.retour)
    for side, points in enumerate(state.points):
        against = {other for other in range(len(near)) if near[other] and other != side}
        if points == 0 and not against <= set(retour[side]):
            cites = state.rules.cite("retour")
            for other in sorted(against.difference(retour[side])):
                chance = {"side": side, "other": other}
                state = _because(state, Reason("retour-chance", cites, chance))
            retour[side] = tuple(sorted(against.union(retour[side])))
    return replace(state, retour=tuple(retour))


def _because(state: State, *reasons: Reason) -> State:
    return replace(state, because=state.because + reasons)


def _award(
    state: State, side: int, delta: int, code: str, cites: tuple[str, ...], **values: int | str
) -> State:
    """Write `delta` points to `side`, and say so."""
    rules, before = state.rules, state.points[side]
    state = _because(state, Reason(code, cites, {"side": side, "delta": delta, **values}))
    if rules.cap_at_target and before + delta > rules.target:
        over = before + delta - rules.target
        capped = {"side": side, "delta": -over, "target": rules.target}
        state = _because(state, Reason("capped", rules.cite("cap_at_target"), capped))
        delta -= over
    points = tuple(p + delta if s == side else p for s, p in enumerate(state.points))
    state = replace(state, points=points)
    if state.near[side] and not rules.is_near(before):
        near = Reason("near", rules.cite("near"), {"side": side, "points": points[side]})
        state = _because(state, near)
    return state


def _opened(state: State) -> State:
    """Say why the round was worth more than the base from its start, where that was written."""
    return state if state.opening.code == "base" else _because(state, state.opening)


def _won(state: State) -> int | None:
    for side, points in enumerate(state.points):
        if points >= state.rules.target:
            return side
    return None


def _end_round(state: State) -> State:
    """The game's end if a side reached the target, else the next round."""
    winner = _won(state)
    if winner is not None:
        state = _because(
            state,
            Reason(
                "game-won",
                state.rules.cite("target"),
                {"side": winner, "target": state.rules.target},
            ),
        )
        return _finish(state, winner, _marks(state, winner))
    return _begin(_dealt(_turned(replace(state, round=state.round + 1)), _next_seat(state)))


def _next_seat(state: State) -> int | None:
    if state.dealer is None:
        return None
    return next_dealer(state.rules, len(state.seats), state.dealer)


def _turned(state: State) -> State:
    """With three sides, another one sits out (R1)."""
    if state.sits_out is None:
        return state
    return replace(state, sits_out=(state.sits_out + 1) % len(state.points))


def _dealt(state: State, seat: int | None) -> State:
    """The seat that deals; of three sides it settles who sits out (R1b)."""
    state = replace(state, dealer=seat)
    if seat is None or state.sits_out is None or state.rules.sits_out_by == "turn":
        return state
    out = sits_out(state.rules, len(state.points), state.seats[seat][0])
    return replace(state, sits_out=out)


# The end of a game


def _marks(state: State, winner: int) -> dict[int, tuple[str, int]]:
    """What each loser gets: the kind of loss and its Bummerl (O-53 to O-55, U18, R1)."""
    rules, points = state.rules, state.points
    losers = [side for side in range(len(points)) if side != winner]
    if rules.marks_three == "last":
        last = min(points[side] for side in losers)
        losers = [side for side in losers if points[side] == last]
    marks = {}
    for side in losers:
        if rules.retour and side in state.retour[winner]:
            marks[side] = ("retourschneider", rules.retour)
        elif rules.schneider and points[side] == 0:
            marks[side] = ("schneider", rules.schneider)
        else:
            marks[side] = ("einfach", 1)
    return marks


def _finish(state: State, winner: int, marks: dict[int, tuple[str, int]]) -> State:
    """Close the game: Bummerl to the losers, and nothing of a round stands open."""
    rules = state.rules
    given = tuple(marks.get(side, ("", 0))[1] for side in range(len(state.points)))
    kind = max((mark[0] for mark in marks.values()), key=KINDS.index)
    for side, (how, count) in marks.items():
        # Who revoked is marked alone, however many sides there are.
        shared = len(state.points) == 3 and how != "verleugnet"
        cites = rules.cite(_KIND_FIELD.get(how, how), *(("marks_three",) if shared else ()))
        mark = {"side": side, "other": winner, "bummerl": count}
        state = _because(state, Reason(how, cites, mark))
    return replace(
        state,
        winner=winner,
        games=(*state.games, Game(winner, state.points, given, kind)),
        bummerl=tuple(old + new for old, new in zip(state.bummerl, given, strict=True)),
        stake=rules.base,
        open_raise=None,
        raiser=None,
        undecided=(),
        four=None,
        fresh=False,
    )


_KIND_FIELD: Final = {"retourschneider": "retour", "verleugnet": "revoke_bummerl"}
"""Where the count of a kind of loss stands, if not under its own name."""


# What each event does


def _bieten(state: State, event: Bieten) -> State:
    to = next_raise(state)
    reason = Reason("raised", state.rules.cite("step"), {"side": event.side, "to": to})
    return _because(
        replace(
            state,
            stake=state.open_raise.to if state.open_raise else state.stake,
            open_raise=Raise(event.side, to),
            raiser=event.side,
            fresh=False,
        ),
        reason,
    )


def _bleiben(state: State, event: Bleiben) -> State:
    rules = state.rules
    if state.undecided:
        plays = {"side": event.side, "value": state.stake}
        state = replace(state, undecided=state.undecided[1:], fresh=False)
        return _because(state, Reason("plays", rules.cite("decline"), plays))
    assert state.open_raise is not None
    to = state.open_raise.to
    stayed = Reason("stayed", rules.cite("answer", "step"), {"side": event.side, "to": to})
    return _because(replace(state, stake=to, open_raise=None), stayed)


def _gehen(state: State, event: Gehen) -> State:
    rules = state.rules
    if state.undecided:
        cites = rules.cite("decline_value")
        for other in state.others(event.side):
            state = _award(state, other, rules.decline_value, "declined", cites, other=event.side)
        return _end_round(state)
    assert state.open_raise is not None
    opened = state.open_raise
    value = fold_value(state, opened)
    code, cites = "fold-fixed", rules.cite("fold_value")
    if not rules.fold_value.startswith("fixed"):
        code, state = "fold-agreed", _opened(state)
    return _end_round(
        _award(state, opened.side, value, code, cites, other=event.side, to=opened.to)
    )


def _gespannt(state: State, event: Gespannt) -> State:
    value = fold_value(state, state.open_raise)
    for other in state.others(event.side):
        cites = state.rules.cite("gespannt")
        state = _award(state, other, value, "gespannt", cites, other=event.side)
    return _end_round(state)


def _gewinnt(state: State, event: Gewinnt) -> State:
    rules = state.rules
    stake = event.stake if event.stake is not None else state.stake
    raised = stake > int(state.opening.values["value"])
    code = "round-raised" if raised else "round-won"
    cites = rules.cite("step") if raised else state.opening.rules
    state = _award(_opened(state), event.side, stake, code, cites, stake=stake)
    over = (event.tricks or 3) - 3
    if over and rules.overtrick:
        cites = rules.cite("overtrick")
        state = _award(state, event.side, over * rules.overtrick, "overtricks", cites, tricks=over)
    return _end_round(state)


def _strafe(state: State, event: Strafe) -> State:
    rules = state.rules
    cites: tuple[str, ...] = ()
    cost: int | str | None = event.points
    # What a table agrees on for any other offence stands in no document.
    if event.offence != "sonstige":
        cites, cost = rules.cite(PENALTY_FIELDS[event.offence]), rules.penalty(event.offence)
    if cost == "bummerl":
        return _revoked(state, event.side)
    points = state.stake if cost == "stake" else int(cost or 0)
    state = _opened(state) if cost == "stake" else state
    for other in state.others(event.side):
        state = _award(
            state, other, points, "penalty", cites, other=event.side, offence=event.offence
        )
    if event.offence in rules.penalty_ends_round or _won(state) is not None:
        return _end_round(state)
    # Not yet dealt: what the new points mean for this round counts from its start (U3, U4).
    return _begin(state) if state.fresh else state


def _revoked(state: State, side: int) -> State:
    """The revoking side loses the game at once, its points as they stand (O-33, U8)."""
    rules = state.rules
    winner = state.others(side)[0]
    marks = {side: ("verleugnet", rules.revoke_bummerl)}
    if rules.revoke_counts_schneider:
        marks = {side: _marks(state, winner).get(side, ("einfach", 1))}
    if marks[side][0] != "verleugnet":
        state = _because(state, Reason("revoked", rules.cite("revoke"), {"side": side}))
    return _finish(state, winner, marks)


def _streichen(state: State, event: Streichen) -> State:
    side, lost = event.side, state.points[event.side]
    reason = Reason("struck", state.rules.cite("strike"), {"side": side, "delta": -lost})
    points = tuple(0 if s == side else p for s, p in enumerate(state.points))
    strikes = tuple(n + (s == side) for s, n in enumerate(state.strikes))
    return _begin(_because(replace(state, points=points, strikes=strikes), reason))


def _ansage(state: State, event: Ansage) -> State:
    schlag = event.schlag if event.schlag is not None else state.schlag
    trumpf = event.trumpf if event.trumpf is not None else state.trumpf
    return replace(state, schlag=schlag, trumpf=trumpf, fresh=False)


def _asked_for(state: State, event: Schoenere | Schlagtausch) -> State:
    code = f"{event.do}-{'yes' if event.agreed else 'no'}"
    reason = Reason(code, state.rules.cite(event.do), {"side": event.side})
    reasons = [reason]
    if event.agreed and isinstance(event, Schlagtausch):
        state = replace(state, swapped=not state.swapped)
    elif event.agreed:
        state = replace(state, schoenere=state.schoenere + 1)
        if all_redeal(state.rules, state.schoenere):
            reasons.append(
                Reason("schoenere-all", state.rules.cite("schoenere_all_at"), {"side": event.side})
            )
    return _because(replace(state, fresh=False), *reasons)


def _neues_spiel(state: State, event: NeuesSpiel) -> State:
    count = len(state.points)
    if event.dealer is not None:
        dealer = state.seat_of(event.dealer)
    else:
        dealer = _next_seat(state) if state.rules.next_game_dealer == "turn" else None
    state = replace(
        state,
        points=(0,) * count,
        strikes=(0,) * count,
        retour=((),) * count,
        winner=None,
        game=state.game + 1,
        round=1,
    )
    return _begin(_dealt(_turned(state), dealer))


def _setzt_aus(state: State, event: SetztAus) -> State:
    seat, by_turn = state.dealer, state.rules.sits_out_by == "turn"
    if seat is not None and not by_turn and state.seats[seat][0] == event.side:
        # The dealer always plays: the deal passes on (R1b).
        state = replace(state, dealer=_next_seat(state))
    return _begin(replace(state, sits_out=event.side))


def _sitzordnung(state: State, event: Sitzordnung) -> State:
    if event.sides is not None:
        state = replace(state, sides=event.sides)
        if state.dealer is not None:
            state = replace(state, dealer=state.dealer % len(state.seats))
    if event.dealer is None:
        return state
    seat = state.seat_of(event.dealer)
    if not state.fresh:
        return replace(state, dealer=seat)
    dealt = _dealt(state, seat)
    return dealt if dealt.sits_out == state.sits_out else _begin(dealt)


def _einig(state: State, event: Einig) -> State:
    return replace(state, agreed=tuple(sorted({*state.agreed, event.side})))


def _bestaetigt(state: State, event: Bestaetigt) -> State:
    said = (event.game, event.side, event.stand)
    return replace(state, confirmed=tuple(dict.fromkeys((*state.confirmed, said))))


def _preis(state: State, event: Preis) -> State:
    return replace(state, price=event if event.amount else None)


def _uebernahme(state: State, event: Uebernahme) -> State:
    return state


def _strittig(state: State, event: Strittig) -> State:
    return replace(state, disputed=(*state.disputed, event.of))


def _geklaert(state: State, event: Geklaert) -> State:
    return replace(state, disputed=tuple(of for of in state.disputed if of != event.of))


_EFFECTS: Final[dict[type[Event], Callable[[State, Any], State]]] = {
    Bieten: _bieten,
    Bleiben: _bleiben,
    Gehen: _gehen,
    Gewinnt: _gewinnt,
    Strafe: _strafe,
    Streichen: _streichen,
    Gespannt: _gespannt,
    Ansage: _ansage,
    Schoenere: _asked_for,
    Schlagtausch: _asked_for,
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
