"""A phone's whole book is saved into a file and read back, on this phone or on another."""

import copy
import json
from urllib.parse import urlencode

import pytest

from scorer.pocket.offline_app import HELD_KEYS, OfflineApp
from scorer.web.frame.remembered_keys import LEDGERS_COOKIE, TABLES_COOKIE, TOURNAMENTS_COOKIE
from tests.builders import BAYERN, LOST, WON
from tests.pages import Page

FORM = {"content-type": "application/x-www-form-urlencoded"}
JSON = {"content-type": "application/json"}
SHELVES = (TABLES_COOKIE, LEDGERS_COOKIE, TOURNAMENTS_COOKIE)
SIDES = [{"name": "Nord"}, {"name": "Süd"}]
EDGE = "----edge"
NEW_TOURNAMENT = {
    "name": "Preis",
    "rules": "bayern",
    "pairs": [{"name": f"P{n}"} for n in range(4)],
}


@pytest.fixture
def phones(tmp_path):
    """A function that makes a new phone of a site without a server."""

    def made(name):
        (tmp_path / name).mkdir()
        return OfflineApp(str(tmp_path / name), "https://verein.example/watten", serverless=True)

    return made


@pytest.fixture
def phone(phones):
    """A phone with two tables, a ledger that counts one of them, and a tournament with a round."""
    made = phones("first")
    tables = [ask(made, "/api/tables", {**BAYERN, "sides": SIDES})["scorer"] for _ in range(2)]
    for key in tables:
        made.answer("GET", f"/t/{key}", {})
        tap(made, key, WON)
    ledger = form(made, "/regulars", name="Donnerstag")
    form(made, "/regulars/evenings", group=ledger, table=tables[0])
    director = ask(made, "/api/tournaments", {**NEW_TOURNAMENT, "rounds": 3})["director"]
    made.answer("GET", f"/p/{director}", {})
    ask(made, f"/api/tournaments/{director}/draw", {})
    return made


def ask(phone, path, body, **headers):
    status, _, text = phone.answer("POST", path, {**JSON, **headers}, json.dumps(body).encode())
    assert status in (200, 201), text
    return json.loads(text)


def form(phone, path, **fields):
    status, headers, _ = phone.answer("POST", path, FORM, urlencode(fields).encode())
    assert status == 303
    phone.answer("GET", dict(headers)["Location"], {})
    return dict(headers)["Location"].rsplit("/", 1)[-1]


def tap(phone, key, event):
    seq = len(record(phone, key)["events"])
    ask(phone, f"/api/tables/{key}/events", event, **{"idempotency-key": f"{key[:4]}{seq}"})


def record(phone, key):
    return json.loads(phone.answer("GET", f"/api/tables/{key}/record", {})[2])


def shelf(phone, name):
    return phone.cookies.get(name, "").split(".")


def download_book(phone):
    """The file that the page's link downloads."""
    page = Page(phone.answer("GET", "/book", {})[2].decode())
    [link] = [a["href"] for a in page.all("a") if "/book/" in a["href"]]
    status, headers, text = phone.answer("GET", link.removeprefix("/watten"), {})
    assert status == 200
    assert dict(headers)["Content-Disposition"].startswith('attachment; filename="bummerl-20')
    return text


def send(phone, text):
    head = f'--{EDGE}\r\nContent-Disposition: form-data; name="book"; filename="b.json"\r\n\r\n'
    body = head.encode() + text + f"\r\n--{EDGE}--\r\n".encode()
    kind = {"content-type": f"multipart/form-data; boundary={EDGE}"}
    return phone.answer("POST", "/book", kind, body)


def refusal_code(phone, text):
    """The code of the message after sending a file that is refused."""
    status, _, page = send(phone, text)
    assert status == 422
    return Page(page.decode()).one(role="alert").code


def restore_book(phone, text):
    """Send a file, and return how many streams were new, continued, known and different."""
    status, headers, _ = send(phone, text)
    assert status == 303
    answer = phone.answer("GET", dict(headers)["Location"].partition("/watten")[2], {})
    [counts] = [one["data-brought"] for one in Page(answer[2].decode()).all(data_brought=True)]
    return tuple(map(int, counts.split()))


def phone_state(phone):
    return phone.store.dump(), phone.store.server_has(), phone.unsent_count


def test_another_phone_restores_the_whole_book(phone, phones):
    other, file = phones("other"), download_book(phone)
    assert restore_book(other, file) == (6, 0, 0, 0)
    assert phone_state(other) == phone_state(phone)
    for name in SHELVES:
        assert shelf(other, name) == shelf(phone, name)
    assert set(shelf(other, HELD_KEYS)) == set(shelf(phone, HELD_KEYS))
    # The other phone can use the first one's links.
    [key, *_] = shelf(other, TABLES_COOKIE)
    tap(other, key, LOST)
    assert len(record(other, key)["events"]) == 2
    start = other.answer("GET", "/", {})[2].decode()
    assert all(f"/t/{key}" in start for key in shelf(phone, TABLES_COOKIE))


