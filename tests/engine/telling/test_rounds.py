"""Rounds, their alternatives, and what a correction of one would lead to."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import (
    REGIONS,
    Ansage,
    Evening,
    Gewinnt,
    Illegal,
    Korrektur,
    Schlagtausch,
    Schoenere,
    Unreadable,
    apply,
    parse,
    rules_of,
    start,
)
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.telling.correction_preview import (
    entries_about,
    inserting_correction,
    preview,
    replacing_correction,
)
from scorer.engine.telling.rounds import outcomes, round_at, rounds
from scorer.engine.telling.slate import lines_of_evening
from tests.engine.notation import evening_from, events, played_evening
from tests.engine.strategies import evenings
from tests.sampling import examples

ANNOUNCEMENTS = (Ansage, Schoenere, Schlagtausch)


def line_summaries(found):
    return [(line.game, line.round, line.points, line.deltas) for line in found]


def assert_shows_the_difference(shown, before, now):
    """The preview shows each line that differs, old beside new, and no other line."""
    assert not any(change.is_same for change in shown.changes)
    shown_old = [change.old for change in shown.changes if change.old]
    shown_new = [change.new for change in shown.changes if change.new]
    assert shown_old == [line for line in before if line in shown_old]
    stays, then = Counter(line_summaries(before)), Counter(line_summaries(now))
    stays.subtract(line_summaries(shown_old))
    then.subtract(line_summaries(shown_new))
    assert min(stays.values(), default=0) >= 0
    assert +stays == +then


@examples(60)
@given(evenings(statements=True), st.data())
def test_preview_matches_the_actual_correction(evening, data):
    played = [one for one in rounds(evening) if one.play]
    if not played:
        return
    found = data.draw(st.sampled_from(played))
    events = data.draw(
        st.sampled_from([(), *(way.events for way in outcomes(found.opening_state))])
    )
    change = data.draw(st.sampled_from([replacing_correction, inserting_correction]))
    correction = change(evening, found, events)
    before = lines_of_evening(evening), list(evening.recorded)
    try:
        shown = preview(evening, correction)
    except Illegal as refusal:
        with pytest.raises(Illegal) as again:
            evening.push(correction.to_json())
        assert (again.value.code, again.value.event) == (refusal.code, refusal.event)
        return
    assert (lines_of_evening(evening), evening.recorded) == before
    assert evening.push(correction.to_json()) == shown.after
    assert_shows_the_difference(shown, before[0], lines_of_evening(evening))


@examples(60)
@given(evenings(), st.data())
def test_preview_rows_match_the_slate(evening, data):
    for _ in range(data.draw(st.integers(1, 4))):
        if not evening.recorded:
            return
        last = len(evening.recorded) - 1
        of = data.draw(st.integers(0, last))
        won = st.builds(Gewinnt, st.integers(0, 1))
        new = data.draw(st.lists(won | st.just(parse(evening.recorded[of])), max_size=3))
        through = data.draw(st.none() | st.integers(of, last))
        also = data.draw(st.lists(st.integers(0, last), max_size=3))
        correction = Korrektur(of, tuple(new), through, tuple(also))
        before = lines_of_evening(evening)
        try:
            shown = preview(evening, correction)
        except (Illegal, Unreadable):
            continue
        evening.push(correction.to_json())
        assert_shows_the_difference(shown, before, lines_of_evening(evening))


def test_preview_shows_a_line_that_moves():
    # After the penalty its round continued. A won round instead of it ends the round.
    evening = played_evening("oberoesterreich", "B!abgehoben-geschaut A")
    replaced, moved = preview(evening, Korrektur(0, (Gewinnt(0),))).changes
    assert replaced.old.points == replaced.new.points
    assert (moved.old.round, moved.new.round) == (1, 2)


@examples(60)
@given(evenings(statements=True))
def test_rounds_contain_all_played_events(evening):
    found = rounds(evening)
    inside = [step for one in found for step in one.steps]
    others = [step for step in evening.steps if step not in inside]
    assert all(step.event.do == "neues_spiel" or step.event.is_statement for step in others)
    for one in found:
        assert {(s.before.game, s.before.round) for s in one.steps} == {(one.game, one.number)}


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("points", [(0, 0), (0, -2), (-2, 0), (-2, -2), (-1, -9)])
def test_offered_outcomes_are_possible(region, points):
    rules = rules_of(region)
    points = tuple(p % rules.target for p in points)
    opening = start(rules, points=points)
    found = outcomes(opening)
    assert {way.side for way in found if way.how == "won"} == {0, 1}
    for way in found:
        state = opening
        for event in way.events:
            state = apply(state, event)
        assert state.points[way.side] - points[way.side] == way.gain
        assert state.winner is not None or (state.round, state.round_is_new) == (2, True)


def test_replaced_round_keeps_announcements():
    evening = evening_from([*events("A"), {"do": "ansage", "schlag": "8"}, *events("A+ B-")])
    found = rounds(evening)[1]
    evening.push(
        replacing_correction(evening, found, outcomes(found.opening_state)[1].events).to_json()
    )
    assert [step.event.do for step in evening.steps] == ["gewinnt", "ansage", "gewinnt"]
    assert evening.state.points == (5, 0)


def test_replacing_a_round_keeps_the_strike_before_it():
    evening = played_evening("oberoesterreich", "B Ax B", (2, 6))
    found = rounds(evening)[1]
    assert [step.event.do for step in found.play] == ["gewinnt"]
    evening.push(
        replacing_correction(evening, found, outcomes(found.opening_state)[0].events).to_json()
    )
    assert evening.state.points == (2, 8)


def test_old_versions_no_longer_count():
    evening = played_evening("bayern", "A B")
    evening.push({"do": "korrektur", "of": 0, "with": {"do": "gewinnt", "side": 1}})
    history = entries_about(evening, 0, 0)
    assert [(index, counts) for index, _, counts in history] == [(0, False), (2, True)]


def test_an_evening_without_events_has_no_rounds():
    assert rounds(Evening(played_evening("bayern", "").head)) == []


def test_round_history_leaves_out_statements_about_the_evening():
    claims, agrees = {"do": "uebernahme", "link": "x"}, {"do": "einig", "side": 1}
    evening = evening_from([{"do": "bieten", "side": 0, "to": 3}, claims, agrees, *events("B=")])
    assert [entry["do"] for _, entry, _ in entries_about(evening, 0, 3)] == ["bieten", "bleiben"]


def test_round_history_marks_struck_out_entries():
    book = played_evening("oberoesterreich", "A A")
    book.push({"do": "korrektur", "of": 0, "with": {"do": "gewinnt", "side": 1}})
    book.push({"do": "strittig", "side": 1, "of": 0})
    book.push({"do": "korrektur", "of": 0, "with": None})
    history = [(index, counts) for index, _, counts in entries_about(book, 0, 0)]
    assert history == [(0, False), (2, False), (3, True), (4, True)]
    book.push({"do": "korrektur", "of": 4, "with": None})
    history = [(index, counts) for index, _, counts in entries_about(book, 0, 0)]
    assert history == [(0, False), (2, True), (3, True), (4, False), (5, True)]


def test_round_history_lists_all_versions():
    evening = evening_from([*events("A"), {"do": "bieten", "side": 0, "to": 3}, *events("B= B A")])
    found, later = rounds(evening)[1:3]
    evening.push(
        replacing_correction(evening, found, outcomes(found.opening_state)[0].events).to_json()
    )
    for source in range(found.first_index, found.last_index + 1):
        put_right = round_at(evening, EventPlace(source))
        assert (put_right.first_index, put_right.last_index) == (
            found.first_index,
            found.first_index,
        )
    history = entries_about(evening, found.first_index, found.first_index)
    replaced = [(at, False) for at in range(found.first_index, found.last_index + 1)]
    assert [(index, counts) for index, _, counts in history] == [*replaced, (5, True)]
    assert round_at(evening, later.place).number == 3
    evening.push(evening.undo_correction().to_json())
    assert round_at(evening, found.steps[-1].place).first_index == found.first_index
    history = entries_about(evening, found.first_index, found.last_index)
    assert [index for index, _, counts in history if counts] == [1, 2, 3, 6]


def test_struck_out_round_is_not_found():
    evening = played_evening("oberoesterreich", "A B A")
    evening.push(replacing_correction(evening, rounds(evening)[1], ()).to_json())
    assert round_at(evening, EventPlace(1)) is None


def test_preview_is_right_next_to_an_inserted_round():
    evening = played_evening("oberoesterreich", "A B A")
    evening.push(inserting_correction(evening, rounds(evening)[1], [Gewinnt(0, stake=3)]).to_json())
    put_in, behind = rounds(evening)[1:3]

    def preview_rows(correction):
        lines = ((change.old, change.new) for change in preview(evening, correction).changes)
        return [tuple(line and (line.round, line.deltas) for line in two) for two in lines]

    last = (4, (2, 0))
    beside = (3, (0, 2))
    rows = preview_rows(replacing_correction(evening, put_in, ()))
    assert rows == [((2, (3, 0)), None), (beside, (2, (0, 2))), (last, (3, (2, 0)))]
    left_out = replacing_correction(evening, behind, ())
    assert preview_rows(left_out) == [(beside, None), (last, (3, (2, 0)))]
    rows = preview_rows(inserting_correction(evening, behind, [Gewinnt(1)]))
    assert rows == [(None, beside), (beside, (4, (0, 2))), (last, (5, (2, 0)))]


def test_rounds_with_the_same_first_event_differ():
    evening = played_evening("oberoesterreich", "A B+ A= A")
    evening.push(inserting_correction(evening, rounds(evening)[1], [Gewinnt(0, stake=3)]).to_json())
    put_in, behind = rounds(evening)[1:3]
    assert put_in.first_index == behind.first_index
    assert [round_at(evening, step.place) for step in put_in.steps] == [put_in]
    assert {round_at(evening, step.place).number for step in behind.steps} == {behind.number}


@examples(40)
@given(evenings(), st.data())
def test_correction_changes_only_its_round(evening, data):
    for _ in range(data.draw(st.integers(1, 4))):
        played = [one for one in rounds(evening) if one.play]
        if not played:
            return
        at = data.draw(st.integers(0, len(played) - 1))
        ways = [way.events for way in outcomes(played[at].opening_state)]
        if not ways:
            return
        events = data.draw(st.sampled_from(ways))
        change = data.draw(st.sampled_from([replacing_correction, inserting_correction]))
        before = Counter(step.event for step in evening.played)
        gone = () if change is inserting_correction else played[at].play
        before.subtract(s.event for s in gone if not isinstance(s.event, ANNOUNCEMENTS))
        try:
            evening.push(change(evening, played[at], events).to_json())
        except Illegal:
            continue
        assert Counter(step.event for step in evening.played) == +before + Counter(events)
