"""Any change to what was recorded breaks the chain where it was made."""

import copy

from hypothesis import given
from hypothesis import strategies as st

from scorer.store import chain

bodies = st.dictionaries(
    st.text(max_size=5).filter(lambda name: name != "hash"),
    st.integers() | st.text(max_size=5) | st.none(),
    max_size=3,
)


def chained(head, events):
    previous, found = chain.first(head), []
    for event in events:
        previous = chain.link(previous, event)
        found.append({**event, "hash": previous})
    return found


@given(bodies, st.lists(bodies, min_size=1, max_size=6), st.data())
def test_altered_dropped_and_moved_events_are_found(head, events, data):
    events = chained(head, events)
    assert chain.check(head, events) is None
    at = data.draw(st.integers(0, len(events) - 1))
    altered = copy.deepcopy(events)
    altered[at]["new"] = "field"
    assert chain.check(head, altered) == at
    if at < len(events) - 1:
        assert chain.check(head, events[:at] + events[at + 1 :]) == at
        moved = [*events[:at], events[at + 1], events[at], *events[at + 2 :]]
        assert chain.check(head, moved) == at
    assert chain.check({**head, "other": "head"}, events) == 0


def test_a_hash_altered_alone_is_found():
    events = chained({}, [{"n": 1}, {"n": 2}])
    events[1]["hash"] = events[1]["hash"][::-1]
    assert chain.check({}, events) == 1
