"""Limits of the work that tables cause, counted in replayed events instead of seconds."""

import pytest

from scorer.book.table_event_limits import (
    MAX_OPEN_PROPOSALS,
    MAX_TABLE_EVENTS,
    MAX_TABLE_REPLAY_COST,
)
from scorer.book.tables import Tables
from scorer.engine import Evening, Illegal, Korrektur, read_head
from scorer.engine.telling.correction_preview import preview
from tests.builders import ANNOUNCEMENTS, BAYERN, new_table_with_events


def record_event(tables, stream, event, name):
    return tables.record(stream, event, idempotency_key=name, by="x", expected=None)


def test_full_table_refuses_new_events(store):
    tables = Tables(store)
    stream = new_table_with_events(tables, MAX_TABLE_EVENTS - 1)
    assert record_event(tables, stream, ANNOUNCEMENTS[0], "last").seq == MAX_TABLE_EVENTS
    with pytest.raises(Illegal, match="table-full"):
        record_event(tables, stream, ANNOUNCEMENTS[0], "more")
    # A recorded event can still be sent again, and the table can still be read.
    assert not record_event(tables, stream, ANNOUNCEMENTS[0], "last").is_new
    assert tables.current(stream).seq == MAX_TABLE_EVENTS


def test_corrections_count_toward_the_table_limit(store):
    tables = Tables(store)
    stream = new_table_with_events(tables, 900)
    first = {"do": "korrektur", "of": 0, "with": [{"do": "ansage", "schlag": "9"}]}
    with pytest.raises(Illegal, match="table-full"):
        for number in range(100):
            record_event(tables, stream, first, str(number))
    cost = tables.current(stream).evening.replay_cost
    assert MAX_TABLE_REPLAY_COST <= cost <= MAX_TABLE_REPLAY_COST + MAX_TABLE_EVENTS
    # Reading the table from the store costs the same.
    assert Tables(store).current(stream).evening.replay_cost == cost


def test_too_many_open_proposals_are_refused(store):
    tables = Tables(store)
    stream = new_table_with_events(tables, MAX_OPEN_PROPOSALS + 1)

    def propose(of):
        body = {"do": "vorschlag", "side": 0, "of": of, "with": []}
        return record_event(tables, stream, body, f"p{of}")

    for of in range(MAX_OPEN_PROPOSALS):
        propose(of)
    with pytest.raises(Illegal, match="too-many-proposals"):
        propose(MAX_OPEN_PROPOSALS)


def test_preview_replays_only_later_events(store):
    evening = Evening(read_head(BAYERN))
    for number in range(200):
        evening.push(ANNOUNCEMENTS[number % 2])
    before = evening.replay_cost
    trial = evening.copy()
    trial.push(Korrektur(190).to_json())
    assert trial.replay_cost - before < 10
    assert preview(evening, Korrektur(190)).after == trial.state
    assert evening.replay_cost == before


def test_reading_stops_at_the_event_budget(store):
    tables = Tables(store)
    streams = [new_table_with_events(tables, 300) for _ in range(4)]
    for most in (1, 350, 700, 5000):
        read = Tables(store).current_within(streams, most)
        assert [*read] == streams[: max(1, min(4, most // 310))]
        assert all(read[stream].seq == 300 for stream in read)
    assert tables.current_within([]) == {}


def test_reading_budget_counts_replay_steps(store):
    tables = Tables(store)
    short, long = new_table_with_events(tables, 20), new_table_with_events(tables, 100)
    first = {"do": "korrektur", "of": 0, "with": [{"do": "ansage", "schlag": "9"}]}
    for number in range(20):
        record_event(tables, long, first, str(number))
    assert tables.current(long).replay_cost > 1000
    assert [*tables._cache.current_within([long, short], 1000, max_batch=0)] == [long]
