"""Appending is atomic, ordered, and happens once for each key."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

import pytest

from scorer.store import IdempotencyKeyReused, NewStream, Stale, UnknownStream, hash_chain
from scorer.store.database_url import open_store


def append(store, stream, n, **options):
    return store.append(stream, {"do": "x", "n": n}, idempotency_key=str(n), by="me", **options)


def test_events_have_order_time_and_hash(store, stream):
    for n in range(5):
        assert append(store, stream, n).stored.n == n + 1
    events = store.events(stream)
    assert [stored.n for stored in events] == [1, 2, 3, 4, 5]
    assert [stored.event["n"] for stored in events] == list(range(5))
    assert all(stored.event["by"] == "me" and stored.event["at"] for stored in events)
    assert hash_chain.first_broken_entry({"watten": 1}, [stored.event for stored in events]) is None
    assert [stored.n for stored in store.events(stream, after=3)] == [4, 5]
    assert store.length(stream) == 5


def test_the_same_key_records_once(store, stream):
    first = append(store, stream, 1)
    append(store, stream, 2)
    repeated = append(store, stream, 1, expected=0)
    assert (first.is_new, repeated.is_new) == (True, False)
    assert repeated.stored == first.stored
    assert store.find_recorded(stream, "1") == first.stored
    assert store.find_recorded(stream, "3") is None
    assert store.length(stream) == 2


def test_reused_key_is_refused(store, stream):
    append(store, stream, 1)
    with pytest.raises(IdempotencyKeyReused):
        store.append(stream, {"do": "y"}, idempotency_key="1", by="me")
    with pytest.raises(IdempotencyKeyReused):
        store.find_recorded(stream, "1", {"do": "y"})


def test_authors_are_found_by_key_prefix(store, stream):
    for key, by in (("a:1", "one"), ("a:2", "two"), ("a", "no"), ("ab:1", "no"), ("b:1", "b")):
        store.append(stream, {"do": key}, idempotency_key=key, by=by)
    assert store.signatures_of_idempotency_keys(stream, ["a:", "b:"]) == {"one", "two", "b"}
    assert store.signatures_of_idempotency_keys(stream, ["c:"]) == set()


def test_keys_belong_to_their_stream(store, stream):
    other = store.create("table", NewStream({}, {})).id
    append(store, stream, 1)
    assert append(store, other, 1).is_new


def test_stale_expectation_is_refused(store, stream):
    append(store, stream, 1, expected=0)
    with pytest.raises(Stale) as stale:
        append(store, stream, 2, expected=0)
    assert stale.value.n == 1
    assert store.length(stream) == 1


@pytest.mark.parametrize("key", ["", "x" * 201, "a\0b"])
def test_invalid_idempotency_key_is_refused(store, stream, key):
    with pytest.raises(ValueError, match="idempotency"):
        store.append(stream, {}, idempotency_key=key, by="me")


def test_unknown_stream_raises_and_has_no_events(store):
    with pytest.raises(UnknownStream):
        append(store, "nosuch", 1)
    with pytest.raises(UnknownStream):
        store.stream("nosuch")
    assert store.events("nosuch") == []


def test_one_of_many_concurrent_appends_wins(store, stream):
    def attempt(n):
        try:
            return append(store, stream, n, expected=0).stored.n
        except Stale:
            return None

    with ThreadPoolExecutor(16) as pool:
        wins = [n for n in pool.map(attempt, range(16)) if n]
    assert wins == [1]


def write_many(place, stream, name):
    store = open_store(place, patience=30)
    for n in range(25):
        store.append(stream, {"n": n}, idempotency_key=f"{name} {n}", by=name)
    store.close()


@pytest.mark.slow
def test_many_processes_make_one_gapless_chain(database, store, stream):
    context = multiprocessing.get_context("spawn")
    given = ((database.place, stream, f"p{n}") for n in range(4))
    writers = [context.Process(target=write_many, args=args) for args in given]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    events = store.events(stream)
    assert [stored.n for stored in events] == list(range(1, 101))
    assert hash_chain.first_broken_entry({"watten": 1}, [stored.event for stored in events]) is None
    for name in ("p0", "p1", "p2", "p3"):
        assert [s.event["n"] for s in events if s.event["by"] == name] == list(range(25))


def test_store_reports_changed_streams(store, stream):
    other = store.create("table", NewStream({}, {})).id
    before = store.changes()
    assert store.changes() == before
    append(store, stream, 1)
    while store.changes() == before:
        pass
    position, moved = store.grown_streams(0)
    assert moved == {stream: 1}
    append(store, other, 1)
    append(store, other, 2)
    later, moved = store.grown_streams(position)
    assert (later > position, moved) == (True, {other: 2})
    assert store.grown_streams(later) == (later, {})
