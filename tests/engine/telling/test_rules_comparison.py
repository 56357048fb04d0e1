"""The same evening under other rules."""

from hypothesis import given

from scorer.engine import Evening, Illegal, with_switches
from scorer.engine.telling.rules_comparison import SCORING, readings
from tests.engine.notation import played_evening
from tests.engine.strategies import evenings
from tests.sampling import examples


def readings_by_switch(evening):
    return {(reading.switch, reading.value): reading for reading in all_readings(evening)}


def all_readings(evening):
    """All readings, which `readings` returns in parts."""
    start, all_parts = 0, []
    while start is not None:
        part, start = readings(evening, start)
        all_parts += part
    return all_parts


def test_reading_names_the_round_where_it_differs():
    evening = played_evening("suedtirol", "A A+ B+ A-")
    reading = readings_by_switch(evening)["fold_value", "agreed"]
    assert evening.state.points == (2, 2)
    assert reading.evening.state.points == (2, 3)
    assert (reading.first_difference.game, reading.first_difference.round) == (1, 2)


def test_incomplete_reading_gives_the_refusal():
    reading = readings_by_switch(played_evening("oberoesterreich", "A:9 N B"))["target", 11]
    assert reading.refusal.code == "game-running"
    assert reading.evening.state.points == (9, 0)


def test_other_regions_reading_uses_its_raise_step():
    evening = played_evening("oberoesterreich", "A+ B= A")
    assert evening.state.points == (3, 0)
    assert readings_by_switch(evening)[None, "frankreich"].evening.state.points == (5, 0)


def test_bummerl_difference_makes_a_reading_differ():
    evening = played_evening("oberoesterreich", "A:9")
    reading = readings_by_switch(evening)["schneider", 0]
    assert evening.state.bummerl == (0, 2)
    assert reading.evening.state.bummerl == (0, 1)
    assert reading.differs


@examples(15)
@given(evenings())
def test_reading_equals_replay_under_its_rules(evening):
    before = evening.state, list(evening.recorded)
    for reading in all_readings(evening):
        if reading.switch is not None:
            assert reading.switch in SCORING
            assert reading.rules == with_switches(
                evening.state.rules, {reading.switch: reading.value}
            )
        again = Evening(reading.evening.head)
        assert again.head.rules == reading.rules
        for event in reading.evening.recorded:
            again.push(event)
        assert again.state == reading.evening.state
        if not reading.differs:
            assert again.state.points == evening.state.points
            assert again.state.bummerl == evening.state.bummerl
        assert reading.refusal is None or isinstance(reading.refusal, Illegal)
    assert (evening.state, evening.recorded) == before
