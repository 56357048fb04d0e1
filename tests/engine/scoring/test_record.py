"""An invalid record is refused with the place and the reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import Unreadable, read_head, replay, result
from tests.sampling import examples

HEAD = {"watten": 1, "rules": "bayern"}

BAD_HEADS = [
    ({"watten": 2}, "watten"),
    ({"watten": True, "rules": None}, "rules"),
    ({"rules": "tirol"}, "rules"),
    ({"rules": 3}, "rules"),
    ({"colour": "red"}, "colour"),
    ({"variant": "kritisch"}, "variant"),
    ({"set": []}, "set"),
    ({"set": {"target": 0}}, "set.target"),
    ({"set": {"target": "15"}}, "set.target"),
    ({"set": {"target": True}}, "set.target"),
    ({"set": {"targit": 11}}, "set.targit"),
    ({"set": {"fold_value": "fixed:x"}}, "set.fold_value"),
    ({"set": {"near": 15}}, "set.near"),
    ({"sides": [{"name": "A"}]}, "sides"),
    ({"sides": [{}, {}, {}, {}]}, "sides"),
    ({"sides": [{"name": "A", "colour": 1}, {}]}, "sides[0]"),
    ({"sides": [{"name": "x" * 61}, {}]}, "sides[0].name"),
    ({"sides": [{"name": "a\x00b"}, {}]}, "sides[0].name"),
    ({"sides": [{"name": "a\nb"}, {}]}, "sides[0].name"),
    ({"sides": [{"name": "\ud800"}, {}]}, "sides[0].name"),
    ({"sides": [{"players": ["a", "b", "c"]}, {}]}, "sides[0].players"),
    ({"start": {"points": [1, 2, 3]}, "sides": [{}, {}]}, "start.points"),
    ({"start": {"points": [15, 0]}}, "start.points[0]"),
    ({"start": {"points": [-1, 0]}}, "start.points[0]"),
    ({"start": {"points": [1.5, 0]}}, "start.points[0]"),
    ({"start": {"games": 3}}, "start"),
    ({"dealer": "Anna"}, "dealer"),
    ({"resolved": {"values": {}}}, "resolved"),
]

BAD_EVENTS = [
    ("gewinnt", "event"),
    ({}, "do"),
    ({"do": "fliegen", "side": 0}, "do"),
    ({"do": ["gewinnt"], "side": 0}, "do"),
    ({"do": "gewinnt"}, "side"),
    ({"do": "gewinnt", "side": "0"}, "side"),
    ({"do": "gewinnt", "side": True}, "side"),
    ({"do": "gewinnt", "side": 0.5}, "side"),
    ({"do": "gewinnt", "side": 0, "tricks": 6}, "tricks"),
    ({"do": "gewinnt", "side": 0, "stak": 4}, "stak"),
    ({"do": "gewinnt", "side": 0, "note": "x" * 501}, "note"),
    ({"do": "gewinnt", "side": 0, "player": 7}, "player"),
    ({"do": "strafe", "side": 0, "offence": "gemogelt"}, "offence"),
    ({"do": "ansage", "schlag": "B"}, "schlag"),
    ({"do": "korrektur", "of": 0}, "with"),
    ({"do": "korrektur", "of": -1, "with": None}, "of"),
    ({"do": "korrektur", "of": 0, "with": [{"do": "bieten"}]}, "with[0].side"),
    ({"do": "korrektur", "of": 0, "with": {"do": "korrektur", "of": 0, "with": None}}, "with"),
]


@pytest.mark.parametrize(("change", "where"), BAD_HEADS, ids=lambda case: str(case)[:40])
def test_invalid_head_names_the_faulty_field(change, where):
    with pytest.raises(Unreadable) as error:
        read_head({**HEAD, **change})
    assert error.value.where == where


@pytest.mark.parametrize(("event", "where"), BAD_EVENTS, ids=lambda case: str(case)[:40])
def test_invalid_event_names_the_faulty_field(event, where):
    with pytest.raises(Unreadable) as error:
        replay({**HEAD, "events": [event]})
    assert error.value.where == ("events[0]" if where == "event" else f"events[0].{where}")


@pytest.mark.parametrize("name", ["Ötzi", "👩‍🌾🃏", "سارة", "<b>&\"'", "x" * 60, " "])
def test_single_line_name_is_kept_unchanged(name):
    head = read_head({**HEAD, "sides": [{"name": name, "players": [name]}, {}]})
    assert head.to_json()["sides"][0] == {"name": name, "players": [name]}


def test_whole_numbers_may_be_written_as_floats():
    evening, refusal = replay({**HEAD, "events": [{"do": "gewinnt", "side": 1.0}]})
    assert refusal is None
    assert evening.state.points == (0, 2)


def test_legal_entry_can_be_recorded_unchanged():
    evening, _ = replay(HEAD)
    for entry in result(evening.state)["legal"]:
        assert replay({**HEAD, "events": [entry]})[1] is None


def test_extra_fields_of_an_event_are_kept():
    event = {"do": "gewinnt", "side": 0, "player": "Anna", "note": "mit dem Guten"}
    event |= {"at": "2026-11-21T20:00:00Z", "by": "scorer"}
    evening, _ = replay({**HEAD, "events": [event]})
    assert evening.recorded == [event]


def test_three_start_points_create_three_sides():
    assert len(read_head({**HEAD, "start": {"points": [1, 2, 3]}}).sides) == 3


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)
FIELDS = ("rules", "variant", "set", "sides", "start", "dealer", "events", "resolved")


@examples(150)
@given(st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=4) | json_values)
def test_arbitrary_json_is_replayed_or_unreadable(data):
    if isinstance(data, dict):
        data = {**HEAD, **data}
    try:
        evening, refusal = replay(data)
    except Unreadable:
        return
    result(evening.state, refusal)
