"""Evenings that nobody opens are announced on their pages, kept on request, else erased."""

from datetime import date, timedelta

import pytest

from scorer import create_app
from scorer.book.ledgers import Ledgers
from scorer.book.retention import NOTICE, Retention, add_months
from scorer.book.tables import Tables
from scorer.engine import read_head

MONTHS = 6
BEGIN = date(2026, 1, 31)
ANNOUNCED = add_months(BEGIN, MONTHS)


class Calendar:
    """A clock whose day the test sets."""

    def __init__(self):
        self.day = BEGIN

    def __call__(self):
        return self.day


@pytest.fixture
def calendar():
    return Calendar()


@pytest.fixture
def retention(store, calendar):
    return Retention(store, MONTHS, calendar)


@pytest.fixture
def keys(store):
    return Tables(store).create(read_head({"watten": 1, "rules": "bayern"}))


@pytest.fixture
def stream(store, keys):
    return store.find(keys["scorer"]).stream


def nights(retention, calendar, until):
    """Run the check every night until a day; return the streams due on the last night."""
    while calendar.day < until:
        calendar.day += timedelta(days=1)
        due = list(retention.announce_and_list_due())
        assert not due or calendar.day == until
    return due


def test_retention_of_zero_notes_no_visits(store, stream, calendar):
    assert Retention(store, 0, calendar).note_visit(stream) is None
    assert store.visit_days(stream) is None


def test_retention_period_starts_with_the_first_check(retention, stream, calendar):
    # The period starts with the first check, however old the evening is.
    assert list(retention.announce_and_list_due()) == []
    assert nights(retention, calendar, ANNOUNCED + NOTICE) == [stream]


def test_wrong_clock_erases_nothing(retention, stream, calendar):
    retention.note_visit(stream)
    calendar.day = wrong = BEGIN.replace(year=2036)
    for _ in range(2 * NOTICE.days):
        assert list(retention.announce_and_list_due()) == []
    # Once the clock is right again, the wrong dates have no effect.
    calendar.day = BEGIN + timedelta(days=1)
    retention.note_visit(stream)
    announced = add_months(calendar.day, MONTHS)
    assert nights(retention, calendar, announced + NOTICE) == [stream]
    assert announced < wrong


def test_erasure_is_announced_on_thirty_days_first(retention, stream, calendar):
    retention.note_visit(stream)
    # No check ran for a long time, so the erasure was not announced.
    calendar.day = ANNOUNCED + 3 * NOTICE
    assert list(retention.announce_and_list_due()) == []
    assert nights(retention, calendar, calendar.day + NOTICE) == [stream]


def test_opening_restarts_the_retention_period(retention, stream, calendar):
    for _ in range(5):
        assert retention.note_visit(stream) is None
        calendar.day += timedelta(days=150)
    assert list(retention.announce_and_list_due()) == []


def test_opening_an_announced_evening_delays_erasure(retention, stream, calendar):
    retention.note_visit(stream)
    calendar.day = ANNOUNCED + NOTICE - timedelta(days=1)
    erased_on = retention.note_visit(stream)
    assert erased_on == calendar.day + NOTICE == retention.note_visit(stream)
    calendar.day = erased_on - timedelta(days=1)
    assert list(retention.announce_and_list_due()) == []
    retention.extend(stream)
    assert retention.note_visit(stream) is None
    calendar.day = erased_on
    assert list(retention.announce_and_list_due()) == []


def test_opened_evenings_are_cached_for_one_day(retention, calendar):
    for number in range(10):
        calendar.day = BEGIN + timedelta(number)
        retention.note_visit(f"evening {number}")
    assert retention._todays_results == (calendar.day, {"evening 9": None})


def test_evening_in_a_ledger_is_not_erased(retention, store, keys, stream, calendar):
    ledgers = Ledgers(store)
    member = ledgers.create("Donnerstag")["member"]
    ledger = store.find(member).stream
    ledgers.add(ledger, member, stream, keys["viewer"], "member")
    retention.note_visit(stream)
    calendar.day = ANNOUNCED + 2 * NOTICE
    assert list(retention.announce_and_list_due()) == []
    assert retention.note_visit(stream) is None
    # If another ledger drops the evening, it still belongs to this one.
    other = ledgers.create("Freitag")["member"]
    ledgers.add(store.find(other).stream, other, stream, keys["viewer"], "member")
    ledgers.drop(store.find(other).stream, stream, "member")
    assert list(retention.announce_and_list_due()) == []
    ledgers.drop(ledger, stream, "member")
    assert nights(retention, calendar, calendar.day + NOTICE + timedelta(days=1)) == [stream]
    ledgers.restore(ledger, stream, "member")
    assert list(retention.announce_and_list_due()) == []


def test_pages_announce_erasure_and_offer_to_keep(tmp_path):
    settings = {"DATABASE": str(tmp_path / "x.db"), "RETENTION": MONTHS}
    app = create_app(settings)
    tables, client = app.extensions["tables"], app.test_client()
    keys = tables.create(read_head({"watten": 1, "rules": "bayern"}))
    stream = tables.store.find(keys["scorer"]).stream
    page = f"/t/{keys['scorer']}"
    assert b"data-erased" not in client.get(page).data
    tables.store.note_visit(stream, "2020-01-01", "2020-01-01")
    # Another process, which has not cached today's dates yet.
    client = create_app(settings).test_client()
    for path in (page, f"/b/{keys['viewer']}"):
        text = client.get(path).data.decode()
        assert "data-erased" in text
        assert '/keep"><button class="button">' in text
        assert "record" in text
    assert client.post(f"/b/{keys['viewer']}/keep").status_code == 303
    assert b"data-erased" not in client.get(page).data


def test_dropped_evening_is_not_erased_at_once(tmp_path):
    app = create_app({"DATABASE": str(tmp_path / "x.db"), "RETENTION": MONTHS})
    tables, ledgers, client = app.extensions["tables"], app.extensions["ledgers"], app.test_client()
    keys = tables.create(read_head({"watten": 1, "rules": "bayern"}))
    member = ledgers.create("Donnerstag")["member"]
    stream, ledger = (tables.store.find(key).stream for key in (keys["viewer"], member))
    said, sent = {"do": "austragen", "table": stream}, {"Idempotency-Key": "x", "If-Match": '"0"'}
    for drop in (
        lambda: client.post(f"/g/{member}/drop", data={"table": stream}),
        lambda: client.post(f"/pocket/streams/{member}/events", json=said, headers=sent),
    ):
        ledgers.add(ledger, member, stream, keys["viewer"], "member")
        tables.store.note_visit(stream, "2020-01-01", "2020-01-01")
        assert drop().status_code < 400
        assert ledgers.current(ledger).evenings == ()
        assert list(app.extensions["retention"].announce_and_list_due()) == []
