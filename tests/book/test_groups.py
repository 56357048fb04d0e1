"""Ledgers over either database: what a member adds its readers see, until their link is renewed."""

from scorer.book.groups import Groups
from scorer.book.tables import Tables
from scorer.engine import read_head


def test_readers_see_what_members_add_and_no_more_once_their_link_is_renewed(bank):
    store, other = bank.open(), bank.open()
    groups, tables = Groups(store), Tables(store)
    keys = groups.create("Löwen")
    stream = store.find(keys["member"]).stream
    opened = [tables.create(read_head({"watten": 1, "rules": "bayern"})) for _ in range(2)]
    for table in opened:
        evening = store.find(table["viewer"]).stream
        groups.add(stream, keys["member"], evening, table["viewer"], by="member")
    elsewhere = Groups(other)
    seen = elsewhere.reading(stream)
    assert seen.name == "Löwen"
    boards = [key for _, key in elsewhere.boards(keys["reader"], seen)]
    assert boards == [table["viewer"] for table in opened]
    anew = groups.renew(stream, keys["member"], "reader")["reader"]
    assert other.find(keys["reader"]) is None
    assert [key for _, key in elsewhere.boards(anew, seen)] == boards
    groups.drop(stream, seen.evenings[0], by="member")
    assert elsewhere.reading(stream).evenings == seen.evenings[1:]
