"""Properties of every evening, whatever is played."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import (
    Ansage,
    Bleiben,
    Evening,
    Gewinnt,
    Illegal,
    Korrektur,
    NeuesSpiel,
    Sitzordnung,
    State,
    Strafe,
    apply,
    is_legal,
    legal,
    parse,
    position,
    read_head,
    replay,
)
from scorer.engine.rules.loading import read_resolved
from scorer.engine.scoring.events import EVENTS
from scorer.engine.scoring.reachable_stakes import is_reachable
from scorer.engine.scoring.state import Game, Side
from scorer.engine.scoring.transitions import UNREAD_FIELDS
from scorer.engine.telling.filled_sentences import reason_text, refusal_text, region_words
from tests.engine.strategies import any_event, evenings, heads, rule_sets
from tests.sampling import examples

many = examples(75)


def is_listed(state, event):
    """Whether `legal` lists `event` or its range, or None for events that it never lists."""
    events = legal(state)
    if isinstance(event, Gewinnt):
        tricks = (event.tricks or 3) if state.rules.overtrick else None
        won = Gewinnt(event.side, tricks) in events
        return won and (event.stake is None or is_reachable(state, event.stake))
    if isinstance(event, Strafe) and event.offence == "sonstige":
        alike = replace(event, points=state.rules.base)
        return event.points is not None and alike in events
    if isinstance(event, Ansage):
        if state.rules.blind:
            # Records may have it, but `legal` never offers it.
            return None
        parts = [Ansage(schlag=event.schlag), Ansage(trumpf=event.trumpf)]
        named = [part for part in parts if part != Ansage()]
        return bool(named) and all(part in events for part in named)
    if isinstance(event, NeuesSpiel):
        known = event.dealer is None or state.seat_of(event.dealer) is not None
        return known and NeuesSpiel() in events
    if event.is_statement or isinstance(event, Sitzordnung):
        return None
    if hasattr(event, "to"):
        alike = [other for other in events if replace_to(other) == replace_to(event)]
        return any(event.to in (None, other.to) for other in alike)
    return event in events


def replace_to(event):
    return replace(event, to=None) if hasattr(event, "to") else event


@many
@given(evenings(statements=True), any_event())
def test_legal_lists_exactly_the_accepted_events(evening, event):
    expected = is_listed(evening.state, event)
    if expected is not None:
        assert is_legal(evening.state, event) == expected


@many
@given(evenings())
def test_every_listed_event_can_be_applied(evening):
    events = legal(evening.state)
    assert events
    for event in events:
        apply(evening.state, event)


def outcome(state, event):
    """The points and marks after an event, or the grounds of its refusal."""
    try:
        after = apply(state, event)
    except Illegal as refusal:
        return refusal.code, refusal.rule_ids, refusal.values
    points = [after.points] if after.game == state.game else []
    marks = [new - old for new, old in zip(after.bummerl, state.bummerl, strict=True)]
    return points, marks, after.winner


PLAYED = [kind for kind in EVENTS.values() if not kind.is_statement and kind is not Sitzordnung]


@many
@given(evenings(statements=True), any_event().filter(lambda event: type(event) in PLAYED))
def test_equal_positions_give_equal_outcomes(evening, event):
    state = evening.state
    others = tuple(Side(f"Other {side}", ("Xaver", "Zenzi")) for side in state.side_indices)
    otherwise = dict(
        sides=others,
        game=7,
        round=state.round + 3,
        games=(Game(0, state.points, (0,) * len(others), "einfach"),),
        bummerl=tuple(range(1, 1 + len(others))),
        dealer=None if state.dealer is not None else 1,
        schlag="8",
        trumpf="H",
        roles_swapped=not state.roles_swapped,
        schoenere=state.schoenere + 1,
        agreeing_sides=(0,),
        confirmations=((1, 0, "11:0"),),
        disputed=(0,),
        price=None,
        because=(),
    )
    # Every field outside the position has another value here.
    assert set(otherwise) == UNREAD_FIELDS
    stranger = replace(state, **otherwise)
    assert position(stranger) == position(state)
    if isinstance(event, NeuesSpiel):
        event = NeuesSpiel()
    for possible in (event, *legal(state)):
        assert outcome(stranger, possible) == outcome(state, possible)


@many
@given(evenings(), any_event())
def test_an_illegal_event_changes_nothing(evening, event):
    before = (evening.state, list(evening.recorded), list(evening.steps))
    if is_legal(evening.state, event):
        return
    with pytest.raises(Illegal) as refusal:
        evening.push(event.to_json())
    assert refusal.value.event == len(evening.recorded)
    assert (evening.state, evening.recorded, evening.steps) == before
    state = evening.state
    assert "{" not in refusal_text(refusal.value, state.sides, region_words(state.rules.id))


ASIDE = {"agreeing_sides": (), "confirmations": (), "disputed": ()}


@many
@given(evenings(statements=True))
def test_reasons_add_up_to_points_and_bummerl(evening):
    for step in evening.steps:
        if step.event.is_statement:
            assert replace(step.after, **ASIDE) == replace(step.before, **ASIDE)
            continue
        points, bummerl = list(step.before.points), list(step.before.bummerl)
        words = region_words(step.after.rules.id)
        if step.event.do == "neues_spiel":
            points = [0] * len(points)
        for reason in step.after.because:
            agreed = reason.values.get("offence") == "sonstige"
            assert reason.rule_ids or agreed or reason.house_rules
            assert "{" not in reason_text(reason, step.after.sides, words)
            points[reason.values["side"]] += reason.values.get("delta", 0)
            bummerl[reason.values["side"]] += reason.values.get("bummerl", 0)
        assert tuple(points) == step.after.points
        assert tuple(bummerl) == step.after.bummerl


@many
@given(evenings())
def test_bummerl_total_is_the_sum_of_games(evening):
    state = evening.state
    given_ = [sum(game.bummerl[side] for game in state.games) for side in range(len(state.points))]
    assert list(state.bummerl) == given_


@many
@given(evenings())
def test_replay_reproduces_every_step(evening):
    record = {**evening.head.to_json(), "events": evening.recorded}
    replayed, refusal = replay(record)
    assert refusal is None
    assert replayed.state == evening.state
    assert [step.after for step in replayed.steps] == [step.after for step in evening.steps]
    assert replay(record)[0].state == replayed.state


@dataclass(frozen=True)
class UndoStep:
    """An undo step: the state after it, and whether it only decided that a side plays."""

    state: State
    plays: bool = False


def push_undo_step(behind, event, before, after):
    """Put an undo step on the stack. The decision to play and the won round are one step."""
    while isinstance(event, Gewinnt) and behind[-1].plays:
        behind.pop()
    behind.append(UndoStep(after, isinstance(event, Bleiben) and before.decision is not None))


@many
@given(evenings(), st.data())
def test_undo_and_redo_restore_exact_states(evening, data):
    # Stacks of undo and redo steps, as any editor keeps them.
    behind = [UndoStep(evening._start)]
    for step in evening.steps:
        push_undo_step(behind, step.event, step.before, step.after)
    ahead = []
    for _ in range(data.draw(st.integers(0, 30))):
        move = data.draw(st.sampled_from(("undo", "redo", "play", "correct")))
        if move == "undo" and evening.undo_index is not None:
            evening.push(evening.undo_correction().to_json())
            ahead.append(behind.pop())
        elif move == "redo" and evening.redo_index is not None:
            evening.push(evening.redo_correction().to_json())
            behind.append(ahead.pop())
        elif move == "play":
            event, before = data.draw(st.sampled_from(legal(evening.state))), evening.state
            evening.push(event.to_json())
            push_undo_step(behind, event, before, evening.state)
            ahead.clear()
        elif move == "correct" and evening.recorded:
            of = data.draw(st.integers(0, len(evening.recorded) - 1))
            changed = data.draw(st.none() | st.just({"do": "gewinnt", "side": 1}))
            if of == evening.undo_index or (ahead and Korrektur(of) == evening.redo_correction()):
                continue
            try:
                evening.push({"do": "korrektur", "of": of, "with": changed})
            except Illegal:
                continue
            behind.append(UndoStep(evening.state))
            ahead.clear()
        assert evening.state == behind[-1].state
        assert (evening.undo_index is not None) == (len(behind) > 1)
        assert (evening.redo_index is not None) == bool(ahead)


@many
@given(any_event())
def test_event_round_trips_through_json(event):
    assert parse(event.to_json()) == event


@many
@given(heads())
def test_head_round_trips_through_json(data):
    head = read_head(data)
    assert read_head(head.to_json()) == head
    assert Evening(head).state == Evening(read_head(head.to_json())).state


@many
@given(rule_sets())
def test_rules_round_trip_through_json(rules):
    assert read_resolved(rules.to_json()) == rules
