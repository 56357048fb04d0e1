"""Words are erased from either database completely or not at all, with a record of it."""

import pytest

from scorer.store import NewStream, UnknownStream, hash_chain
from scorer.store.name_redaction import with_name_replaced

HEAD = {"watten": 1, "sides": [{"name": "", "players": ["Cilli", "Resi"]}]}


@pytest.fixture
def stream(store):
    stream = store.create("table", NewStream(HEAD, {"scorer": "key-of-scorer"})).id
    for n, event in enumerate(({"do": "x", "player": "Cilli"}, {"do": "y"})):
        store.append(stream, event, idempotency_key=str(n), by="scorer")
    return stream


def no_cilli(entry):
    return with_name_replaced(entry, "Cilli", "N. N.")


def anything(head, events):
    """Accept every result."""


def test_redaction_removes_words_and_keeps_the_chain(store, stream):
    before = [stored.event["hash"] for stored in store.events(stream)]
    assert store.redact(stream, no_cilli, anything).stored.n == 3
    head, events = store.stream(stream).head, [stored.event for stored in store.events(stream)]
    assert "Cilli" not in str(store.dump())
    assert head["sides"][0]["players"] == ["N. N.", "Resi"]
    assert [event["hash"] for event in events[:2]] == before
    assert hash_chain.first_broken_entry(head, events) is None
    assert set(hash_chain.erased_entries(events)) == {hash_chain.HEAD_INDEX, 0}


def test_nothing_to_redact_records_nothing(store, stream):
    assert store.redact(stream, dict, anything) is None
    assert store.length(stream) == 2


def test_redaction_refused_by_caller_changes_nothing(store, stream):
    before = store.dump()

    def refuse(head, events):
        raise LookupError

    with pytest.raises(LookupError):
        store.redact(stream, no_cilli, refuse)
    assert store.dump() == before
    with pytest.raises(UnknownStream):
        store.redact("nowhere", no_cilli, anything)


def test_updates_are_refused_after_a_redaction(store, stream, database):
    store.redact(stream, no_cilli, anything)
    with pytest.raises(Exception, match="append-only"):
        database.execute("update events set event = '{}'")
    store.append(stream, {"do": "z"}, idempotency_key="z", by="scorer")
    head, events = store.stream(stream).head, [stored.event for stored in store.events(stream)]
    assert hash_chain.first_broken_entry(head, events) is None


def test_erased_stream_is_empty(store, stream, database):
    other = store.create("table", NewStream({"watten": 1}, {"scorer": "another-key"})).id
    reader = database.open()
    assert [len(reader.events(name)) for name in (stream, other)] == [2, 0]
    store.note_visit(stream, "2026-01-01", "2026-01-02")
    store.erase(stream)
    assert store.find("key-of-scorer") is None
    assert store.visit_days(stream) is None
    assert store.streams("table") == [other]
    assert "Cilli" not in str(store.dump())
    # A store that read the erased events before does not report an exchanged database.
    reader.append(other, {"do": "z"}, idempotency_key="z", by="scorer")
    assert [entry["id"] for entry in store.dump()["streams"]] == [other]
