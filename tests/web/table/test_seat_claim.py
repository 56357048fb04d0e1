"""One phone claims the other side's link, and pages show who did."""

import json
import re

import pytest

from scorer import create_app
from scorer.book.table_event_limits import MAX_CLAIMS, MAX_TABLE_EVENTS
from tests import serving
from tests.builders import BAYERN, NEXT, WON


class Phone(serving.Phone):
    """A phone that can open and claim the other side's link."""

    def hold(self, key, *, take=False, status=303):
        """Open the board and claim it, as the page does by itself or by its button (`take`)."""
        self.open(f"/b/{key}")
        assert self.send(f"/b/{key}/hold", [("take", "1")] if take else []) == status

    def tap(self, path, seen, *events):
        form = [("seq", str(seen)), ("token", str(seen)), ("event", json.dumps(events))]
        return self.send(f"{path}/events", form)

    def confirm(self, key, stand="10:0"):
        form = [("do", "bestaetigt"), ("side", "1"), ("game", "1"), ("stand", stand)]
        return self.send(f"/b/{key}/say", [*form, ("token", stand)])

    def holds(self, key):
        return re.search(r'data-seat-claim="(\w+)"', self.open(f"/b/{key}"))[1]


@pytest.fixture
def anna(server):
    """The writer's phone."""
    return Phone(server)


@pytest.fixture
def cilli(server):
    """A phone of the other side."""
    return Phone(server)


@pytest.fixture
def dora(server):
    """Another phone of the other side."""
    return Phone(server)


@pytest.fixture
def keys(server, anna):
    """The keys of a table whose first game is over, 10:0, recorded on Anna's phone."""
    found = server.table()
    anna.open(f"/t/{found['scorer']}")
    for n in range(5):
        assert anna.tap(f"/t/{found['scorer']}", n, WON) == 303
    return found


def confirmed_by(phone, key):
    found = re.search(r'data-confirmed="(\w+)"', phone.open(f"/b/{key}/history"))
    return found[1] if found else "nobody"


def claimants(server, keys):
    record = server.record(keys["viewer"])
    return [event["by"] for event in record["events"] if event["do"] == "uebernahme"]


def test_first_phone_claims_the_opponent_link(server, keys, anna, cilli, dora):
    key = keys["opponent"]
    for phone, where in ((cilli, "here"), (dora, "elsewhere")):
        phone.hold(key)
        assert phone.holds(key) == where
    assert len(claimants(server, keys)) == 1
    # Dora's board has no button to confirm, and refuses a confirmation that is sent anyway.
    assert 'class="confirm ' in cilli.open(f"/b/{key}")
    assert 'class="confirm ' not in dora.open(f"/b/{key}")
    assert dora.confirm(key) == 403
    assert 'role="alert"' in dora.text and 'data-seat-claim="elsewhere"' in dora.text
    assert cilli.confirm(key) == 303
    assert confirmed_by(anna, keys["viewer"]) == "phone"


@pytest.mark.parametrize("take", [False, True])
def test_claim_by_htmx_returns_the_form_of_the_page(keys, cilli, dora, take):
    key = keys["opponent"]
    for phone in (cilli, dora):
        phone.open(f"/b/{key}")
        fields = [("take", "1")] if take else []
        assert phone.send(f"/b/{key}/hold", fields, HX_Request="true") == 200
        fragment = phone.text.strip()
        assert fragment.startswith('<form id="seat-claim"') and fragment in phone.open(f"/b/{key}")


def test_claimed_link_is_hidden_from_the_writer(keys, anna, cilli):
    path = f"/t/{keys['scorer']}/share"
    assert f"/b/{keys['opponent']}" in anna.open(path)
    cilli.hold(keys["opponent"])
    text = anna.open(path)
    assert keys["opponent"] not in text and "data-seat-claim=" in text
    anna.send(f"/t/{keys['scorer']}/renew", [("role", "opponent")])
    assert "data-seat-claim=" not in anna.open(path)


def test_writer_phone_is_asked_before_claiming(keys, anna, cilli):
    anna.open(f"/t/{keys['scorer']}")
    assert anna.holds(keys["opponent"]) == "asked"
    form = re.search(r'<form id="seat-claim".*?</form>', anna.text, re.DOTALL)[0]
    assert f'href="/t/{keys["scorer"]}"' in form
    # This phone does not claim the link by opening it, and sees no button to confirm.
    assert "hx-trigger" not in form and 'class="confirm ' not in anna.text
    anna.hold(keys["opponent"])
    assert anna.holds(keys["opponent"]) == "here"
    assert cilli.holds(keys["opponent"]) == "elsewhere"


def test_opponents_link_is_not_tappable(keys, anna):
    text = anna.open(f"/t/{keys['scorer']}/share")
    assert f'/b/{keys["viewer"]}"' in text
    assert f"/b/{keys['opponent']}</span>" in text
    links = re.findall(r'<a [^>]*href="([^"]+)"', text)
    assert not any(keys["opponent"] in link for link in links)
    # The codes for offline tables come after the links that every table needs.
    assert text.index(keys["opponent"]) < text.index(f"/b/{keys['scorer']}/codes")


