"""Reading and writing the record, the one format of screen, store, file and test.

A record is a head (rules, sides, what was taken over from paper) and the events in the order
they were recorded. docs/record.md is the contract; this module is its only reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from scorer.engine.input.fields import Unreadable, flag, name, one_of, or_none, whole
from scorer.engine.rules.loading import named, turned
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.events import parse, read_sides
from scorer.engine.scoring.state import Side, State
from scorer.engine.scoring.tally import start
from scorer.engine.translatable import N_

VERSION: Final = 1
_FLAGS: Final = {"cut", "answers"}
_HEAD: Final = _FLAGS | {
    *("watten", "rules", "variant", "set", "sides", "start", "dealer", "resolved", "look_back"),
    "salt",
}
LOOK_BACK: Final = ("after", "always", "never")
"""When no game is running, during play too, or not at all."""
_MOST_EVENTS: Final = 100_000
_TOO_MANY: Final = N_("must be a list of at most {most} events")


@dataclass(frozen=True, slots=True)
class Head:
    """Everything of a record that stands before its first event."""

    rules: RuleSet
    sides: tuple[Side, ...]
    points: tuple[int, ...]
    bummerl: tuple[int, ...]
    dealer: str | None = None
    cut: bool = False
    """Nothing is written after the cut: once the next round has an event, a change to an earlier
    one needs the other side's yes."""
    answers: bool = False
    """The other side may raise and answer raises with its own key; else only the writer may."""
    look_back: str = LOOK_BACK[0]
    """When the table may see what scores and raises were worth."""

    def start(self) -> State:
        """The state before the first event."""
        return start(self.rules, self.sides, self.points, self.bummerl, self.dealer)

    def to_json(self) -> dict[str, Any]:
        """The head as the record writes it, with the whole resolved rule set."""
        data: dict[str, Any] = {
            "watten": VERSION,
            "rules": self.rules.id,
            "variant": self.rules.variant,
            "set": turned(self.rules),
            "sides": [side.to_json() for side in self.sides],
            "start": {"points": list(self.points), "bummerl": list(self.bummerl)},
            "resolved": self.rules.to_json(),
        }
        if self.dealer is not None:
            data["dealer"] = self.dealer
        if self.cut:
            data["cut"] = True
        if self.answers:
            data["answers"] = True
        if self.look_back != LOOK_BACK[0]:
            data["look_back"] = self.look_back
        return data


def read(data: Any) -> tuple[Head, list[Any]]:
    """A record's head, and its events as recorded (each still to be read by `parse`).

    :raises Unreadable: where and why this is no record
    """
    if not isinstance(data, Mapping):
        raise Unreadable("record", N_("must be an object"))
    head = read_head({key: value for key, value in data.items() if key != "events"})
    events = data.get("events", [])
    if not isinstance(events, list) or len(events) > _MOST_EVENTS:
        raise Unreadable("events", _TOO_MANY, most=_MOST_EVENTS)
    for index, event in enumerate(events):
        parse(event, f"events[{index}]")
    return head, events


def read_head(data: Mapping[str, Any]) -> Head:
    """A record's head.

    >>> read_head({"watten": 1, "rules": "bayern"}).points
    (0, 0)
    >>> read_head({"watten": 2, "rules": "bayern"})
    Traceback (most recent call last):
    scorer.engine.input.fields.Unreadable: watten: must be 1, the version of this format

    :raises Unreadable: the field and the reason
    """
    if data.get("watten") != VERSION:
        raise Unreadable("watten", N_("must be 1, the version of this format"))
    if unknown := sorted(set(data) - _HEAD):
        raise Unreadable(unknown[0], N_("a record has no such field"))
    rules = named(data)
    sides = _sides(data)
    points, bummerl = _start(data, len(sides), rules.target)
    cut, answers = _switch(data, "cut"), _switch(data, "answers")
    when = or_none(one_of(*LOOK_BACK))("look_back", data.get("look_back")) or LOOK_BACK[0]
    head = Head(rules, sides, points, bummerl, _dealer(data), cut, answers, when)
    if head.dealer is not None and head.start().dealer is None:
        raise Unreadable("dealer", N_("nobody called {name} sits at this table"), name=head.dealer)
    return head


def moment(entry: Mapping[str, Any]) -> datetime | None:
    """When something was recorded; None where an entry from elsewhere says no time of ours.

    >>> moment({"at": "2026-13-01"}), moment({})
    (None, None)
    """
    try:
        return datetime.fromisoformat(entry.get("at", "")).astimezone()
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _switch(data: Mapping[str, Any], name: str) -> bool:
    return or_none(flag)(name, data.get(name)) or False


def _sides(data: Mapping[str, Any]) -> tuple[Side, ...]:
    if data.get("sides") is not None:
        return read_sides("sides", data["sides"])
    points = data["start"].get("points") if isinstance(data.get("start"), Mapping) else None
    return (Side(),) * (3 if isinstance(points, list) and len(points) == 3 else 2)


def _start(
    data: Mapping[str, Any], count: int, target: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    taken = {} if data.get("start") is None else data["start"]
    if not isinstance(taken, Mapping) or set(taken) - {"points", "bummerl"}:
        raise Unreadable("start", N_("must have points and bummerl, and nothing else"))
    return (
        _figures("start.points", taken.get("points"), count, target - 1),
        _figures("start.bummerl", taken.get("bummerl"), count, 999),
    )


def _figures(where: str, value: Any, count: int, highest: int) -> tuple[int, ...]:
    if value is None:
        return (0,) * count
    if not isinstance(value, list) or len(value) != count:
        raise Unreadable(where, N_("must be a list of {count} numbers, one a side"), count=count)
    return tuple(whole(0, highest)(f"{where}[{at}]", item) for at, item in enumerate(value))


def _dealer(data: Mapping[str, Any]) -> str | None:
    dealer = data.get("dealer")
    return None if dealer is None or dealer == "" else name("dealer", dealer)
