"""Evenings in memory: how many, and when one is replayed from its start."""

import pytest

from scorer.book.stream_cache import StreamCache
from scorer.book.tables import Tables
from scorer.engine import Evening, read_head
from tests.builders import new_table_with_events


@pytest.fixture
def replayed_from_start():
    """The ids of the streams that `cache` replays from their start, in order."""
    return []


@pytest.fixture
def cache(store, replayed_from_start):
    def start(stream):
        replayed_from_start.append(stream.id)
        return Evening(read_head(stream.head))

    return StreamCache(store, start, max_events=100)


def test_evening_cache_is_bounded_by_event_count(store, cache, replayed_from_start):
    tables = Tables(store)
    short, long = new_table_with_events(tables, 20), new_table_with_events(tables, 300)
    for stream in (short, short, long, long, short):
        assert len(cache.current(stream).recorded) == (300 if stream == long else 20)
    # The long evening leaves no room for another.
    assert replayed_from_start == [short, long, short]


def test_forgotten_evening_frees_its_cache_space(store, cache, replayed_from_start):
    tables = Tables(store)
    stream, other = new_table_with_events(tables, 20), new_table_with_events(tables, 20)
    for _ in range(5):
        cache.current(stream)
        cache.drop_cached(stream)
    for name in (stream, other, stream, other):
        cache.current(name)
    assert replayed_from_start == [*[stream] * 6, other]
