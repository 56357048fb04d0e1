"""Draws in a child process."""

import pytest

from scorer.book import child_process
from scorer.book.pairing_process import MAX_DRAWN_HERE, draw_in_process, draw_round
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


@pytest.mark.parametrize(("pairs", "starts_process"), [(MAX_DRAWN_HERE, False), (66, True)])
def test_only_a_large_field_is_drawn_in_a_child_process(monkeypatch, pairs, starts_process):
    started, run = [], child_process.run
    monkeypatch.setattr(
        child_process, "run", lambda *given: started.append(given[0]) or run(*given)
    )
    state = start_tournament(pairs, 3, seed="s").now
    assert draw_round(state) == draw(state)
    assert bool(started) == starts_process
