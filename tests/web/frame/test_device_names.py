"""A device has a different name in each stream, and keeps a former name where it signed with
one."""

import base64
import hashlib
import json
import re
from contextlib import closing

import pytest

from scorer.store import NewStream
from scorer.store.database_url import open_store
from scorer.store.keys import digest, mint
from tests.builders import BAYERN, NEXT, WON
from tests.sampling import mostly_slow
from tests.serving import Phone
from tests.web.tournament.forms import visitor_and_signup_keys

NAME = re.compile(r"\b[a-z2-7]{16}\b")


CONFIRMS = {"do": "bestaetigt", "side": 1, "game": 1, "stand": "10:0"}


class Device(Phone):
    """A phone whose secret is known to the test."""

    def __init__(self, server):
        super().__init__(server)
        self.cookies["phone"] = mint()

    @property
    def former(self):
        """The device's name in records of earlier releases."""
        secret = hashlib.sha256(self.cookies["phone"].encode()).digest()
        return base64.b32encode(secret)[:16].decode().lower()

    @property
    def cookie(self):
        return f"phone={self.cookies['phone']}"

    def record(self, path, *form):
        """Send a form that must be accepted."""
        assert self.send(path, [*form, ("token", mint())]) == 303

    def tap(self, key, seq, event, page="t"):
        form = [("event", json.dumps(event)), ("seq", str(seq)), ("token", f"t{seq}")]
        assert self.send(f"/{page}/{key}/events", form) == 303

    def say(self, key, **fields):
        return self.send(f"/b/{key}/say", [*fields.items(), ("token", fields["do"])])


@pytest.fixture
def device(server):
    return Device(server)


# Ways in which a device records an event


def tap_once(device):
    key = device.server.table()["scorer"]
    device.tap(key, 0, WON)
    return key


def tap_two_events(device):
    key = device.server.table()["scorer"]
    device.tap(key, 0, [{"do": "bieten", "side": 0}, {"do": "bleiben", "side": 1}])
    return key


def answer_for_other_side(device):
    keys = device.server.table(answers=True)
    device.tap(keys["opponent"], 0, {"do": "bieten", "side": 1}, page="b")
    return keys["viewer"]


def confirm_game(device):
    keys = device.server.table(played=[WON] * 5)
    assert device.say(keys["opponent"], **CONFIRMS) == 303
    return keys["viewer"]


def claim_seat(device):
    key = device.server.table()["opponent"]
    device.record(f"/b/{key}/hold")
    return key


def upload_event(device):
    key = device.server.table()["scorer"]
    headers = {"Idempotency_Key": mint(), "If_Match": '"0"', "Cookie": device.cookie}
    assert device.server.json("POST", f"/pocket/streams/{key}/events", WON, **headers)[0] == 201
    return key


def count_evening(device):
    form = [("name", "Donnerstag"), ("token", mint())]
    ledger = device.server.submit("/regulars", form, Cookie=device.cookie).rsplit("/", 1)[-1]
    table = device.server.table()["scorer"]
    device.record("/regulars/evenings", ("group", ledger), ("table", table))
    return ledger


def new_director(device):
    return device.server.new_tournament(games_per_round=1)["director"]


def enter_pair(device):
    director = new_director(device)
    device.record(f"/p/{director}/pairs", ("player", "Anna"), ("player", "Bert"))
    return director


def start_clock(device):
    director = new_director(device)
    device.server.draw(director)
    device.record(f"/p/{director}/clock", ("minutes", "20"))
    return director


def draw_round(device):
    director = new_director(device)
    device.record(f"/p/{director}/draw")
    return director


def enter_result(device):
    director = new_director(device)
    table = device.server.draw(director)[0]["scorer"]
    device.record(f"/e/{table}", ("a", "15"), ("b", "8"))
    return director


def sign_up(device):
    form = [("name", "Preis"), ("rules", "bayern"), ("preset", "won-points"), ("rounds", "2")]
    director = device.server.submit("/p/new", form).split("/")[2]
    _, signup = visitor_and_signup_keys(device.server, director)
    device.record(f"/p/{signup}/signup", ("player", "Anna"), ("player", "Bert"))
    return director


DOORS = [tap_once, tap_two_events, answer_for_other_side, confirm_game, claim_seat, upload_event]
DOORS += [count_evening, enter_pair, start_clock, draw_round, enter_result, sign_up]


def names_and_text(device, key):
    """The device names in the copy that a key opens, and the text of all its responses."""
    pages = [f"/pocket/streams/{key}"]
    pages += [f"/api/tables/{key}/record", f"/g/{key}/ledger.json", f"/api/tournaments/{key}"]
    fetched = [device.server.request("GET", page)[2] for page in pages]
    copied = json.loads(fetched[0])["copy"]
    names = set()
    for stream in copied["streams"]:
        for entry in stream["events"]:
            names |= {*NAME.findall(entry["key"]), *NAME.findall(entry["event"].get("by", ""))}
    return names, "\n".join(fetched)


@pytest.mark.parametrize("door", mostly_slow(DOORS, 4))
def test_two_streams_show_different_names(device, door):
    one, other = (names_and_text(device, door(device)) for _ in range(2))
    assert len(one[0]) == len(other[0]) == 1
    for names, text in ((one[0], other[1]), (other[0], one[1]), ({device.former}, one[1])):
        assert not any(name in text for name in names)


