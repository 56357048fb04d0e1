"""Unreadable input is refused with a sentence, however deep or long it is."""

import json

import pytest

from scorer.engine import Evening, Unreadable, parse, read_head, replay, rules_of
from scorer.engine.input.field_readers import BIDI_CONTROLS
from scorer.engine.input.strict_json import loads
from scorer.engine.telling.filled_sentences import say
from scorer.engine.telling.side_names import side_name

HEAD = {"watten": 1, "rules": "bayern"}


def nested(depth):
    event = {"do": "gewinnt", "side": 0}
    for _ in range(depth):
        event = {"do": "korrektur", "of": 0, "with": event}
    return event


def deep(depth):
    found = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    "event",
    [
        nested(2),
        nested(400),
        nested(5000),
        {"do": "gewinnt", "side": deep(900)},
        {"do": "strafe", "side": 0, "offence": deep(900)},
        {"do": "schoenere", "side": 0, "agreed": deep(900)},
        {"do": "neues_spiel", "dealer": "9" * 5000},
        {"do": "neues_spiel", "dealer": 10**4000},
        {"do": "gewinnt", "side": 10**4000},
        {"do": "neues_spiel", "dealer": "\ud800"},
        {"do": "gewinnt", "side": 0, "note": "\udfff"},
    ],
    ids=range(11),
)
def test_malformed_event_is_refused_with_short_message(event):
    with pytest.raises(Unreadable) as error:
        parse(event)
    assert len(str(error.value)) < 400


def resolved_head(**changed):
    return {**HEAD, "resolved": {**rules_of("bayern").to_json(), **changed}}


VALUES = rules_of("trentino").to_json()["values"]


@pytest.mark.parametrize(
    "head",
    [
        {**HEAD, "resolved": 3},
        {**HEAD, "resolved": []},
        resolved_head(values=None),
        resolved_head(values=[["target", 9]]),
        resolved_head(values={**VALUES, "target": deep(900)}),
        resolved_head(values={**VALUES, "four_if_opponent_below": "target-" + "9" * 5000}),
        resolved_head(values={**VALUES, "bid_when_locked": "penalty:" + "9" * 5000}),
        resolved_head(sources=None),
        resolved_head(sources={"target": 3}),
        resolved_head(sources={"target": "O-49"}),
        resolved_head(variants="normal"),
        resolved_head(variants=[3]),
        resolved_head(variant=["normal"]),
        resolved_head(variant="kritisch"),
        resolved_head(id=["bayern"]),
        resolved_head(id="tirol"),
        {**HEAD, "dealer": "9" * 5000},
        {**HEAD, "set": {"target": deep(900)}},
        {**HEAD, "sides": deep(900)},
    ],
    ids=range(19),
)
def test_malformed_head_is_refused(head):
    with pytest.raises(Unreadable):
        read_head(head)


@pytest.mark.parametrize(
    "text",
    [
        '{"watten": 1, "watten": 2}',
        '{"events": [{"do": "gewinnt", "side": 0, "side": 1}]}',
        '{"side": NaN}',
        "[" * 100_000,
        f'{{"side": {"9" * 5000}}}',
        "{",
    ],
    ids=range(6),
)
def test_ambiguous_or_broken_json_is_refused(text):
    with pytest.raises(Unreadable):
        loads(text)


def test_direction_marks_are_removed_from_names():
    sides = [{"name": f"Wir{BIDI_CONTROLS}"}, {"name": "Die"}]
    evening = Evening(read_head({**HEAD, "sides": sides, "dealer": f"{BIDI_CONTROLS}Die"}))
    assert evening.state.sides[0].name == "Wir"
    assert evening.state.seats[evening.state.dealer][1] == "Die"


def test_right_to_left_name_is_isolated_in_sentences():
    sides = read_head({**HEAD, "sides": [{"name": "אנחנו"}, {"name": "Die"}]}).sides
    assert say("{side}: {points}", {"side": 0, "points": 2}, sides) == "\u2068אנחנו\u2069: 2"
    assert say("{side}: {points}", {"side": 1, "points": 2}, sides) == "Die: 2"


@pytest.mark.parametrize("other", ["Wir", "wir", " Wir ", "Ｗｉｒ"])
def test_sides_with_similar_names_are_numbered(other):
    sides = read_head({**HEAD, "sides": [{"name": "Wir"}, {"name": other}]}).sides
    assert [side_name(sides, side) for side in (0, 1)] == ["Wir (1)", f"{other} (2)"]


def test_record_with_invalid_time_is_accepted():
    events = [{"do": "gewinnt", "side": 0, "at": "half past nine"}]
    assert replay(json.loads(json.dumps({**HEAD, "events": events})))[1] is None