def test_restoring_twice_changes_nothing(phone, phones):
    other, file = phones("other"), download_book(phone)
    restore_book(other, file)
    before = phone_state(other), dict(other.cookies)
    assert restore_book(other, file) == (0, 0, 6, 0)
    assert (phone_state(other), dict(other.cookies)) == before
    # The phone that saved the file keeps its later entries when it reads the file.
    [key, *_] = shelf(phone, TABLES_COOKIE)
    tap(phone, key, LOST)
    before = phone_state(phone)
    assert restore_book(phone, file) == (0, 0, 6, 0)
    assert phone_state(phone) == before


def test_later_file_continues_only_matching_streams(phone, phones):
    other = phones("other")
    restore_book(other, download_book(phone))
    one, two = shelf(phone, TABLES_COOKIE)
    for who, key, event in ((phone, one, LOST), (phone, two, LOST), (other, two, WON)):
        tap(who, key, event)
    kept = record(other, two)
    assert restore_book(other, download_book(phone)) == (0, 1, 4, 1)
    assert record(other, one) == record(phone, one)
    assert record(other, two) == kept


def test_restoring_keeps_own_links_first(phone, phones):
    other = phones("other")
    own = ask(other, "/api/tables", BAYERN)["scorer"]
    other.answer("GET", f"/t/{own}", {})
    secret = other.cookies["phone"]
    assert restore_book(other, download_book(phone)) == (6, 0, 0, 0)
    assert shelf(other, TABLES_COOKIE) == [own, *shelf(phone, TABLES_COOKIE)]
    assert other.cookies["phone"] == secret
    # A new phone takes over the identity of the phone that saved the file.
    again = phones("again")
    restore_book(again, download_book(phone))
    assert again.cookies["phone"] == phone.cookies["phone"]


def leaves(value, path=()):
    """The paths to all texts and numbers of JSON data."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield path


def with_changed_value(data, path):
    """A copy with another value at a path, as JSON bytes."""
    other = copy.deepcopy(data)
    *way, last = path
    part = other
    for step in way:
        part = part[step]
    part[last] = f"{part[last]}0" if isinstance(part[last], str) else part[last] + 1
    return json.dumps(other).encode()


def test_file_with_a_changed_record_is_refused(phone, phones):
    other, book = phones("other"), json.loads(download_book(phone))
    before = phone_state(other)
    kinds = set()
    for index, stream in enumerate(book["archive"]["streams"]):
        places = [("head", *path) for path in leaves(stream["head"])]
        for n, entry in enumerate(stream["events"]):
            places += [("events", n, "event", *path) for path in leaves(entry["event"])]
        # Each field of each kind of entry once.
        for place in places:
            named = (stream["kind"], *(part for part in place if isinstance(part, str)))
            if named in kinds:
                continue
            kinds.add(named)
            changed = with_changed_value(book, ("archive", "streams", index, *place))
            assert refusal_code(other, changed) == "changed-book", place
    assert len(kinds) > 40
    assert phone_state(other) == before


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"phone": 1}',
        json.dumps(BAYERN).encode(),
        b'{"phone": 1, "archive": {}, "server": [], "cookies": {}}',
        b'{"phone": 1, "archive": [], "server": {}, "cookies": []}',
    ],
)
def test_other_file_is_refused_with_a_message(phones, text):
    assert refusal_code(phones("other"), text) == "not-a-book"


@pytest.mark.parametrize(
    "known",
    [
        {},
        {"stream": "nowhere", "events": 0, "other": None},
        {"stream": 0, "events": 99, "other": None},
        {"stream": 0, "events": -1, "other": None},
        {"stream": 0, "events": "1", "other": None},
        {"stream": 0, "events": 1, "other": {}},
        {"stream": 0, "events": 1, "other": {"bummerl": 1, "streams": [], "boxes": []}},
    ],
)
def test_false_claims_about_the_server_are_refused(phone, phones, known):
    book = json.loads(download_book(phone))
    if known.get("stream") == 0:
        known = {**known, "stream": book["archive"]["streams"][0]["id"]}
    false = json.dumps({**book, "server": [known]}).encode()
    assert refusal_code(phones("other"), false) == "not-a-book"


def test_server_has_no_saved_book_page(server):
    assert [server.request("GET", f"/book{part}")[0] for part in ("", "/file")] == [404] * 2


def test_restored_links_are_listed_until_opened(phone, tmp_path):
    """The server's start page lists only links that this browser has opened."""
    (tmp_path / "online").mkdir()
    online = OfflineApp(str(tmp_path / "online"), "https://watten.example")
    _, headers, _ = send(online, download_book(phone))
    location = dict(headers)["Location"].removeprefix("https://watten.example")
    page = Page(online.answer("GET", location, {})[2].decode())
    links = [link["href"] for link in page.one("ul", data_open_once=True).all("a")]
    keys = [key for name in SHELVES for key in shelf(phone, name)]
    assert [link.rpartition("/")[2] for link in links] == keys
    assert {online.answer("GET", link, {})[0] for link in links} == {200}
    assert not Page(online.answer("GET", "/book", {})[2].decode()).has("ul", data_open_once=True)
