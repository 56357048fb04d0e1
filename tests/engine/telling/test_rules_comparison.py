"""The same evening under other rules."""

from hypothesis import given, settings

from scorer.engine import Evening, Illegal, house
from scorer.engine.telling.rules_comparison import SCORING, readings
from tests.engine.notation import evening as evening_of
from tests.engine.strategies import evenings


def found(evening):
    return {(reading.switch, reading.value): reading for reading in every(evening)}


def every(evening):
    """All readings, which `readings` returns in parts."""
    start, all_parts = 0, []
    while start is not None:
        part, start = readings(evening, start)
        all_parts += part
    return all_parts


def test_the_fold_parts_two_readings_in_its_round():
    evening = evening_of("suedtirol", "A A+ B+ A-")
    reading = found(evening)["fold_value", "agreed"]
    assert evening.state.points == (2, 2)
    assert reading.evening.state.points == (2, 3)
    assert (reading.parts.game, reading.parts.round) == (1, 2)


def test_unfinished_reading_says_why():
    evening = evening_of("oberoesterreich", "A:9 N B")
    reading = found(evening)["target", 11]
    assert reading.refusal.code == "game-running"
    assert reading.evening.state.points == (9, 0)


def test_other_region_has_its_own_steps():
    evening = evening_of("oberoesterreich", "A+ B= A")
    assert evening.state.points == (3, 0)
    assert found(evening)[None, "frankreich"].evening.state.points == (5, 0)


def test_marks_alone_make_a_reading_differ():
    evening = evening_of("oberoesterreich", "A:9")
    reading = found(evening)["schneider", 0]
    assert evening.state.bummerl == (0, 2)
    assert reading.evening.state.bummerl == (0, 1)
    assert reading.differs


@settings(max_examples=15)
@given(evenings())
def test_a_reading_is_the_replay_under_its_rules(evening):
    before = evening.state, list(evening.recorded)
    for reading in every(evening):
        if reading.switch is not None:
            assert reading.switch in SCORING
            assert reading.rules == house(evening.state.rules, {reading.switch: reading.value})
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
