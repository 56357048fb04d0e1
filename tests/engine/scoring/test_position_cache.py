"""Answers cached for a position depend on nothing that the position leaves out."""

import sys
from dataclasses import fields
from types import SimpleNamespace

from hypothesis import given

from scorer.engine import Illegal, NeuesSpiel, Sitzordnung, State
from scorer.engine.aggregate import replace
from scorer.engine.scoring.events import EVENTS
from scorer.engine.scoring.transitions import UNREAD_FIELDS
from tests.engine.strategies import any_event, evenings
from tests.sampling import examples

PLAYED = [kind for kind in EVENTS.values() if not kind.is_statement and kind is not Sitzordnung]


class Guarded(State):
    """A state whose fields outside the position may be copied, but not read."""

    def __getattribute__(self, name):
        copied = sys._getframe(1).f_code is replace.__code__
        assert copied or name not in UNREAD_FIELDS, f"an event reads {name}"
        value = super().__getattribute__(name)
        if name != "opening_reason" or copied:
            return value
        # Of the values, an event reads only which there are.
        return SimpleNamespace(
            code=value.code, house_rules=value.house_rules, values=value.values.keys()
        )


def guarded(state):
    copy = object.__new__(Guarded)
    for field in fields(State):
        object.__setattr__(copy, field.name, getattr(state, field.name))
    return copy


@examples(100)
@given(evenings(statements=True), any_event().filter(lambda event: type(event) in PLAYED))
def test_events_read_only_the_position(evening, event):
    state = guarded(evening.state)
    # A dealer's name is looked up among the seats, which are outside the position.
    asked = [NeuesSpiel() if isinstance(event, NeuesSpiel) else event]
    for kind in EVENTS.values():
        asked += kind.candidates(state)
    for possible in asked:
        try:
            possible.check(state)
        except Illegal as refusal:
            assert refusal.code


def test_unread_names_are_state_fields():
    assert {field.name for field in fields(State)} >= UNREAD_FIELDS
