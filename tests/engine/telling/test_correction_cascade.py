"""What a correction does to later rounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import Ansage, Bieten, Bleiben, Gewinnt, Illegal
from scorer.engine.telling.correction_cascade import cascade_of
from scorer.engine.telling.correction_preview import (
    inserting_correction,
    preview,
    replacing_correction,
)
from scorer.engine.telling.rounds import outcomes, rounds
from tests.engine.notation import played_evening
from tests.engine.strategies import evenings
from tests.sampling import examples


def round_numbers(found):
    return [f"{one.game}.{one.number}" for one in found]


# Side 0 wins a game to 9 with five plain rounds. The correction makes one of them worth more.
FIVE = "A A A A A N B B"
BECOMES = {
    # The corrected round ends the game. The round after it goes, and the next game stays.
    "last": (FIVE, 4, 3, ["1.5"], [], ["2.1", "2.2"]),
    # The rounds between the corrected one and the one that goes stay as they are.
    "between": (FIVE, 2, 3, ["1.5"], [], ["1.3", "1.4", "2.1", "2.2"]),
    # Only the round with a raise that a krank side could not have made goes.
    "raised": ("A A A+ B= B B A", 2, 5, ["1.3"], [], ["1.4", "1.5"]),
    "none": ("A B A", 1, 3, [], [], ["1.2", "1.3"]),
}


@pytest.mark.parametrize(
    ("played", "number", "stake", "impossible", "lost", "kept"), BECOMES.values(), ids=BECOMES
)
def test_cascade_lists_lost_and_kept_rounds(played, number, stake, impossible, lost, kept):
    evening = played_evening("oberoesterreich", played)
    found = rounds(evening)[number - 1]
    rest = cascade_of(evening, replacing_correction(evening, found, [Gewinnt(0, stake=stake)]))
    assert round_numbers(rest.impossible) == impossible
    assert round_numbers(rest.removed_too) == lost
    assert round_numbers(rest.kept) == kept


@examples(60)
@given(evenings(statements=True), st.data())
def test_kept_events_stay_as_recorded(evening, data):
    played = [one for one in rounds(evening) if one.play]
    if not played:
        return
    at = data.draw(st.integers(0, len(played) - 1))
    ways = outcomes(played[at].opening_state)
    if not ways:
        return
    correction = replacing_correction(evening, played[at], data.draw(st.sampled_from(ways)).events)
    rest = cascade_of(evening, correction)
    if rest is None:
        with pytest.raises(Illegal):
            preview(evening, correction)
        return
    affected = [*rest.impossible, *rest.removed_too, *rest.without_decision, *rest.kept]
    later = [one for one in played if one.first_index > correction.last_index]
    assert sorted(one.first_index for one in affected) == [one.first_index for one in later]
    evening.push(rest.correction.to_json())
    effective = {step.original_index: step.event for step in evening.steps}
    for one in rest.kept:
        assert all(effective[step.original_index] == step.event for step in one.steps)
    for one in rest.without_decision:
        missing = [step.event for step in one.play if step.original_index not in effective]
        assert {type(event) for event in missing} == {Bleiben}
    assert not any(one.first_index in effective for one in (*rest.impossible, *rest.removed_too))


def test_round_outlives_its_decision_to_play():
    """With one round less, the side is no longer gespannt and has nothing to decide."""
    evening = played_evening("bayern", "A A A A A")
    while evening.state.decision is None:
        evening.push(Gewinnt(0).to_json())
    side = evening.state.decision.side
    for event in (Bleiben(side), Gewinnt(side)):
        evening.push(event.to_json())
    decided = rounds(evening)[-1]
    rest = cascade_of(evening, replacing_correction(evening, rounds(evening)[0], [Gewinnt(1)]))
    assert [one.place for one in rest.without_decision] == [decided.place]
    assert not rest.impossible and not rest.removed_too
    evening.push(rest.correction.to_json())
    assert rounds(evening)[-1].winner == side


def test_rounds_of_one_correction_are_lost_together():
    evening = played_evening("oberoesterreich", "A B A")
    evening.push(inserting_correction(evening, rounds(evening)[1], [Gewinnt(0)]).to_json())
    first = rounds(evening)[0]
    rest = cascade_of(evening, replacing_correction(evening, first, [Gewinnt(0, stake=7)]))
    assert round_numbers(rest.impossible) == ["1.3", "1.4"]
    assert round_numbers(rest.removed_too) == ["1.2"]
    assert preview(evening, rest.correction).after.points == (7, 0)


def test_round_sharing_a_correction_is_lost_whole():
    evening = played_evening("oberoesterreich", "A A")
    for event in (Ansage("K"), Gewinnt(1), Gewinnt(1)):
        evening.push(event.to_json())
    forgotten = [Bieten(0), Bleiben(1), Gewinnt(1)]
    evening.push(inserting_correction(evening, rounds(evening)[2], forgotten).to_json())
    second = rounds(evening)[1]
    rest = cascade_of(evening, replacing_correction(evening, second, [Gewinnt(0, stake=5)]))
    assert round_numbers(rest.impossible) == ["1.3"]
    assert round_numbers(rest.removed_too) == ["1.4"]
    assert round_numbers(rest.kept) == ["1.5"]
    assert evening.push(rest.correction.to_json()).points == (7, 2)


def test_seating_survives_lost_rounds():
    evening = played_evening("oberoesterreich", "A A A")
    seats = {"do": "sitzordnung", "sides": [{"players": ["Anna", "Bert"]}, {"players": ["C", "D"]}]}
    evening.push(seats)
    evening.push({"do": "gewinnt", "side": 0})
    evening.push({"do": "gewinnt", "side": 0})
    wanted = replacing_correction(evening, rounds(evening)[0], [Gewinnt(0, stake=9)])
    evening.push(cascade_of(evening, wanted).correction.to_json())
    assert evening.state.sides[0].players == ("Anna", "Bert")
    assert evening.state.points == (9, 0)
