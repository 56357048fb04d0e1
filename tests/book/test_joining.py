"""Of two versions of an evening either may count, and nothing is dropped."""

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.book.joining import overruling
from scorer.engine import legal, replay

HEAD = {"watten": 1, "rules": "suedtirol"}


def state(events):
    evening, refusal = replay({**HEAD, "events": events})
    assert refusal is None
    return evening.state


def played(data, before=()):
    """A few legal events behind others, as JSON."""
    events = []
    for _ in range(data.draw(st.integers(0, 6))):
        choice = [e for e in legal(state([*before, *events])) if e.do != "setzt_aus"]
        events.append(data.draw(st.sampled_from(choice)).to_json())
    return events


@settings(deadline=None)
@given(data=st.data())
def test_mine_counts_behind_theirs(data):
    both = played(data)
    theirs = played(data, both)
    mine = played(data, both)
    bodies = overruling(both + theirs, both + mine, len(both))
    joined, alone = state(both + theirs + bodies), state(both + mine)
    assert (joined.points, joined.bummerl, joined.games, joined.stake, joined.open_raise) == (
        alone.points,
        alone.bummerl,
        alone.games,
        alone.stake,
        alone.open_raise,
    )
