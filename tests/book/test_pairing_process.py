"""Draws in a child process."""

import pytest

from scorer.book.pairing_process import draw_in_process
from scorer.engine import Illegal
from scorer.tournament import draw
from tests.tournament.builders import start_tournament


@pytest.mark.parametrize("settings", [{}, {"format": "round-robin"}])
def test_child_process_draws_the_same_round(settings):
    state = start_tournament(8, 3, seed="s", **settings).now
    for _ in range(2):
        drawn = draw_in_process(state, despite_missing_results=True)
        assert drawn == draw(state, despite_missing_results=True)
        state = state.after([drawn.to_json()])


def test_child_process_raises_the_same_error():
    state = start_tournament(1, 1).now
    with pytest.raises(Illegal) as expected:
        draw(state)
    with pytest.raises(Illegal) as refusal:
        draw_in_process(state)
    expected, refused = expected.value, refusal.value
    assert (refused.code, refused.values) == (expected.code, expected.values)
