"""Questions before a tap is recorded, and what a second phone shows meanwhile."""

import json
from datetime import timedelta

import pytest

from scorer import create_app
from scorer.web.table import tap_confirmations
from tests.builders import LOST, NAMED, RAISED, WON
from tests.serving import InProcessClient, Phone
from tests.web.table.taps import FIRST_PHONE, SECOND_PHONE, record, tap

UNDO = {"do": "korrektur", "of": 0, "with": None}


@pytest.fixture
def key(server):
    return server.table(sides=NAMED)["scorer"]


REPEATED_TAPS = {
    "won": ([], [WON]),
    "won at a stake": ([], [{**WON, "stake": 3}]),
    "penalty": ([], [{"do": "strafe", "side": 0, "offence": "vergeben"}]),
    "undo": ([LOST, LOST], [UNDO]),
}


@pytest.mark.parametrize("is_claimed", [False, True])
@pytest.mark.parametrize(("before", "events"), REPEATED_TAPS.values(), ids=REPEATED_TAPS)
def test_same_event_of_second_phone_needs_confirmation(server, before, events, is_claimed):
    """Also if a phone of the other side opens its link in between."""
    keys = server.table(sides=NAMED)
    key = keys["scorer"]
    for event in before:
        record(server, key, FIRST_PHONE, event)
    record(server, key, FIRST_PHONE, *([{**UNDO, "of": 1}] if events == [UNDO] else events))
    if is_claimed:
        assert Phone(server).send(f"/b/{keys['opponent']}/hold", [("take", "1")]) == 303
    seq = server.seq(key)
    status, page = tap(server, key, SECOND_PHONE, *events)
    notice = page.one(data_code="written-elsewhere")
    assert (status, server.seq(key)) == (409, seq)
    # The notice's button confirms the tap, which is then recorded.
    assert notice.one("input", name="again")["value"] == "1"
    record(server, key, SECOND_PHONE, json.loads(notice.one("button")["value"]), again="1")
    assert server.seq(key) == seq + 1


def test_single_phone_needs_no_confirmation(server, key):
    for _ in range(2):
        record(server, key, FIRST_PHONE, WON)
    assert server.state(key)["points"] == [4, 0]


def test_different_event_needs_no_confirmation(server, key):
    corrects = {"do": "korrektur", "of": 0, "with": LOST}
    events = [WON, corrects, {"do": "strittig", "side": 0, "of": 0}, {**corrects, "with": WON}]
    for at, event in enumerate([*events, corrects, LOST, RAISED]):
        record(server, key, SECOND_PHONE if at % 2 else FIRST_PHONE, event)


def test_game_ending_penalty_needs_confirmation(server, key):
    other = server.table(sides=NAMED)["scorer"]
    revoked = {"do": "strafe", "side": 1, "offence": "nicht-bekannt"}
    status, page = tap(server, key, FIRST_PHONE, revoked)
    notice = page.one(data_code="ends-game")
    assert (status, server.seq(key)) == (409, 0)
    # The notice names the rule.
    assert notice.all(css="rule")
    asked = json.loads(notice.one("button", name="event")["value"])
    record(server, key, FIRST_PHONE, asked, again="1")
    assert server.state(key)["winner"] == 0
    # A penalty that only adds points needs no confirmation.
    record(server, other, FIRST_PHONE, {**revoked, "offence": "vergeben"})


def test_strike_needs_confirmation_that_says_what_it_is_good_for(server):
    key = server.table(sides=NAMED)["scorer"]
    for event in ({**WON, "stake": 7}, LOST):
        record(server, key, FIRST_PHONE, event)
    strike = {"do": "streichen", "side": 1}
    status, page = tap(server, key, FIRST_PHONE, strike)
    notice = page.one(data_code="strikes-points")
    assert (status, server.state(key)["points"]) == (409, [7, 2])
    assert "4 Bummerl" in notice.text and notice.all(css="rule")
    record(server, key, FIRST_PHONE, strike, again="1")
    assert server.state(key)["points"] == [7, 0]


@pytest.mark.parametrize("is_needed", [True, False])
def test_strike_says_if_it_is_needed_for_the_retourschneider(server, is_needed):
    """It is not if the side was at 0 while the other was krank."""
    key = server.table(sides=NAMED)["scorer"]
    for event in (LOST, {**WON, "stake": 7}) if is_needed else ({**WON, "stake": 7}, LOST):
        record(server, key, FIRST_PHONE, event)
    _, page = tap(server, key, FIRST_PHONE, {"do": "streichen", "side": 1})
    chances = "would then be a Retourschneider", "is a Retourschneider without this"
    notice = page.one(data_code="strikes-points").text
    assert [text in notice for text in chances] == [is_needed, not is_needed]


def test_same_event_later_needs_no_confirmation(tmp_path, monkeypatch):
    monkeypatch.setattr(tap_confirmations, "REPEAT_WINDOW", timedelta(0))
    server = InProcessClient(create_app({"DATABASE": str(tmp_path / "x.db")}))
    key = server.table()["scorer"]
    for phone in (FIRST_PHONE, SECOND_PHONE):
        record(server, key, phone, WON)
    assert server.seq(key) == 2


def test_resent_tap_needs_no_confirmation(server, key):
    """The server recorded it, but the response was lost. Then another phone recorded the same."""
    record(server, key, SECOND_PHONE, WON, token="lost", seq=0)
    record(server, key, FIRST_PHONE, WON, again="1")
    record(server, key, SECOND_PHONE, WON, token="lost", seq=0)
    assert server.seq(key) == 2


@pytest.mark.parametrize("event", [WON, LOST])
def test_tap_on_a_stale_page_is_refused(server, key, event):
    record(server, key, FIRST_PHONE, WON)
    status, page = tap(server, key, SECOND_PHONE, event, seq=0)
    assert status == 409 and page.one(data_code="stale")
    assert server.seq(key) == 1
