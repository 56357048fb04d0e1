"""Corrections agree with an oracle that replays the whole record."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorer.engine.scoring.evening as evening_module
from scorer.engine import Evening, Illegal, Korrektur, apply, is_legal, legal, parse, read_head
from scorer.engine.scoring.events import EVENTS
from tests.engine.notation import events, played_evening
from tests.engine.strategies import STATEMENTS, any_event, heads
from tests.sampling import examples

START = {"watten": 1, "rules": "oberoesterreich"}


def events_that_count(recorded: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events that count, straight from the definition in docs/record.md."""

    def counts(index: int) -> bool:
        return not any(corrects(j, index) and counts(j) for j in range(index + 1, len(recorded)))

    def corrects(j: int, index: int) -> bool:
        if recorded[j]["do"] != "korrektur" or EVENTS[recorded[index]["do"]].is_statement:
            return False
        of, is_played = recorded[j]["of"], recorded[index]["do"] != "korrektur"
        also_struck = {*range(of, recorded[j].get("through", of) + 1), *recorded[j].get("also", ())}
        return of == index or (is_played and index in also_struck)

    counting = []
    for index, event in enumerate(recorded):
        if event["do"] == "korrektur":
            continue
        standing = [j for j in range(index + 1, len(recorded)) if corrects(j, index) and counts(j)]
        if not standing:
            counting.append(event)
            continue
        if recorded[standing[-1]]["of"] != index:
            continue
        replacement = recorded[standing[-1]]["with"]
        counting += replacement if isinstance(replacement, list) else [replacement]
    return [event for event in counting if event is not None]


def state_of(head, recorded):
    state = head.start()
    for event in events_that_count(recorded):
        state = apply(state, parse(event))
    return state


PLAYED = {kind.do for kind in EVENTS.values() if not kind.is_statement} - {"korrektur"}


@st.composite
def corrections(draw, evening):
    length = len(evening.recorded)
    of = draw(st.integers(0, length))
    played = any_event().filter(lambda e: not e.is_statement).map(lambda e: e.to_json())
    choices = [st.none(), played, st.lists(played, max_size=3)]
    if of < length and evening.recorded[of]["do"] in PLAYED:
        own = evening.recorded[of]
        new = draw(st.sampled_from(legal(evening.state))).to_json()
        choices += [st.just([own, new]), st.just([new, own]), st.just(own)]
    event = {"do": "korrektur", "of": of, "with": draw(st.one_of(*choices))}
    if draw(st.booleans()):
        event["through"] = draw(st.integers(of, length))
    if draw(st.booleans()):
        event["also"] = draw(st.lists(st.integers(0, length), max_size=4))
    return event


def correctable(evening, event):
    """Whether the record has all events that a correction names, and they can be corrected.

    The first may be a played event or a correction. Those of `also` must be played events.
    """
    also = event.get("also", ())
    if max(event.get("through", event["of"]), *also, 0) >= len(evening.recorded):
        return False
    is_statement = EVENTS[evening.recorded[event["of"]]["do"]].is_statement
    return not is_statement and all(evening.recorded[at]["do"] in PLAYED for at in also)


@examples(100)
@given(st.data())
def test_corrected_evening_equals_full_replay(data):
    evening = Evening(read_head(data.draw(heads())))
    for _ in range(data.draw(st.integers(0, 25))):
        if evening.recorded and data.draw(st.booleans()):
            event = data.draw(corrections(evening))
        else:
            statements = [event for event in STATEMENTS if is_legal(evening.state, event)]
            event = data.draw(st.sampled_from((*legal(evening.state), *statements))).to_json()
        before = (evening.state, len(evening.recorded), list(evening.steps))
        try:
            expected = state_of(evening.head, [*evening.recorded, event])
        except Illegal:
            expected = None
        changes_correction = (
            event["do"] == "korrektur"
            and (event["with"] not in (None, []) or "through" in event or event.get("also"))
            and event["of"] < len(evening.recorded)
            and evening.recorded[event["of"]]["do"] == "korrektur"
        )
        if event["do"] == "korrektur" and not correctable(evening, event):
            expected = None
        if expected is None or changes_correction:
            with pytest.raises(Illegal):
                evening.push(event)
            assert (evening.state, len(evening.recorded), evening.steps) == before
        else:
            assert evening.push(event) == expected


def test_correction_refusal_names_the_later_event():
    evening = played_evening("oberoesterreich", "A A", (5, 0))
    with pytest.raises(Illegal) as refusal:
        evening.push({"do": "korrektur", "of": 0, "with": {"do": "gewinnt", "side": 0, "stake": 4}})
    assert (refusal.value.event, refusal.value.code) == (1, "game-over")


