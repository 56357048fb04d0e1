"""Ledgers in both databases: members add evenings, and readers see them until their link is
renewed."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from scorer.book.erasure import erase
from scorer.book.ledgers import MAX_LEDGER_EVENTS, ROLES, Ledgers
from scorer.book.tables import Tables
from scorer.engine import Illegal, Unreadable, read_head
from scorer.store import NewStream, Seal
from scorer.store.keys import mint

HEAD = read_head({"watten": 1, "rules": "bayern"})


def test_reader_link_works_until_it_is_renewed(database):
    store, other = database.open(), database.open()
    ledgers, tables = Ledgers(store), Tables(store)
    keys = ledgers.create("Löwen")
    stream = store.find(keys["member"]).stream
    opened = [tables.create(HEAD) for _ in range(2)]
    for table in opened:
        evening = store.find(table["viewer"]).stream
        ledgers.add(stream, keys["member"], evening, table["viewer"], by="member")
    elsewhere = Ledgers(other)
    seen = elsewhere.current(stream)
    assert seen.name == "Löwen"
    boards = [key for _, key in elsewhere.boards(keys["reader"], seen)]
    assert boards == [table["viewer"] for table in opened]
    anew = ledgers.renew(stream, keys["member"], "reader")["reader"]
    assert other.find(keys["reader"]) is None
    assert [key for _, key in elsewhere.boards(anew, seen)] == boards
    ledgers.drop(stream, seen.evenings[0], by="member")
    assert elsewhere.current(stream).evenings == seen.evenings[1:]
    # The ledger keeps the key of a dropped evening until that evening is erased.
    assert other.streams_holding(f"table {seen.evenings[0]}") == [stream]
    store.erase(seen.evenings[0])
    ledgers.restore(stream, seen.evenings[0], by="member")
    assert elsewhere.current(stream).evenings == seen.evenings[1:]


def test_evening_is_restored_after_a_name_erasure(database):
    store = database.open()
    ledgers, table = Ledgers(store), Tables(store).create(HEAD)
    keys = ledgers.create("Löwen")
    stream, evening = (store.find(key).stream for key in (keys["member"], table["viewer"]))
    assert erase(store, stream, "Löwen", "N. N.") == 1
    ledgers.add(stream, keys["member"], evening, table["viewer"], by="member")
    ledgers.drop(stream, evening, by="member")
    ledgers.restore(stream, evening, by="member")
    assert ledgers.current(stream).evenings == (evening,)


def test_full_ledger_refuses_new_events(store):
    ledgers, table = Ledgers(store), Tables(store).create(HEAD)
    evening = store.find(table["viewer"]).stream
    entries = [{"do": do, "table": evening} for do in ("abend", "austragen")]
    other = "0" * 16
    events = [
        {"do": "abend", "table": other},
        *(entries[at % 2] for at in range(MAX_LEDGER_EVENTS - 2)),
    ]
    keys = {"member": mint(), "reader": mint()}
    new_stream = NewStream({"group": 1, "name": "Löwen"}, keys, events=events)
    stream = store.create("group", new_stream).id

    def upload(entry, name):
        member = keys["member"]
        return ledgers.record_upload(stream, member, entry, idempotency_key=name, by="x").is_new

    assert upload(entries[1], "last")
    for refused in (
        lambda: upload(entries[0], "more"),
        lambda: ledgers.add(stream, keys["member"], evening, table["viewer"], by="x"),
        lambda: ledgers.restore(stream, evening, by="x"),
        lambda: ledgers.drop(stream, other, by="x"),
    ):
        with pytest.raises(Illegal, match="ledger-full"):
            refused()
    # A recorded event can still be sent again.
    assert not upload(entries[1], "last")


def test_concurrent_writers_cannot_overfill_a_ledger(database):
    store = database.open()
    ledgers, tables = Ledgers(store), Tables(store)
    keys = {role: mint() for role in ROLES}
    member = keys["member"]
    events = [{"do": "abend", "table": "0" * 16}] * (MAX_LEDGER_EVENTS - 2)
    new_stream = NewStream({"group": 1, "name": "Löwen"}, keys, events=events)
    stream = store.create("group", new_stream).id
    before = len(store.streams("table"))
    opened = [tables.create(HEAD) for _ in range(4)]

    def add(viewer):
        ledgers.add(stream, member, store.find(viewer).stream, viewer, "x")

    def new(at):
        ledgers.open(
            stream, member, lambda: tables.prepare_empty(HEAD), idempotency_key=f"{at}", by="x"
        )

    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(add, table["viewer"]) for table in opened]
        futures += [pool.submit(new, at) for at in range(4)]
    assert {str(one.exception()) for one in futures if one.exception()} == {"ledger-full"}
    assert sum(one.exception() is None for one in futures) == 2
    assert store.length(stream) == MAX_LEDGER_EVENTS
    # Refused requests created no table.
    known = set(ledgers.current(stream).evenings) | {store.find(t["viewer"]).stream for t in opened}
    assert len(store.streams("table")) - before == len(known) - 1


def test_ledger_accepts_only_evenings_readers_can_open(database):
    """A ledger accepts evenings that its readers can open, and keeps them if a link is renewed."""
    store = database.open()
    ledgers, tables = Ledgers(store), Tables(store)
    keys, table = ledgers.create("Löwen"), tables.create(HEAD)
    stream, evening = (store.find(key).stream for key in (keys["member"], table["viewer"]))
    entries = [{"do": do, "table": evening} for do in ("abend", "austragen", "abend")]

    def upload(at, role="scorer"):
        options = {"idempotency_key": f"{at}", "by": "x", "writer_key": table[role]}
        return ledgers.record_upload(stream, keys["member"], entries[at], **options).is_new

    for entry in (0, 1):
        with pytest.raises(Unreadable, match="needs a link"):
            upload(entry)
    store.grant(stream, {}, seals=[Seal(keys["reader"], f"table {evening}", table["viewer"])])
    # Only the writer's key lets the evening count.
    for role in ("opponent", "viewer"):
        with pytest.raises(Unreadable, match="needs a link"):
            upload(0, role)
    assert upload(0)
    tables.links.renew(evening, table["scorer"], "viewer")
    assert [upload(at) for at in (0, 1, 2)] == [False, True, True]
    assert ledgers.current(stream).evenings == (evening,)
