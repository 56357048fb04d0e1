"""An uploaded stream is refused at the first event that its own rules refuse."""

import pytest

from scorer.book import ledgers
from scorer.book.validation import first_refusal
from scorer.engine import Unreadable, read_head
from scorer.tournament import read_settings
from tests.builders import WON

PAIRS = [{"name": "Anna & Bert"}, {"name": "Cilli & Dora"}]
HEADS = {
    "table": read_head({"watten": 1, "rules": "bayern"}).to_json(),
    "tournament": read_settings({"name": "T", "rules": "bayern", "pairs": PAIRS}).to_json(),
    "group": {"group": 1, "name": "Thursdays"},
}
PAID = {"do": "vermerk", "pair": 1, "paid": True}
TAKEN = {"table": WON, "tournament": PAID, "group": {"do": "abend", "table": "x"}}
REFUSED = {"table": {"do": "bleiben", "side": 0}, "tournament": {"do": "abmeldung", "pair": 9}}


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("kind", HEADS)
def test_legal_stream_is_accepted(kind, bounded):
    assert first_refusal(kind, HEADS[kind], [TAKEN[kind]] * 2, with_limits=bounded) is None


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("kind", REFUSED)
def test_first_illegal_event_is_reported(kind, bounded):
    events = [TAKEN[kind], REFUSED[kind], REFUSED[kind]]
    assert first_refusal(kind, HEADS[kind], events, with_limits=bounded).event == 1


def test_full_ledger_is_reported_only_if_bounded():
    events = [TAKEN["group"]] * (ledgers.MAX_LEDGER_EVENTS + 1)
    assert first_refusal("group", HEADS["group"], events) is None
    refusal = first_refusal("group", HEADS["group"], events, with_limits=True)
    assert (refusal.code, refusal.event) == ("ledger-full", ledgers.MAX_LEDGER_EVENTS)


@pytest.mark.parametrize("kind", HEADS)
def test_unknown_event_kind_is_unreadable(kind):
    with pytest.raises(Unreadable):
        first_refusal(kind, HEADS[kind], [{"do": "jodeln"}])
