"""A table's six-character code opens its board until two days after the last entry."""

from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from scorer.book.table_links import CODE_LIFETIME, CodeEnded
from scorer.book.tables import Tables
from scorer.engine import read_head
from scorer.store.sqlite import SqliteStore
from tests.builders import BAYERN, WON


@pytest.fixture
def expired_table(tmp_path):
    """Tables over a store with a table whose code has expired, and that table's keys."""
    before = datetime.now(UTC) - CODE_LIFETIME - timedelta(hours=1)
    with closing(SqliteStore(tmp_path / "x.db", clock=before.isoformat)) as then:
        keys = Tables(then).create(read_head(BAYERN))
    with closing(SqliteStore(tmp_path / "x.db")) as store:
        yield Tables(store), keys


def test_code_expires_two_days_after_the_last_entry(expired_table):
    tables, keys = expired_table
    with pytest.raises(CodeEnded):
        tables.links.viewer_of_code(keys["code"])
    # A new entry makes the code valid again. The links did not expire.
    stream = tables.store.find(keys["viewer"]).stream
    tables.record(stream, WON, idempotency_key="k", by="scorer", expected=0)
    assert tables.links.viewer_of_code(keys["code"]) == keys["viewer"]


def test_expired_code_is_replaced(expired_table):
    tables, keys = expired_table
    stream = tables.store.find(keys["scorer"]).stream
    renewed = tables.links.with_code(stream, keys["scorer"])
    assert renewed["code"] != keys["code"]
    assert renewed == {**keys, "code": renewed["code"]}
    assert tables.links.viewer_of_code(renewed["code"]) == keys["viewer"]
    assert tables.links.with_code(stream, keys["scorer"]) == renewed
    with pytest.raises(CodeEnded):
        tables.links.viewer_of_code(keys["code"])
    assert tables.links.viewer_of_code("ABCDEF") is None


def test_a_code_opens_its_board(store):
    tables = Tables(store)
    keys = tables.create(read_head({"watten": 1, "rules": "bayern"}))
    stream = store.find(keys["scorer"]).stream
    assert tables.links.viewer_of_code(keys["code"]) == keys["viewer"]
    for number in range(2):
        tables.record(stream, WON, idempotency_key=str(number), by="scorer", expected=None)
    assert tables.links.viewer_of_code(keys["code"]) == keys["viewer"]
    renewed = tables.links.renew(stream, keys["scorer"], "viewer")
    assert tables.links.viewer_of_code(renewed["code"]) == renewed["viewer"]
    with pytest.raises(CodeEnded):
        tables.links.viewer_of_code(keys["code"])


def test_taken_code_is_replaced(store):
    codes = iter(["AAAAAA", "AAAAAA", "BBBBBB", "AAAAAA", "BBBBBB", "CCCCCC", "CCCCCC", "DDDDDD"])
    tables = Tables(store, draw_code=lambda: next(codes))
    first = tables.create(read_head(BAYERN))
    assert (first["code"], tables.create(read_head(BAYERN))["code"]) == ("AAAAAA", "BBBBBB")
    stream = store.find(first["scorer"]).stream
    assert tables.links.renew(stream, first["scorer"], "viewer")["code"] == "CCCCCC"
    assert tables.create_from_record(BAYERN)["code"] == "DDDDDD"
