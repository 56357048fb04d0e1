"""The scoring functions: `start` a game, list `legal` events, `apply` an event.

`apply` accepts every event that `legal` lists, and also those that `legal` leaves out: other stakes
and points, statements, and events that name players. States are immutable: `apply` returns the next
one, with the reasons of the change in `because`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import fields
from functools import wraps
from operator import attrgetter
from typing import Final, TypeVar

from scorer.engine.aggregate import Illegal, replace
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.events import EVENTS
from scorer.engine.scoring.round_lifecycle import begin_round, deal_to
from scorer.engine.scoring.stakes import base_reason
from scorer.engine.scoring.state import Side, State

T = TypeVar("T")


def start(
    rules: RuleSet,
    sides: Sequence[Side] = (Side(), Side()),
    points: Sequence[int] = (),
    bummerl: Sequence[int] = (),
    dealer: str | None = None,
) -> State:
    """The state before the first event.

    :param points: points taken over from paper, below the target
    :param bummerl: Bummerl so far, per side

    >>> from scorer.engine.rules.loading import rules_of
    >>> start(rules_of("oberoesterreich"), points=(7, 0)).near
    (True, False)
    """
    count = len(sides)
    state = State(
        rules=rules,
        opening_reason=base_reason(rules),
        sides=tuple(sides),
        points=tuple(points) or (0,) * count,
        bummerl=tuple(bummerl) or (0,) * count,
        sits_out=2 if count == 3 else None,
        strikes=(0,) * count,
        retour_chances=((),) * count,
    )
    return begin_round(deal_to(state, None if dealer is None else state.seat_of(dealer)))


def check(state: State, event: Event) -> None:
    """Validate `event` against `state`.

    :raises Illegal: with code, rule ids and values of the first rule that refuses it
    """
    event.check(state)


def is_legal(state: State, event: Event) -> bool:
    """Whether `apply` would accept `event`."""
    try:
        event.check(state)
    except Illegal:
        return False
    return True


UNREAD_FIELDS: Final = frozenset(
    {
        "sides",
        "bummerl",
        "game",
        "round",
        "games",
        "dealer",
        "price",
        "because",
        "schlag",
        "trumpf",
        "roles_swapped",
        "schoenere",
        "agreeing_sides",
        "confirmations",
        "disputed",
    }
)
"""State fields that no event's `candidates` or `check` reads; all others are part of the position.
`tests/engine/scoring/test_position_cache.py` enforces it.
"""
_PARTLY_READ: Final = {"opening_reason": "opening_reason.code"}
"""Fields of which only a part is read."""
_read_fields: Final = attrgetter(
    *(
        _PARTLY_READ.get(field.name, field.name)
        for field in fields(State)
        if field.name not in UNREAD_FIELDS
    )
)


def position(state: State) -> Hashable:
    """The part of a state that decides what is legal and what it scores, as a hashable value.

    Independent of the players and of earlier games.

    >>> from scorer.engine import Gewinnt, NeuesSpiel, rules_of
    >>> state = start(rules_of("bayern"), sides=(Side("Anna"), Side("Berta")), points=(12, 4))
    >>> state = apply(apply(state, Gewinnt(0, stake=3)), NeuesSpiel())
    >>> state.bummerl, position(state) == position(start(rules_of("bayern")))
    ((0, 1), True)
    """
    fields: Hashable = _read_fields(state)
    return fields


MAX_POSITIONS: Final = 4096
"""Cache limit; an evening has about fifty positions, a rule set some hundreds."""


def by_position(function: Callable[[State], T]) -> Callable[[State], T]:
    """Decorator: cache the results of a function by `position`."""
    cache: dict[Hashable, T] = {}

    @wraps(function)
    def cached(state: State) -> T:
        key = position(state)
        try:
            return cache[key]
        except KeyError:
            answer = function(state)
        if len(cache) >= MAX_POSITIONS:
            cache.clear()
        cache[key] = answer
        return answer

    return cached


@by_position
def legal(state: State) -> tuple[Event, ...]:
    """Every legal event, one of each kind.

    Three events represent a range: a `gewinnt` may have any `stake` of `possible_stakes` and 3 to 5
    `tricks`, a `strafe` of `sonstige` any number of points, an `ansage` both fields. A blind round
    lists no `ansage`, though `apply` accepts recorded ones (`reveals_blind_trump`). Events that
    name players (`dealer`, `sitzordnung`) and statements (`einig`, `bestaetigt`, `strittig` ...)
    are not listed.

    >>> from scorer.engine import rules_of, start
    >>> [event.to_json() for event in legal(start(rules_of("bayern"), points=(13, 6)))][:2]
    [{'do': 'bleiben', 'side': 0}, {'do': 'gehen', 'side': 0}]
    """
    return tuple(
        event
        for kind in EVENTS.values()
        for event in kind.candidates(state)
        if is_legal(state, event)
    )


def apply(state: State, event: Event) -> State:
    """The state after `event`, with the reasons of the change in `because`.

    >>> from scorer.engine import Bieten, Bleiben, Gehen, rules_of
    >>> state = start(rules_of("oberoesterreich"))
    >>> for event in (Bieten(0), Bleiben(1), Bieten(1), Gehen(0)):
    ...     state = apply(state, event)
    >>> state.points, state.because[0].rule_ids
    ((0, 3), ('O-45', 'U15'))

    :raises Illegal: the rules refuse it
    """
    check(state, event)
    # Statements keep the reasons of the last change.
    before = state if event.is_statement else replace(state, because=())
    return event.effect(before)
