"""Every kind of event has all of its parts."""

import ast
import dataclasses
from dataclasses import dataclass
from pathlib import Path

import pytest

from scorer import engine
from scorer.engine import (
    REGIONS,
    Absage,
    Evening,
    Event,
    Illegal,
    Korrektur,
    Side,
    Sitzordnung,
    Unreadable,
    Vorschlag,
    Zusage,
    read_head,
    rules_of,
    start,
)
from scorer.engine.aggregate import replace
from scorer.engine.scoring import event_types
from scorer.engine.scoring.event_types.event import EVENT_CLASSES, SideIndex
from scorer.engine.scoring.events import EVENTS, fields_of, schema
from scorer.engine.telling.english_sentences import REASONS, REFUSALS

ABOUT_THE_RECORD = (Korrektur, Vorschlag, Zusage, Absage)
SCORING = Path(event_types.__file__).parent.parent
every_kind = pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)


def _classes():
    """The names of the classes in event_types/ that set `do`, their name in records."""
    for path in (SCORING / "event_types").glob("*.py"):
        for node in ast.parse(path.read_text()).body:
            lines = node.body if isinstance(node, ast.ClassDef) else ()
            if any(isinstance(one, ast.Assign) and one.targets[0].id == "do" for one in lines):
                yield node.name


def test_every_event_class_is_registered():
    assert sorted(kind.__name__ for kind in EVENTS.values()) == sorted(_classes())


@every_kind
def test_event_kind_defines_its_legality_check(kind):
    assert (kind.check is not Event.check) != (kind in ABOUT_THE_RECORD)


@every_kind
def test_only_play_events_have_candidates(kind):
    some = [start(rules_of(region), [Side()] * 3) for region in REGIONS]
    offered = [event for state in some for event in kind.candidates(state)]
    silent = kind.is_statement or kind in (Korrektur, Sitzordnung)
    assert bool(offered) != silent
    assert all(type(event) is kind for event in offered)


@every_kind
def test_event_kind_reads_all_its_fields(kind):
    assert len(fields_of(kind.do)) == len(dataclasses.fields(kind))


@dataclass(frozen=True, slots=True)
class Applaus(Event):
    """The hall applauds a side."""

    do = "applaus"
    side: SideIndex
    loud: bool = False

    def check(self, state):
        if self.side == state.sits_out:
            raise Illegal("sits-out", side=self.side)

    def effect(self, state):
        return replace(state, schlag="A" if self.loud else state.schlag)

    @staticmethod
    def candidates(state):
        return (Applaus(side) for side in state.side_indices)


def test_new_event_needs_only_its_class(monkeypatch):
    monkeypatch.setitem(EVENT_CLASSES.by_name, Applaus.do, Applaus)
    evening = Evening(read_head({"watten": 1, "rules": "bayern"}))
    loud = {"do": "applaus", "side": 1, "loud": True}
    assert evening.push({**loud, "note": "bravo"}).schlag == "A"
    assert evening.push(evening.undo_correction().to_json()).schlag is None
    assert evening.push(evening.redo_correction().to_json()).schlag == "A"
    quiet = {"do": "korrektur", "of": 0, "with": {**loud, "loud": False}}
    assert evening.push(quiet).schlag is None
    assert evening.recorded[0] == {**loud, "note": "bravo"}
    assert evening.steps[0].event.to_json() == {"do": "applaus", "side": 1}
    with pytest.raises(Unreadable, match="loud: must be true or false"):
        evening.push({**loud, "loud": 3})
    assert schema(Applaus)["properties"]["side"]["maximum"] == 2


def _codes(call):
    """The codes that calls of the function `call` in scoring/ contain as string constants."""
    for path in SCORING.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call:
                yield from (arg.value for arg in node.args[:2] if isinstance(arg, ast.Constant))


SENTENCES = [("Illegal", REFUSALS), ("refusal", REFUSALS), ("reason", REASONS)]


@pytest.mark.parametrize(("call", "words"), SENTENCES)
def test_reasons_and_refusals_have_sentences(call, words):
    codes = set(_codes(call))
    assert codes
    assert codes <= set(words)


def test_correction_cannot_be_applied_to_a_state():
    with pytest.raises(TypeError):
        engine.apply(start(rules_of("bayern")), Korrektur(0))
