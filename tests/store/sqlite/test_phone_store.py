"""A phone's store tracks what the server has and what must be uploaded."""

import pytest

from scorer.store import NewStream
from scorer.store.hash_chain import first_broken_entry
from scorer.store.name_redaction import with_name_replaced
from scorer.store.sqlite import SqliteStore
from scorer.store.sqlite.phone_store import PhoneStore
from tests.builders import BAYERN, LOST, WON


@pytest.fixture
def server(tmp_path):
    return SqliteStore(tmp_path / "server.db")


@pytest.fixture
def phone(tmp_path):
    return PhoneStore(tmp_path / "phone.db")


@pytest.fixture
def stream(server):
    """The stream of a table on the server."""
    return server.create("table", NewStream(BAYERN, {"scorer": "key"})).id


@pytest.fixture
def shared(phone, server, stream):
    """The stream of a table that the server and the phone have."""
    phone.adopt(server.dump([stream]))
    return stream


def bodies(waiting):
    return [entry["body"] for entry in waiting.events]


def write(store, stream, *events, key="k"):
    for event in events:
        n = store.length(stream)
        store.append(stream, event, idempotency_key=f"{key}{n}", by="scorer a", expected=n)


def test_name_erased_on_the_server_is_erased_on_phone(phone, server):
    head = {**BAYERN, "sides": [{"players": ["Cilli"]}, {}]}
    stream = server.create("table", NewStream(head, {"scorer": "key"})).id
    write(server, stream, {**WON, "player": "Cilli"}, LOST)
    phone.adopt(server.dump([stream]))
    server.redact(
        stream, lambda entry: with_name_replaced(entry, "Cilli", "N. N."), lambda *_: None
    )
    assert phone.adopt(server.dump([stream])) == "updated"
    assert phone.dump([stream]) == server.dump([stream])
    events = [stored.event for stored in phone.events(stream)]
    assert first_broken_entry(phone.stream(stream).head, events) is None


def kinds_and_sides(store, stream):
    return [(entry.event["do"], entry.event.get("side")) for entry in store.events(stream)]


def test_new_table_waits_for_upload_with_its_rounds(phone):
    stream = phone.create("table", NewStream(BAYERN, {"scorer": "key"})).id
    assert [waiting.count for waiting in phone.unsent()] == [1]
    # Each round written in the new table counts.
    write(phone, stream, WON, LOST)
    [waiting] = phone.unsent()
    assert (waiting.stream, waiting.count, waiting.is_new) == (stream, 2, True)
    phone.note_created(stream, 2)
    assert phone.unsent() == []
    write(phone, stream, LOST)
    [waiting] = phone.unsent()
    assert (waiting.is_new, bodies(waiting)) == (False, [LOST])


def test_the_same_copy_again_changes_nothing(phone, server, stream):
    # A table without events is news, too.
    assert phone.adopt(server.dump([stream])) == "updated"
    write(server, stream, WON)
    assert phone.adopt(server.dump([stream])) == "updated"
    assert phone.adopt(server.dump([stream])) == "unchanged"
    write(server, stream, LOST)
    assert phone.adopt(server.dump([stream])) == "updated"
    assert phone.dump([stream]) == server.dump([stream])
    assert phone.unsent() == []
    assert phone.find("key").role == "scorer"


def test_server_entries_replace_uploaded_ones(phone, server, shared):
    write(phone, shared, WON, LOST, key="phone")
    [waiting] = phone.unsent()
    for n, entry in enumerate(waiting.events):
        name = {"idempotency_key": entry["key"], "by": "scorer a"}
        taken = server.append(shared, entry["body"], **name, expected=n)
        phone.replace_first_unsent(shared, taken.stored.n, taken.stored.event)
    write(phone, shared, WON, key="later")
    assert phone.adopt(server.dump([shared])) == "unchanged"
    assert kinds_and_sides(phone, shared) == [("gewinnt", 0), ("gewinnt", 1), ("gewinnt", 0)]
    assert [e.event for e in phone.events(shared)][:2] == [e.event for e in server.events(shared)]
    assert first_broken_entry(BAYERN, [entry.event for entry in phone.events(shared)]) is None
    assert bodies(phone.unsent()[0]) == [WON]


