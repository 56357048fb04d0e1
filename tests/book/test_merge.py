"""Either of two versions of an evening may be chosen, and no entry is dropped."""

from hypothesis import given
from hypothesis import strategies as st

from scorer.book.merge import merge_events
from scorer.engine import legal, replay
from tests.builders import LOST

HEAD = {"watten": 1, "rules": "suedtirol"}


def state(events):
    evening, refusal = replay({**HEAD, "events": events})
    assert refusal is None
    return evening.state


def played(data, before=()):
    """Up to six legal events or corrections that follow `before`, as JSON."""
    events = []
    for _ in range(data.draw(st.integers(0, 6))):
        choice = [e for e in legal(state([*before, *events])) if e.do != "setzt_aus"]
        event = data.draw(st.sampled_from(choice)).to_json()
        if data.draw(st.booleans()):
            event = corrected(data, len(before) + len(events)) or event
        if replay({**HEAD, "events": [*before, *events, event]})[1] is None:
            events.append(event)
    return events


def corrected(data, length):
    """A random correction among the first `length` events, or None if there are none."""
    if not length:
        return None
    at = st.integers(0, length - 1)
    event = {"do": "korrektur", "of": data.draw(at), "with": data.draw(st.none() | st.just(LOST))}
    if data.draw(st.booleans()):
        event |= {"through": event["of"], "also": data.draw(st.lists(at, max_size=2))}
    return event


@given(data=st.data())
def test_chosen_version_keeps_its_score_after_a_merge(data):
    both = played(data)
    theirs = played(data, both)
    mine = played(data, both)
    bodies = merge_events(both + theirs, both + mine, len(both))
    joined, alone = state(both + theirs + bodies), state(both + mine)
    for name in ("points", "bummerl", "games", "stake", "open_raise"):
        assert getattr(joined, name) == getattr(alone, name)
