"""Any change of a recorded entry breaks the hash chain at that entry."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.store import hash_chain

names = st.text(max_size=5).filter(lambda name: name != "hash")
bodies = st.dictionaries(names, st.integers() | st.text(max_size=5) | st.none(), max_size=3)


def with_hashes(head, events):
    previous, found = hash_chain.head_hash(head), []
    for event in events:
        previous = hash_chain.entry_hash(previous, event)
        found.append({**event, "hash": previous})
    return found


@given(bodies, st.lists(bodies, min_size=1, max_size=6), st.data())
def test_changed_events_are_found(head, events, data):
    events = with_hashes(head, events)
    assert hash_chain.first_broken_entry(head, events) is None
    at = data.draw(st.integers(0, len(events) - 1))
    altered = copy.deepcopy(events)
    altered[at]["new"] = "field"
    assert hash_chain.first_broken_entry(head, altered) == at
    if at < len(events) - 1:
        assert hash_chain.first_broken_entry(head, events[:at] + events[at + 1 :]) == at
        moved = [*events[:at], events[at + 1], events[at], *events[at + 2 :]]
        assert hash_chain.first_broken_entry(head, moved) == at
    assert hash_chain.first_broken_entry({**head, "other": "head"}, events) == 0


def test_altered_hash_is_found():
    events = with_hashes({}, [{"n": 1}, {"n": 2}])
    events[1]["hash"] = events[1]["hash"][::-1]
    assert hash_chain.first_broken_entry({}, events) == 1


@pytest.mark.parametrize(
    "sealed", [{}, {"sealed": [1]}, {"sealed": 7}, {"sealed": "0 " + "0" * 64}]
)
def test_malformed_erasure_breaks_the_chain(sealed):
    events = with_hashes({}, [{"n": 1}, {"do": hash_chain.ERASURE, **sealed}])
    assert hash_chain.first_broken_entry({}, events) == 1
    assert hash_chain.erasure_notes(events) == []


def test_erasure_of_a_huge_index_is_ignored():
    said = f"{'9' * 5000} {'0' * 64}"
    events = with_hashes({}, [{"do": hash_chain.ERASURE, "sealed": [said]}])
    assert hash_chain.first_broken_entry({}, events) is None


HEAD = {"watten": 1}
WON = with_hashes(HEAD, [{"do": "gewinnt", "side": 0, "note": str(number)} for number in range(5)])
LOST = with_hashes(HEAD, [*WON[:3], {"do": "gewinnt", "side": 1}, *WON[4:]])


def witness_of(events, count):
    return hash_chain.read_witness(hash_chain.Witness(events[count - 1]["hash"], count).text)


def test_longer_record_matches_older_witnesses():
    witnesses = [witness_of(WON, 2), witness_of(WON, 5)]
    assert hash_chain.first_contradiction(HEAD, WON, witnesses) is None
    witness = hash_chain.read_witness(WON[2]["hash"])
    assert hash_chain.first_contradiction(HEAD, WON, [witness]) is None


def test_removed_last_events_are_found():
    assert hash_chain.first_contradiction(HEAD, WON[:3], [witness_of(WON, 5)]) == 3
    witnesses = [witness_of(WON, 3), hash_chain.read_witness(WON[4]["hash"])]
    assert hash_chain.first_contradiction(HEAD, WON[:3], witnesses) == 3


def test_rewritten_record_is_found():
    assert hash_chain.first_contradiction(HEAD, LOST, [witness_of(WON, 2), witness_of(WON, 5)]) == 2
    assert hash_chain.first_contradiction(HEAD, LOST, [witness_of(WON, 4)]) == 0


@pytest.mark.parametrize("text", ["", "12:", "1234567", "xyz" * 4, "1" * 65, "one:" + "a" * 20])
def test_invalid_witness_is_refused(text):
    with pytest.raises(ValueError):
        hash_chain.read_witness(text)