def test_streams_of_a_tournament_have_different_names(server, device):
    director = new_director(device)
    table = server.draw(director)[0]["scorer"]
    device.tap(table, 0, WON)
    device.record(f"/e/{table}", ("a", "15"), ("b", "8"))
    assert len(names_and_text(device, director)[0]) == 2


def test_only_the_device_itself_gets_its_seed(server, device):
    key = server.table()["viewer"]
    path = f"/pocket/streams/{key}"
    status, headers, text = server.request("GET", path, Cookie=device.cookie)
    seed = json.loads(text)["seed"]
    assert (status, seed[:16], len(seed)) == (200, device.former, 52)
    assert device.cookies["phone"] not in text
    assert "no-store" in headers["cache-control"] or "private" in headers["cache-control"]
    assert server.json("GET", path)[1]["seed"] == ""
    # The seed does not let anybody act as the device.
    thief = Device(server)
    thief.cookies["phone"] = seed
    assert thief.former != device.former


# After an upgrade


def record_as_earlier_release(server, key, *entries):
    """Record (idempotency key, author, event) as an earlier release did."""
    with closing(open_store(server.db)) as store:
        stream = store.find(key).stream
        for name, by, event in entries:
            store.append(stream, event, idempotency_key=name, by=by)


def authors(server, key):
    return [event["by"] for event in server.record(key)["events"]]


@pytest.fixture
def writer(device):
    """A device that recorded a game with an earlier release, and the table's keys."""
    keys = device.server.table()
    taps = [(f"{device.former}:t{n}", f"scorer {device.former}", WON) for n in range(5)]
    record_as_earlier_release(device.server, keys["scorer"], *taps)
    return device, keys


def test_writer_keeps_its_name_after_an_upgrade(server, writer):
    device, keys = writer
    device.open(f"/t/{keys['scorer']}")
    assert "second" not in device.cookies
    device.tap(keys["scorer"], 5, NEXT)
    assert set(authors(server, keys["viewer"])) == {f"scorer {device.former}"}


def test_form_resent_after_an_upgrade_is_recorded_once(server, writer):
    device, keys = writer
    device.tap(keys["scorer"], 4, WON)
    assert server.seq(keys["viewer"]) == 5


def test_seat_claim_is_kept_after_an_upgrade(server, writer):
    _, keys = writer
    device, other = Device(server), Device(server)
    claim = {"do": "uebernahme", "link": digest(keys["opponent"])[:16]}
    by = f"opponent {device.former}"
    record_as_earlier_release(server, keys["opponent"], (f"hold:{device.former}:5", by, claim))
    for phone, where in ((device, "here"), (other, "elsewhere")):
        page = phone.open(f"/b/{keys['opponent']}")
        assert re.search(r'data-seat-claim="(\w+)"', page)[1] == where
    assert other.say(keys["opponent"], **CONFIRMS) == 403
    assert device.say(keys["opponent"], **CONFIRMS) == 303
    assert authors(server, keys["viewer"])[5:] == [by, by]


def test_own_confirmation_is_marked_after_an_upgrade(server, writer):
    device, keys = writer
    device.send(f"/b/{keys['opponent']}/hold", [])
    assert device.say(keys["opponent"], **CONFIRMS) == 303
    page = device.open(f"/b/{keys['viewer']}/history")
    assert re.search(r'data-confirmed="(\w+)"', page)[1] == "own"


def test_phone_of_both_pairs_is_marked_after_an_upgrade(server, device):
    director = new_director(device)
    table = server.draw(director)[0]
    result = {"do": "ergebnis", "round": 1, "table": 1, "who": "a", "games": [[15, 8]]}
    entry = (f"{device.former}:e", f"scorer {device.former}", result)
    record_as_earlier_release(server, director, entry)
    device.record(f"/e/{table['opponent']}", ("a", "15"), ("b", "8"), ("do", "bestaetigung"))
    assert server.tournament(director)["draws"][0]["tables"][0]["confirmed"] == "own"


def test_former_name_recorded_by_others_is_not_used(server, device):
    """A device does not sign with its former name because somebody else recorded that name."""
    key, imported = server.table()["scorer"], mint()
    assert server.write(key, WON, f"{device.former}:t0", Cookie="phone=stranger")[0] == 201
    event = {**WON, "by": f"scorer {device.former}", "at": "2026-01-01T10:00:00Z"}
    with closing(open_store(server.db)) as store:
        store.create("table", NewStream(BAYERN, {"scorer": imported}, events=[event]))
    for table in (key, imported):
        device.tap(table, 1, WON)
        assert device.former not in authors(server, table)[1]


# Uploads of an app that uses the former name


@pytest.mark.parametrize(("known", "expected"), [("former", 200), ("none", 409)])
def test_a_tap_of_an_older_app_is_recorded_once(server, device, known, expected):
    """The app uploads the recorded tap again, with a device name as in an earlier release."""
    key = tap_once(device)
    name = device.former if known == "former" else Device(server).former
    headers = {"Idempotency_Key": f"{name}:t0", "If_Match": '"0"', "Cookie": device.cookie}
    status, answer = server.json("POST", f"/pocket/streams/{key}/events", WON, **headers)
    assert status == expected, answer
    assert server.seq(key) == 1