def test_entry_with_a_lost_response_is_recognised(phone, server, shared):
    write(phone, shared, WON, LOST, key="phone")
    server.append(shared, WON, idempotency_key="phone0", by="scorer a", expected=0)
    assert phone.adopt(server.dump([shared])) == "updated"
    [waiting] = phone.unsent()
    assert (waiting.base, bodies(waiting)) == (1, [LOST])
    assert [e.event for e in phone.events(shared)][:1] == [e.event for e in server.events(shared)]
    assert first_broken_entry(BAYERN, [entry.event for entry in phone.events(shared)]) is None


def test_other_event_under_the_same_key_is_a_conflict(phone, server, shared):
    write(phone, shared, WON, key="phone")
    server.append(shared, LOST, idempotency_key="phone0", by="scorer a", expected=0)
    assert phone.adopt(server.dump([shared])) == "conflict"


def test_events_after_another_phones_are_a_conflict(phone, server, shared):
    write(phone, shared, WON, key="phone")
    server.append(shared, WON, idempotency_key="phone0", by="scorer a", expected=0)
    write(server, shared, LOST, key="server")
    later = [WON, {"do": "korrektur", "of": 1, "with": None}]
    write(phone, shared, *later, key="later")
    assert phone.adopt(server.dump([shared])) == "conflict"
    assert phone.server_length(shared) == 1
    assert kinds_and_sides(phone, shared) == [("gewinnt", 0), ("gewinnt", 0), ("korrektur", None)]


def test_no_conflict_when_all_is_uploaded(phone, server, shared):
    """The server put another phone's event before the phone's."""
    write(phone, shared, WON, key="phone")
    write(server, shared, LOST, key="server")
    taken = server.append(shared, WON, idempotency_key="phone0", by="scorer a", expected=1)
    phone.replace_first_unsent(shared, taken.stored.n, taken.stored.event)
    assert phone.adopt(server.dump([shared])) == "updated"
    assert phone.dump([shared]) == server.dump([shared])


def test_ledger_entries_merge_without_a_conflict(phone, server):
    stream = server.create("group", NewStream({"group": 1, "name": "G"}, {"member": "key"})).id
    phone.adopt(server.dump([stream]))
    mine, theirs, last = ({"do": "abend", "table": table} for table in "abc")
    write(phone, stream, mine, key="phone")
    write(server, stream, theirs, key="server")
    server.append(stream, mine, idempotency_key="phone0", by="member a")
    write(phone, stream, last, key="later")
    assert phone.adopt(server.dump([stream])) == "updated"
    assert [entry.event["table"] for entry in phone.events(stream)] == ["b", "a", "c"]
    [waiting] = phone.unsent()
    assert (waiting.base, bodies(waiting)) == (2, [last])


def test_concurrent_writes_are_a_conflict(phone, server, stream):
    write(server, stream, WON)
    phone.adopt(server.dump([stream]))
    write(server, stream, LOST, key="server")
    write(phone, stream, WON, WON, key="phone")
    assert phone.adopt(server.dump([stream])) == "conflict"
    assert phone.server_length(stream) == 1
    assert kinds_and_sides(phone, stream) == [("gewinnt", 0)] * 3
    assert phone.conflicts() == {stream: server.dump([stream])}
    # Until somebody decides, the phone sends none of its events.
    assert phone.unsent() == []


def test_adopted_events_cannot_be_deleted(phone, server, shared):
    write(phone, shared, WON, key="phone")
    server.append(shared, WON, idempotency_key="phone0", by="scorer a", expected=0)
    phone.adopt(server.dump([shared]))
    with phone._db.borrow() as db, pytest.raises(Exception, match="append-only"):
        db.execute("delete from events")
