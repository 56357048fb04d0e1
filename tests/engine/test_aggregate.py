"""A new kind of event needs only a class: reading, writing and schema follow from it."""

from dataclasses import dataclass
from types import ModuleType
from typing import Annotated

import pytest

from scorer.engine import Unreadable
from scorer.engine.aggregate import METADATA, Event, EventClasses, defined_in
from scorer.engine.input.field_readers import integer, text


@dataclass(frozen=True, slots=True)
class Applaus(Event[int]):
    """The hall applauds."""

    do = "applaus"
    seconds: Annotated[int, integer(1, 60)]
    whom: Annotated[str | None, text(20)] = None
    standing: bool = False

    def effect(self, state: int) -> int:
        return state + self.seconds


@pytest.fixture
def kinds():
    module = ModuleType(__name__)
    module.Applaus, module.Event = Applaus, Event
    found = EventClasses()
    found.add(defined_in(module))
    return found


def test_event_class_reads_and_writes_json(kinds):
    data = {"do": "applaus", "seconds": 3, "standing": True}
    event = kinds.read({**data, "at": "now", "whom": None})
    assert event == Applaus(3, standing=True)
    assert event.to_json() == data
    assert event.effect(4) == 7


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ({}, "seconds"),
        ({"seconds": None}, "seconds"),
        ({"seconds": 61}, "seconds"),
        ({"seconds": 3.5}, "seconds"),
        ({"seconds": 3, "whom": "x" * 21}, "whom"),
        ({"seconds": 3, "standing": 1}, "standing"),
        ({"seconds": 3, "loud": True}, "loud"),
        ({"seconds": 3, "note": 7}, "note"),
        ({"seconds": 3, "do": "pfiff"}, "do"),
        ({"seconds": 3, "do": ["applaus"]}, "do"),
    ],
)
def test_invalid_field_is_refused_with_its_path(kinds, said, where):
    with pytest.raises(Unreadable) as refusal:
        kinds.read({"do": "applaus", **said}, "events[2]")
    assert refusal.value.where == f"events[2].{where}"


def test_event_schema_lists_its_fields(kinds):
    schema = kinds.schema(Applaus)
    assert schema["description"] == "The hall applauds."
    assert schema["required"] == ["do", "seconds"]
    assert set(schema["properties"]) == {"do", "seconds", "whom", "standing", *METADATA}
    assert schema["properties"]["seconds"] == integer(1, 60).schema
