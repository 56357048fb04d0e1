"""Questions before a tap is recorded, and what a second phone shows meanwhile."""

import json
from datetime import timedelta
from itertools import count

import pytest

from scorer import create_app
from scorer.web.table import tap_confirmations
from tests.builders import LOST, NAMED, RAISED, WON
from tests.pages import Page
from tests.serving import Local

FIRST_PHONE, SECOND_PHONE = "first".ljust(26, "a"), "other".ljust(26, "b")
NUMBERS = count()
UNDO = {"do": "korrektur", "of": 0, "with": None}


def tap(server, key, phone, *events, **fields):
    """Tap a button that records these events on this phone; returns the status and page."""
    event = json.dumps(events[0] if len(events) == 1 else events)
    form = {"seq": server.seq(key), "token": f"t{next(NUMBERS)}", "event": event, **fields}
    cookie = f"phone={phone}; tables={key}"
    status, _, text = server.request("POST", f"/t/{key}/events", [*form.items()], Cookie=cookie)
    return status, Page(text)


def side_names(server, path, phone, **cookies):
    """The names of the sides that a page shows on this phone."""
    jar = {"phone": phone, **cookies}
    sent = "; ".join(f"{name}={value}" for name, value in jar.items())
    status, _, text = server.request("GET", path, Cookie=sent, Accept_Language="de")
    assert status == 200
    return [name.text for name in Page(text).all(css="name")]


@pytest.fixture
def key(server):
    return server.table(sides=NAMED)["scorer"]


REPEATED_TAPS = {
    "won": ([], [WON]),
    "won at a stake": ([], [{**WON, "stake": 3}]),
    "penalty": ([], [{"do": "strafe", "side": 0, "offence": "vergeben"}]),
    "undo": ([LOST, LOST], [UNDO]),
}


@pytest.mark.parametrize(("before", "events"), REPEATED_TAPS.values(), ids=REPEATED_TAPS)
def test_same_event_of_second_phone_needs_confirmation(server, key, before, events):
    for event in before:
        tap(server, key, FIRST_PHONE, event)
    undone = events == [UNDO]
    first = [{**UNDO, "of": 1}] if undone else events
    assert tap(server, key, FIRST_PHONE, *first)[0] == 303
    seq = server.seq(key)
    status, page = tap(server, key, SECOND_PHONE, *events)
    notice = page.one(data_code="written-elsewhere")
    assert (status, server.seq(key)) == (409, seq)
    # The notice's button confirms the tap, which is then recorded.
    assert notice.one("input", name="again")["value"] == "1"
    repeated = json.loads(notice.one("button")["value"])
    assert tap(server, key, SECOND_PHONE, repeated, again="1")[0] == 303
    assert server.seq(key) == seq + 1


def test_single_phone_needs_no_confirmation(server, key):
    for _ in range(2):
        assert tap(server, key, FIRST_PHONE, WON)[0] == 303
    assert server.state(key)["points"] == [4, 0]


def test_different_event_needs_no_confirmation(server, key):
    corrects = {"do": "korrektur", "of": 0, "with": LOST}
    disputes = {"do": "strittig", "side": 0, "of": 0}
    taps = (
        (FIRST_PHONE, WON),
        (SECOND_PHONE, corrects),
        (FIRST_PHONE, disputes),
        (SECOND_PHONE, corrects | {"with": WON}),
    )
    for phone, event in (
        *taps,
        (FIRST_PHONE, corrects),
        (SECOND_PHONE, LOST),
        (FIRST_PHONE, RAISED),
    ):
        assert tap(server, key, phone, event)[0] == 303, event


def test_game_ending_penalty_needs_confirmation(server):
    key = server.table("oberoesterreich", sides=NAMED)["scorer"]
    revoked = {"do": "strafe", "side": 1, "offence": "nicht-bekannt"}
    status, page = tap(server, key, FIRST_PHONE, revoked)
    notice = page.one(data_code="ends-game")
    assert (status, server.seq(key)) == (409, 0)
    # The notice names the rule.
    assert notice.all(css="rule")
    asked = json.loads(notice.one("button", name="event")["value"])
    assert tap(server, key, FIRST_PHONE, asked, again="1")[0] == 303
    assert server.state(key)["winner"] == 0
    # A penalty that only adds points needs no confirmation.
    other = server.table("oberoesterreich", sides=NAMED)["scorer"]
    assert tap(server, other, FIRST_PHONE, {**revoked, "offence": "vergeben"})[0] == 303


def test_same_event_later_needs_no_confirmation(tmp_path, monkeypatch):
    monkeypatch.setattr(tap_confirmations, "JUST_NOW", timedelta(0))
    server = Local(create_app({"DATABASE": str(tmp_path / "x.db")}))
    key = server.table()["scorer"]
    for phone in (FIRST_PHONE, SECOND_PHONE):
        status, page = tap(server, key, phone, WON)
        assert status == 303, page.code
    assert server.seq(key) == 2


def test_resent_tap_needs_no_confirmation(server, key):
    """The server recorded it, but the response was lost. Then another phone recorded the same."""
    assert tap(server, key, SECOND_PHONE, WON, token="lost", seq=0)[0] == 303
    assert tap(server, key, FIRST_PHONE, WON, again="1")[0] == 303
    assert tap(server, key, SECOND_PHONE, WON, token="lost", seq=0)[0] == 303
    assert server.seq(key) == 2


@pytest.mark.parametrize("event", [WON, LOST])
def test_tap_on_a_stale_page_is_refused(server, key, event):
    assert tap(server, key, FIRST_PHONE, WON)[0] == 303
    status, page = tap(server, key, SECOND_PHONE, event, seq=0)
    assert status == 409
    assert page.one(data_code="stale")
    assert server.seq(key) == 1


def test_rows_name_the_phone_if_several_record(server, key):
    tap(server, key, FIRST_PHONE, WON)
    assert not server.page(f"/t/{key}").all(css="phone")
    tap(server, key, SECOND_PHONE, LOST)
    tap(server, key, FIRST_PHONE, WON)
    phones = [mark.text for mark in server.page(f"/t/{key}").all(css="phone")]
    assert phones == ["Handy 1", "Handy 2", "Handy 1"]


def test_second_writer_sees_neutral_side_names(server, key):
    table = f"/t/{key}"
    ours, numbered = ["Wir", "Die"], ["Partei 1", "Partei 2"]
    assert side_names(server, f"{table}?second", SECOND_PHONE) == numbered
    assert side_names(server, table, SECOND_PHONE, tables=key, second=key) == numbered
    assert side_names(server, f"/b/{key}", SECOND_PHONE, tables=key, second=key) == numbered
    # After a phone has recorded, only that phone sees "Wir" at the plain address.
    assert side_names(server, table, SECOND_PHONE) == ours
    tap(server, key, FIRST_PHONE, WON)
    assert side_names(server, table, SECOND_PHONE) == numbered
    assert side_names(server, table, FIRST_PHONE, tables=key) == ours
    assert side_names(server, f"{table}?second", FIRST_PHONE, tables=key) == ours
    assert side_names(server, table, FIRST_PHONE) == ours


def test_share_page_marks_the_second_writers_link(server, key):
    page = server.page(f"/t/{key}/share")
    assert any(f"/t/{key}?second" in link["href"] for link in page.all("a", href=True))
