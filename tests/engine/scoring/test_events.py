"""Every kind of event has all of its parts."""

import ast
import dataclasses
from pathlib import Path

import pytest

from scorer import engine
from scorer.engine import (
    REGIONS,
    Absage,
    Event,
    Korrektur,
    Side,
    Sitzordnung,
    Vorschlag,
    Zusage,
    load,
    start,
)
from scorer.engine.scoring import kinds
from scorer.engine.scoring.events import EVENTS, READERS
from scorer.engine.telling.sentences import REASONS, REFUSALS

ABOUT_THE_RECORD = (Korrektur, Vorschlag, Zusage, Absage)
SCORING = Path(kinds.__file__).parent.parent
every_kind = pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)


def _classes():
    """The names of the classes in kinds/ that have a name in the record."""
    for path in (SCORING / "kinds").glob("*.py"):
        for node in ast.parse(path.read_text()).body:
            named = isinstance(node, ast.ClassDef) and any(
                isinstance(line, ast.Assign) and line.targets[0].id == "do" for line in node.body
            )
            if named:
                yield node.name


def test_every_class_is_listed():
    assert sorted(kind.__name__ for kind in EVENTS.values()) == sorted(_classes())


@every_kind
def test_it_says_when_it_is_legal_and_what_it_does(kind):
    judged = kind.check is not Event.check and kind.effect is not Event.effect
    assert judged != (kind in ABOUT_THE_RECORD)


@every_kind
def test_a_screen_offers_what_belongs_to_the_play_and_names_nobody(kind):
    some = [start(load(region), [Side()] * 3) for region in REGIONS]
    offered = [event for state in some for event in kind.candidates(state)]
    silent = kind.aside or kind in (Korrektur, Sitzordnung)
    assert bool(offered) != silent
    assert all(type(event) is kind for event in offered)


@every_kind
def test_its_fields_are_read_and_the_engine_offers_it(kind):
    assert {field.name for field in dataclasses.fields(kind)} <= set(READERS)
    assert getattr(engine, kind.__name__) is kind
    assert kind.__name__ in engine.__all__


def _codes(call):
    """The codes that the calls of `call` in scoring/ name in plain text."""
    for path in SCORING.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call:
                yield from (arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant))


@pytest.mark.parametrize(("call", "words"), [("Illegal", REFUSALS), ("Reason", REASONS)])
def test_every_reason_and_refusal_has_its_sentence(call, words):
    codes = set(_codes(call))
    assert codes
    assert codes <= set(words)


def test_what_is_about_the_record_does_not_apply_to_a_state():
    with pytest.raises(TypeError):
        engine.apply(start(load("bayern")), Korrektur(0))
