"""Tables over a store; what an older release wrote stays as it was."""

from scorer.book.table_links import ROLES
from scorer.book.tables import Tables, record_of
from scorer.engine import read_head, rules_of
from scorer.store import NewStream, hash_chain
from scorer.store.keys import mint, mint_code
from tests.builders import WON, head_and_events


def older_head():
    """The head of an older release, which had fewer rules and another target."""
    head = read_head({"watten": 1, "rules": "oberoesterreich"}).to_json()
    values = head["resolved"]["values"]
    for name in ("weli", "follow_answer", "last_card"):
        del values[name]
    values["target"] = 10
    return head


def test_older_evening_keeps_rules_and_chain(store):
    keys = {**{role: mint() for role in ROLES}, "code": mint_code()}
    stream = store.create("table", NewStream(older_head(), keys)).id
    tables = Tables(store)
    for number in range(5):
        tables.record(stream, WON, idempotency_key=str(number), by="scorer", expected=number)
    table = tables.current(stream)
    state, record = table.evening.state, record_of(table)
    keys = tables.create_from_record(record)
    table = tables.current(store.find(keys["viewer"]).stream)
    assert record_of(table) == record
    assert (state.rules.target, state.winner) == (10, 0)
    # Rules that the head lacks have the region's present values and citations.
    assert state.rules.weli == rules_of("oberoesterreich").weli
    assert state.rules.cite("weli")
    head, events = head_and_events(record)
    assert head == older_head()
    assert hash_chain.first_broken_entry(head, events) is None
