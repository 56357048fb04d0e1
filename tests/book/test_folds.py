"""Evenings in memory: how many, and when one is folded again from its start."""

import pytest

from scorer.book.folds import Folds
from scorer.book.tables import Tables
from scorer.engine import Evening, read_head
from tests.builders import new_table_with_events


@pytest.fixture
def folded_from_start():
    """The ids of the streams that `folds` folds from their start, in order."""
    return []


@pytest.fixture
def folds(store, folded_from_start):
    def start(stream):
        folded_from_start.append(stream.id)
        return Evening(read_head(stream.head))

    return Folds(store, start, max_events=100)


def test_evening_cache_is_bounded_by_event_count(store, folds, folded_from_start):
    tables = Tables(store)
    short, long = new_table_with_events(tables, 20), new_table_with_events(tables, 300)
    for stream in (short, short, long, long, short):
        assert len(folds.current(stream).recorded) == (300 if stream == long else 20)
    # The long evening leaves no room for another.
    assert folded_from_start == [short, long, short]


def test_forgotten_evening_frees_its_cache_space(store, folds, folded_from_start):
    tables = Tables(store)
    stream, other = new_table_with_events(tables, 20), new_table_with_events(tables, 20)
    for _ in range(5):
        folds.current(stream)
        folds.drop_cached(stream)
    for name in (stream, other, stream, other):
        folds.current(name)
    assert folded_from_start == [*[stream] * 6, other]
