"""Reading and writing the record: the JSON format of the API, the store, files and tests.

A record is a head (rules, sides, scores taken over from paper) and the list of events.
docs/record.md specifies it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from scorer.engine.input.codec import GIVEN, Codec
from scorer.engine.input.field_readers import (
    MAX_NOTE_LENGTH,
    Unreadable,
    integer,
    listed,
    matching,
    name,
    one_of,
    text,
)
from scorer.engine.rules.loading import changed_switches, read_rules
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.events import parse
from scorer.engine.scoring.state import Side, State, read_sides
from scorer.engine.scoring.transitions import start
from scorer.engine.translatable import N_

VERSION: Final = 1
LOOK_BACK: Final = ("after", "always", "never")
"""Between games only, during play too, or never."""
_MAX_RECORD_EVENTS: Final = 100_000
_WITNESS: Final = matching(
    "[0-9]{1,6}:[0-9a-f]{4}(-[0-9a-f]{4}){4}", N_("must be like 12:7f3a-91c2-0b4e-66d1-a902")
)
_TOO_MANY_EVENTS: Final = N_("must be a list of at most {most} events")


@dataclass(frozen=True, slots=True)
class Head:
    """The fields of a record before its events."""

    rules: Annotated[RuleSet, GIVEN]
    sides: Annotated[tuple[Side, ...], GIVEN]
    points: tuple[int, ...]
    bummerl: tuple[int, ...]
    dealer: Annotated[str | None, name] = None
    cut: bool = False
    """After the first event of the next round, changes to a round need the other side's consent."""
    answers: bool = False
    """The other side may raise and answer raises with its own key."""
    look_back: Annotated[str, one_of(*LOOK_BACK)] = LOOK_BACK[0]
    """When the table may see what scores and raises were worth."""
    note: Annotated[str, text(MAX_NOTE_LENGTH)] = ""
    """Agreements not covered by switches, such as the table's own Schermberg (R3)."""
    continues: Annotated[str, _WITNESS] = ""
    """The evening of another phone whose entries begin this record: the number of its last entry
    and that entry's short hash, as its score sheet shows them."""

    def start(self) -> State:
        return start(self.rules, self.sides, self.points, self.bummerl, self.dealer)

    def to_json(self) -> dict[str, Any]:
        """The head as JSON, with the complete rule set under `resolved`."""
        return {
            "watten": VERSION,
            "rules": self.rules.id,
            "variant": self.rules.variant,
            "set": changed_switches(self.rules),
            "sides": [side.to_json() for side in self.sides],
            "start": {"points": list(self.points), "bummerl": list(self.bummerl)},
            "resolved": self.rules.to_json(),
            **HEAD.write(self),
        }


HEAD: Final = Codec(
    Head,
    unknown=N_("a record has no such field"),
    null_is_missing=True,
    extra_names=("watten", "rules", "variant", "set", "sides", "start", "resolved", "salt"),
)
"""Codec of the independent head fields; rules, sides and scores are parsed separately."""


def read(data: Any) -> tuple[Head, list[Any]]:
    """The head of a record and its events as JSON; each event was validated by `parse`.

    :raises Unreadable: the place and the reason
    """
    if not isinstance(data, Mapping):
        raise Unreadable("record", N_("must be an object"))
    head = read_head({key: value for key, value in data.items() if key != "events"})
    events = data.get("events", [])
    if not isinstance(events, list) or len(events) > _MAX_RECORD_EVENTS:
        raise Unreadable("events", _TOO_MANY_EVENTS, most=_MAX_RECORD_EVENTS)
    for index, event in enumerate(events):
        parse(event, f"events[{index}]")
    return head, events


def read_head(data: Mapping[str, Any]) -> Head:
    """Parse the head of a record.

    >>> read_head({"watten": 1, "rules": "bayern"}).points
    (0, 0)
    >>> read_head({"watten": 2, "rules": "bayern"})
    Traceback (most recent call last):
    scorer.engine.input.field_readers.Unreadable: watten: must be 1, the version of this format

    :raises Unreadable: the field and the reason
    """
    if data.get("watten") != VERSION:
        raise Unreadable("watten", N_("must be 1, the version of this format"))
    HEAD.check_names(data)
    rules = read_rules(data)
    sides = _sides(data)
    points, bummerl = _start(data, len(sides), rules.target)
    # An empty dealer counts as none.
    fields = {key: None if (key, value) == ("dealer", "") else value for key, value in data.items()}
    head = HEAD.read(fields, rules=rules, sides=sides, points=points, bummerl=bummerl)
    if head.dealer is not None and head.start().dealer is None:
        raise Unreadable("dealer", N_("nobody called {name} sits at this table"), name=head.dealer)
    return head


def complete_head(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """A valid head as it is stored, with its rule set; unchanged if it already has `resolved`.

    >>> complete_head({"watten": 1, "rules": "bayern"})["resolved"]["values"]["target"]
    15
    """
    return data if "resolved" in data else read_head(data).to_json()


def entry_time(entry: Mapping[str, Any]) -> datetime | None:
    """The time an event was recorded; None if missing or malformed.

    >>> entry_time({"at": "2026-13-01"}), entry_time({})
    (None, None)
    """
    try:
        return datetime.fromisoformat(entry.get("at", "")).astimezone()
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def _sides(data: Mapping[str, Any]) -> tuple[Side, ...]:
    if data.get("sides") is not None:
        return read_sides("sides", data["sides"])
    points = data["start"].get("points") if isinstance(data.get("start"), Mapping) else None
    return (Side(),) * (3 if isinstance(points, list) and len(points) == 3 else 2)


def _start(
    data: Mapping[str, Any], count: int, target: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    start_scores = {} if data.get("start") is None else data["start"]
    if not isinstance(start_scores, Mapping) or set(start_scores) - {"points", "bummerl"}:
        raise Unreadable("start", N_("must have points and bummerl, and nothing else"))
    return (
        _scores_per_side("start.points", start_scores.get("points"), count, target - 1),
        _scores_per_side("start.bummerl", start_scores.get("bummerl"), count, 999),
    )


def _scores_per_side(where: str, value: Any, count: int, highest: int) -> tuple[int, ...]:
    if value is None:
        return (0,) * count
    refusal = N_("must be a list of {count} numbers, one a side")
    return listed(integer(0, highest), count, count, refusal)(where, value)


def with_references(body: Mapping[str, Any], new_index: Callable[[int], int]) -> dict[str, Any]:
    """An event as JSON that refers to `new_index(index)` where it referred to `index`.

    >>> with_references({"do": "strittig", "side": 0, "of": 3}, lambda at: at + 1)
    {'do': 'strittig', 'side': 0, 'of': 4}
    """
    copy = dict(body)
    for field in ("of", "through"):
        if isinstance(copy.get(field), int):
            copy[field] = new_index(copy[field])
    if copy.get("also"):
        copy["also"] = [new_index(index) for index in copy["also"]]
    return copy
