"""A slate from the cache equals one computed from the whole record."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import REGIONS, Evening, Illegal, Korrektur, legal, read_head
from scorer.engine.telling import slate
from scorer.engine.telling.correction_preview import inserting_correction, replacing_correction
from scorer.engine.telling.rounds import outcomes, rounds
from scorer.engine.telling.slate import lines_of_evening, slate_lines
from tests.engine.notation import evening_from
from tests.engine.strategies import STATEMENTS, heads
from tests.sampling import examples


@st.composite
def corrections(draw, evening):
    """A correction that changes, inserts or strikes out a round, or an undo or redo."""
    ways = [
        st.just(event)
        for event in (_attempt(evening.undo_correction), _attempt(evening.redo_correction))
        if event
    ]
    if played := [found for found in rounds(evening) if found.play]:
        about = draw(st.sampled_from(played))
        events = draw(st.sampled_from([(), *(way.events for way in outcomes(about.opening_state))]))
        changes = replacing_correction, inserting_correction
        ways += [st.just(change(evening, about, events)) for change in changes]
    return draw(st.one_of(ways)) if ways else Korrektur(0)


def _attempt(back):
    try:
        return back()
    except Illegal:
        return None


def line_contents(found):
    """The content of lines as tuples, because a step is equal only to itself."""
    return [
        (
            *(line.game, line.round, line.points, line.deltas, line.opening_value, line.ladder),
            *(line.because, line.code, line.first_index, line.crossed_out, line.dealer),
            *(line.step.original_index, line.step.recorded_index, line.step.event),
            *(line.step.before, line.step.after),
        )
        for line in found
    ]


def slates(evening):
    """The slate of each game (a list), and the slate of all games."""
    games = [line_contents(slate_lines(evening, game)) for game in range(1, evening.state.game + 1)]
    return games, line_contents(lines_of_evening(evening))


def slates_without_cache(evening):
    """The slates of the same record, computed from the start without the cache."""
    slate._round_lines.cache_clear()
    again = Evening(evening.head)
    for entry in evening.recorded:
        again.push(entry)
    return slates(again)


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("switches", [{}, {"fold_value": "fixed:2"}, {"fold_counts_refused": True}])
def test_line_of_a_fold_is_folded_under_every_rule_for_folds(region, switches):
    evening = evening_from("A+ B- B", rules=region, set=switches)
    assert [line.ended_by_fold for line in slate_lines(evening)] == [True, False]


@examples(20)
@given(heads(), st.data())
def test_cached_slate_equals_one_computed_anew(head, data):
    evening, seen = Evening(read_head(head)), []
    for _ in range(data.draw(st.integers(1, 25))):
        evening = evening.copy()
        kinds = (st.sampled_from([*legal(evening.state), *STATEMENTS]), corrections(evening))
        with suppress(Illegal):
            evening.push(data.draw(st.one_of(kinds)).to_json())
        seen.append((evening, slates(evening)))
    for evening, shown in seen:
        assert shown == slates_without_cache(evening)


@examples(40)
@given(heads(), st.data())
def test_new_events_leave_the_lines_of_a_finished_game(head, data):
    evening = Evening(read_head(head))
    finished = {}
    for _ in range(data.draw(st.integers(1, 40))):
        evening.push(data.draw(st.sampled_from(legal(evening.state))).to_json())
        for game, lines in finished.items():
            assert line_contents(slate_lines(evening, game)) == lines
        if evening.state.winner is not None:
            finished[evening.state.game] = line_contents(slate_lines(evening))