def test_impossible_correction_names_its_own_event():
    evening = played_evening("oberoesterreich", "A A")
    with pytest.raises(Illegal) as refusal:
        evening.push({"do": "korrektur", "of": 0, "with": {"do": "gehen", "side": 1}})
    assert (refusal.value.event, refusal.value.code) == (2, "nothing-to-answer")


def test_correction_inserts_a_forgotten_round():
    evening = played_evening("oberoesterreich", "A A")
    assert evening.push({"do": "korrektur", "of": 0, "with": events("A B")}).points == (4, 2)
    assert evening.push({"do": "korrektur", "of": 2, "with": None}).points == (4, 0)


def test_undone_event_stays_in_the_record():
    evening = played_evening("bayern", "A")
    evening.push(evening.undo_correction().to_json())
    assert [event["do"] for event in evening.recorded] == ["gewinnt", "korrektur"]


@pytest.mark.slow
def test_long_correction_chain_costs_linear_steps(monkeypatch):
    applied = 0

    def counting(state, event):
        nonlocal applied
        applied += 1
        return apply(state, event)

    monkeypatch.setattr(evening_module, "apply", counting)
    evening = Evening(read_head(START))
    evening.push({"do": "gewinnt", "side": 0})
    for index in range(3000):
        evening.push({"do": "korrektur", "of": index, "with": None})
    # Each correction takes back the one before, so after an even number the round counts.
    assert evening.state.points == (2, 0)
    assert applied <= 3002


def test_new_event_costs_one_replay_step(monkeypatch):
    calls = []

    def counting(state, event):
        calls.append(event)
        return apply(state, event)

    monkeypatch.setattr(evening_module, "apply", counting)
    evening = Evening(read_head(START))
    for _ in range(500):
        calls.clear()
        won = evening.state.winner is not None
        evening.push({"do": "neues_spiel"} if won else {"do": "gewinnt", "side": 0})
        assert len(calls) == 1
    calls.clear()
    evening.push(evening.undo_correction().to_json())
    assert not calls
    evening.push(evening.redo_correction().to_json())
    assert len(calls) == 1


def test_replacing_a_correction_is_refused():
    evening = played_evening("bayern", "A")
    evening.push(Korrektur(0).to_json())
    with pytest.raises(Illegal, match="corrects-correction"):
        evening.push({"do": "korrektur", "of": 1, "with": {"do": "gewinnt", "side": 1}})


def test_one_correction_replaces_a_whole_round():
    evening = played_evening("oberoesterreich", "A A+ B= A")
    evening.push({"do": "gewinnt", "side": 1})
    assert evening.state.points == (5, 2)
    evening.push({"do": "korrektur", "of": 1, "through": 3, "with": events("B+ A-")})
    assert evening.state.points == (2, 4)
    evening.push({"do": "korrektur", "of": 5, "with": None})
    assert evening.state.points == (5, 2)


def test_correction_can_be_undone_and_redone():
    evening = played_evening("oberoesterreich", "A A")
    evening.push({"do": "korrektur", "of": 0, "with": {"do": "gewinnt", "side": 1}})
    assert evening.undo_correction() == Korrektur(2)
    assert evening.push(evening.undo_correction().to_json()).points == (4, 0)
    assert (evening.undo_index, evening.redo_index) == (1, 2)
    assert evening.push(evening.redo_correction().to_json()).points == (2, 2)
    assert evening.undo_correction() == Korrektur(2)


def test_copied_evening_changes_independently():
    evening = played_evening("oberoesterreich", "A A")
    other = evening.copy()
    other.push(other.undo_correction().to_json())
    assert (evening.undo_index, evening.redo_index) == (1, None)
    assert (other.undo_index, other.redo_index) == (0, 1)


def test_decision_and_won_round_are_undone_together():
    evening = played_evening("bayern", "A A A A A A B")
    asked = evening.state
    assert asked.decision is None
    evening.push({"do": "gewinnt", "side": 0})
    asked = evening.state
    assert asked.decision is not None
    evening.push({"do": "bleiben", "side": 0})
    assert evening.undo_correction() == Korrektur(8)
    evening.push({"do": "gewinnt", "side": 0})
    assert evening.undo_correction() == Korrektur(8, through=9)
    assert evening.push(evening.undo_correction().to_json()) == asked
    assert (evening.undo_index, evening.redo_index) == (7, 9)
    assert evening.push(evening.redo_correction().to_json()).points == (17, 2)
    # A program may strike out the last event alone. The event before it still counts.
    evening.push({"do": "korrektur", "of": 9, "with": None})
    assert (evening.undo_correction(), evening.redo_index) == (Korrektur(8), 9)
