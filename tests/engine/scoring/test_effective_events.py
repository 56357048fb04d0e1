"""The effective events depend on the record only, and the evening replays exactly these."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import Evening, apply, parse, read_head, rules_of
from scorer.engine.scoring.effective_events import EffectiveEvent, EffectiveEvents, effective_events
from tests.released.play import head, play
from tests.sampling import examples

many = examples(60)


@st.composite
def corrected_evenings(draw):
    """An evening with corrections, undo, redo, proposals and statements."""
    rng = Random(draw(st.integers(0, 10**6)))
    region = draw(st.sampled_from(("oberoesterreich", "bayern", "trentino")))
    evening = Evening(read_head(head(region, rules_of(region).variants[0], rng)))
    play(evening, rng, draw(st.integers(0, 40)))
    return evening


@many
@given(corrected_evenings())
def test_evening_replays_exactly_the_effective_events(evening):
    effective = effective_events(map(parse, evening.recorded))
    assert [EffectiveEvent(s.place, s.recorded_index, s.event) for s in evening.steps] == effective
    state = evening.head.start()
    for event, step in zip(effective, evening.steps, strict=True):
        state = apply(state, event.event)
        assert state == step.after


@many
@given(corrected_evenings())
def test_copied_effective_events_change_independently(evening):
    effective = EffectiveEvents()
    for recorded in evening.recorded:
        copy, event = effective.copy(), parse(recorded)
        before = (list(effective.events), list(effective.in_effect), effective.proposals.open)
        copy.record(event, copy.change_for(event))
        assert before == (effective.events, effective.in_effect, effective.proposals.open)
        effective = copy