def test_link_takeover_is_shown_to_both_sides(server, keys, anna, cilli, dora):
    key, pad = keys["opponent"], f"/t/{keys['scorer']}"
    cilli.hold(key)
    assert "data-took-over=" not in anna.open(pad)
    dora.hold(key, take=True)
    assert (dora.holds(key), cilli.holds(key)) == ("here", "elsewhere")
    assert cilli.confirm(key) == 403
    by = claimants(server, keys)
    assert len(set(by)) == len(by) == 2
    for phone, path in ((anna, pad), (cilli, f"/b/{key}")):
        assert "data-took-over=" in phone.open(path)
    assert anna.tap(pad, 7, NEXT) == 303
    assert "data-took-over=" not in anna.open(pad)
    assert "data-took-over=" in anna.open(f"/b/{keys['viewer']}/history")


def test_only_the_phone_that_speaks_can_propose(keys, cilli, dora):
    key = keys["opponent"]
    path = f"/b/{key}/round/0"
    cilli.hold(key)
    assert 'class="correction"' in cilli.open(path)
    assert 'class="correction"' not in dora.open(path) and "data-seat-claim=" in dora.text
    assert dora.send(f"/b/{key}/hold", [("take", "1"), ("round", "0")]) == 303
    assert 'class="correction"' in dora.open(path)
    assert 'class="correction"' not in cilli.open(path)


def test_confirming_a_result_claims_the_link(server, keys, cilli):
    cilli.open(f"/b/{keys['opponent']}")
    assert cilli.confirm(keys["opponent"]) == 303
    assert cilli.holds(keys["opponent"]) == "here"


def test_confirmation_by_the_writers_phone_is_marked(keys, anna):
    anna.hold(keys["opponent"])
    assert anna.confirm(keys["opponent"]) == 303
    assert confirmed_by(anna, keys["viewer"]) == "own"
    assert "✓✓" not in anna.open(f"/b/{keys['viewer']}")


def test_corrected_result_needs_a_new_confirmation(server, keys, anna, cilli):
    cilli.hold(keys["opponent"])
    assert cilli.confirm(keys["opponent"]) == 303
    server.play(keys["scorer"], {"do": "korrektur", "of": 4, "with": {**WON, "stake": 3}})
    assert confirmed_by(anna, keys["viewer"]) == "nobody"
    anna.hold(keys["opponent"], take=True)
    assert anna.confirm(keys["opponent"], "11:0") == 303
    assert confirmed_by(anna, keys["viewer"]) == "own"


def test_confirmation_by_a_program_is_marked(server, keys, cilli):
    cilli.hold(keys["opponent"])
    server.play(keys["opponent"], {"do": "bestaetigt", "side": 1, "game": 1, "stand": "10:0"})
    assert confirmed_by(cilli, keys["viewer"]) == "program"


def test_recorded_phone_name_grants_no_access(server, keys, cilli, dora):
    cilli.hold(keys["opponent"])
    [by] = claimants(server, keys)
    dora.cookies["phone"] = by.removeprefix("opponent ")
    assert dora.confirm(keys["opponent"]) == 403


def test_link_claims_do_not_make_a_tap_stale(server, anna, cilli, dora):
    keys = server.table(answers=True)
    # Anna opened her page before Cilli's first tap, which claims the link by itself.
    write, answer = f"/t/{keys['scorer']}", f"/b/{keys['opponent']}"
    anna.open(write)
    cilli.open(answer)
    assert cilli.tap(answer, 0, {"do": "bieten", "side": 1, "to": 3}) == 303
    dora.hold(keys["opponent"], take=True)
    assert anna.tap(write, 2, {"do": "bleiben", "side": 0}, WON) == 303
    # A tap that missed another event is still refused.
    assert anna.tap(write, 2, WON) == 409


@pytest.mark.parametrize("role", ["scorer", "opponent"])
def test_hall_screen_redirects_to_the_viewer_board(server, keys, role):
    status, headers, _ = server.request("GET", f"/b/{keys[role]}?big=1")
    assert (status, headers["location"]) == (303, f"/b/{keys['viewer']}?big=1")
    server.page(headers["location"])


def test_hall_screen_sets_no_tables_cookie(server, keys, anna):
    path, cookie = f"/b/{keys['viewer']}", f"phone={anna.cookies['phone']}"
    assert server.request("GET", path, Cookie=cookie)[1]["set-cookie"].startswith("tables=")
    assert "set-cookie" not in server.request("GET", f"{path}?big=1", Cookie=cookie)[1]


@pytest.fixture
def full(tmp_path):
    """A server in this process, and the other side's key of a full table on it."""
    app = create_app({"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": False})
    record = {**BAYERN, "events": [{"do": "ansage", "schlag": "7"}] * MAX_TABLE_EVENTS}
    keys = app.extensions["tables"].create_from_record(record)
    return serving.InProcessClient(app), keys["opponent"]


def test_full_table_still_records_link_claims(full):
    server, key = full
    cilli, dora = Phone(server), Phone(server)
    cilli.hold(key)
    assert cilli.holds(key) == "here"
    # The full table refuses a confirmation with a message, but still records seat claims.
    assert cilli.confirm(key) == 422
    assert str(MAX_TABLE_EVENTS) in cilli.text
    dora.hold(key, take=True)
    assert dora.holds(key) == "here"


@pytest.mark.slow
def test_full_table_limits_claims(full):
    server, key = full
    phones = [Phone(server), Phone(server)]
    for number in range(MAX_CLAIMS):
        phones[number % 2].hold(key, take=True)
    phones[0].hold(key, take=True, status=422)
    assert str(MAX_TABLE_EVENTS) in phones[0].text
    assert phones[1].holds(key) == "here"
