"""Uploads of tables, ledgers and tournaments from a phone to a real server."""

import itertools
import json
import re
from base64 import b64decode
from contextlib import closing
from http import HTTPStatus
from urllib.parse import urlencode

import pytest

from scorer.book import erasure
from scorer.pocket.offline_app import OfflineApp
from scorer.store import hash_chain
from scorer.store.database_url import open_store
from scorer.store.keys import digest, mint
from scorer.web.frame.device_identity import FORMER_NAME_COOKIE, SEED_COOKIE
from scorer.web.pocket.api import COPY_FORMAT
from tests import serving
from tests.builders import BAYERN, LOST, NEXT, WON, head_and_events
from tests.pocket.upload_script import Sending
from tests.proxy import Proxy
from tests.sampling import slow

UNSENT = re.compile(
    r'<li><small><time datetime="[^"]+">\d\d:\d\d [^<]+</time>'
    r"(?: <small[^>]*>[^<]+</small>)?</small> \S"
)
"""The time and text of an entry that the server did not accept, in HTML."""
FORM = {"content-type": "application/x-www-form-urlencoded"}
JSON = {"content-type": "application/json"}
PAIRS = [{"name": f"Paar {n}"} for n in range(4)]
NEW_TOURNAMENT = {
    "name": "Preis",
    "rules": "bayern",
    "pairs": PAIRS,
    "rounds": 3,
    "games_per_round": 1,
}
NOT_ACCEPTED = ("put_aside_revoked", "put_aside_refused", "conflict")


@pytest.fixture
def phone(tmp_path):
    made = OfflineApp(str(tmp_path), "http://bummerl.local")
    made.browser = mint()
    return made


def cookie(phone):
    """The header with the browser's cookie, a secret that the app never sees."""
    return {"Cookie": f"phone={phone.browser}"} if phone.browser else {}


def fetch_copy(server, key, **headers):
    """The server's copy of a key's stream, requested as by an app of this version."""
    return server.request("GET", f"/pocket/streams/{key}", Bummerl_Copy=COPY_FORMAT, **headers)[2]


def form(phone, path, **fields):
    status, headers, _ = phone.answer("POST", path, FORM, urlencode(fields).encode())
    assert status == 303
    phone.answer("GET", dict(headers)["Location"], {})
    return dict(headers)["Location"].rsplit("/", 1)[-1]


def ask(phone, path, body=None, **headers):
    sent = {**JSON, **{name.replace("_", "-").lower(): text for name, text in headers.items()}}
    data = b"" if body is None else json.dumps(body).encode()
    status, _, text = phone.answer("GET" if body is None else "POST", path, sent, data)
    assert status in (200, 201), text
    return json.loads(text)


def record(phone, key, *events, name="own"):
    """Record events at a table, offline on the phone."""
    for n, event in enumerate(events):
        ask(phone, f"/api/tables/{key}/events", event, Idempotency_Key=f"{name}{n}")


def own_key(phone, cookie="tables"):
    """The key of the phone's newest table or tournament."""
    return phone.cookies[cookie].split(".")[0]


def open_table(phone):
    """Create a table on the phone, open its page, and return its keys."""
    keys = ask(phone, "/api/tables", BAYERN)
    phone.answer("GET", f"/t/{keys['scorer']}", {})
    return keys


def finish(phone, path, number=1):
    """Enter a result at both tables of a round."""
    for at in (1, 2):
        result = {"round": number, "table": at, "games": [[15, 3]]}
        ask(phone, f"{path}/results", result, Idempotency_Key=f"r{number}{at}")


def decide(phone, **counts):
    """Decide the phone's only conflict. `counts` names the version that counts."""
    [stream] = phone.store.conflicts()
    form(phone, "/pocket", stream=stream, **counts)


@pytest.fixture(scope="session")
def sending(server, tmp_path_factory):
    with Sending(tmp_path_factory.mktemp("sending"), server.url) as running:
        yield running


@pytest.fixture
def upload_all(sending):
    """A function that uploads everything once with the phone's own script."""

    def sent(phone, server, meanwhile=None):
        """The value of `NOT_ACCEPTED` that the script came to, else "sent".

        :param meanwhile: called after a table is uploaded and before its copy is fetched
        """

        def before(request):
            if meanwhile and request.startswith("GET /pocket/streams/"):
                meanwhile()

        came = sending.send(phone, before)
        found = [what for what in came if what in NOT_ACCEPTED]
        assert found or meanwhile or (phone.status() == {"pocket": "ready", "unsent": 0}), came
        return found[-1] if found else "sent"

    return sent


@pytest.mark.parametrize("known", ["", "abcdefgh", "abcdefghijklmnopqrstuvwxyz"])
@pytest.mark.parametrize("release", ["this", "earlier"])
def test_tap_recorded_on_both_sides_counts_once(phone, server, known, release, upload_all):
    table, there = server.table(), serving.Phone(server)
    there.cookies = {"phone": known} if known else {}
    # A phone of the first release has its old name until it opens a page. Under another name the
    # server would ask whether the same event is a second one.
    for visited, event in ((False, WON), (True, LOST)):
        if visited:
            there.open(f"/t/{table['scorer']}")
        sent = "; ".join(f"{name}={value}" for name, value in there.cookies.items())
        phone.adopt(table["scorer"], fetch_copy(server, table["scorer"], Cookie=sent))
        phone.browser = there.cookies.get("phone", "")
        if not there.cookies:
            continue
        if release == "earlier":
            # An app of an earlier release read the name only.
            phone.cookies[FORMER_NAME_COOKIE] = phone.cookies.pop(SEED_COOKIE)[:16]
        seen = server.seq(table["scorer"])
        tap = {"event": json.dumps(event), "seq": seen, "token": f"t{seen}"}
        # The server's response is lost, so the phone records the tap offline, too.
        assert there.send(f"/t/{table['scorer']}/events", list(tap.items())) == 303
        form(phone, f"/t/{table['scorer']}/events", **tap)
        assert upload_all(phone, server) == "sent"
        assert server.seq(table["scorer"]) == seen + 1


@pytest.mark.parametrize("release", ["this", "earlier"])
def test_table_opened_offline_keeps_one_author_name(phone, server, release, upload_all):
    adopt_copy(phone, server, server.table()["scorer"])
    if release == "earlier":
        phone.cookies[FORMER_NAME_COOKIE] = phone.cookies.pop(SEED_COOKIE)[:16]
    keys = [open_table(phone)["scorer"] for _ in range(2)]
    for key in keys:
        form(phone, f"/t/{key}/events", event=json.dumps(WON), seq=0, token="first")
    assert upload_all(phone, server) == "sent"
    for key in keys:
        tap = {"event": json.dumps(LOST), "seq": 1, "token": "second"}
        assert server.request("POST", f"/t/{key}/events", [*tap.items()], **cookie(phone))[0] == 303
        form(phone, f"/t/{key}/events", **tap)
    assert upload_all(phone, server) == "sent"
    authors = [{event["by"] for event in server.record(key)["events"]} for key in keys]
    assert [len(names) for names in authors] == [1, 1]
    assert authors[0] != authors[1]
    # An earlier app's keys stay as they are, because it recognises its entries by them.
    former = json.loads(fetch_copy(server, keys[0], **cookie(phone)))["name"]
    copies = [fetch_copy(server, key) for key in keys]
    assert [former in copied for copied in copies] == [release == "earlier"] * 2


def adopt_copy(phone, server, key):
    return phone.adopt(key, fetch_copy(server, key, **cookie(phone)))


def counted_table(phone, ledger):
    """Create a table with one round on the phone, count it in a ledger, and return its key."""
    key = open_table(phone)["scorer"]
    form(phone, "/regulars/evenings", group=ledger, table=key)
    record(phone, key, WON)
    return key


def evenings_of(server, ledger):
    return server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"]


def test_uploaded_ledger_counts_evenings_of_both_sides(phone, server, upload_all):
    ledger = form(phone, "/regulars", name="Donnerstag")
    counted_table(phone, ledger)
    assert upload_all(phone, server) == "sent"
    assert evenings_of(server, ledger) == 1
    # Now server and phone each count another evening without the other.
    fields = [("group", ledger), ("table", server.table()["scorer"])]
    assert server.request("POST", "/regulars/evenings", fields)[0] == 303
    counted_table(phone, ledger)
    assert upload_all(phone, server) == "sent"
    assert evenings_of(server, ledger) == 3
    # The ledger's page on the server links to the boards of all evenings.
    assert server.request("GET", f"/g/{ledger}")[2].count('href="/b/') == 3
    # The phone does not count an evening that it does not have, and its page says so.
    status, _, body = phone.answer("GET", f"/g/{ledger}", {})
    assert status == 200
    assert 'data-missing="1"' in body.decode()


@pytest.fixture
def preiswatten(phone):
    """The keys of a tournament created on the phone, and the tables of its first round."""
    keys = ask(phone, "/api/tournaments", NEW_TOURNAMENT)
    phone.answer("GET", f"/p/{keys['director']}", {})
    return keys, ask(phone, f"/api/tournaments/{keys['director']}/draw", {})["tables"]


def ranking(server, path):
    return server.json("GET", f"{path}/standings")[1]


def test_tournament_is_uploaded_with_its_tables(phone, server, preiswatten, upload_all):
    keys, drawn = preiswatten
    assert upload_all(phone, server) == "sent"
    path = f"/api/tournaments/{keys['director']}"
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    # The link of a slip that was printed offline opens its table on the server.
    assert server.json("GET", f"/api/tables/{drawn[0]['scorer']}")[0] == 200
    # The phone continues offline and uploads again: results, then a draw with new tables.
    finish(phone, path)
    later = ask(phone, f"{path}/draw", {})["tables"]
    record(phone, later[0]["scorer"], WON)
    assert [upload_all(phone, server) for _ in range(2)] == ["sent"] * 2
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    assert server.seq(later[0]["scorer"]) == 1
    assert server.request("GET", f"/p/{keys['director']}")[0] == 200


def test_rounds_drawn_offline_are_uploaded(phone, server, preiswatten, upload_all):
    keys, first = preiswatten
    path = f"/api/tournaments/{keys['director']}"
    finish(phone, path)
    ask(phone, f"{path}/draw", {})
    assert upload_all(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    # The server also has the boxes that lead a pair from its first table to its second.
    table = first[0]["scorer"]
    assert boxes_of(server, table) == phone.store.dump([phone.store.find(table).stream])["boxes"]


def test_large_streams_are_uploaded_in_parts(phone, server, preiswatten, monkeypatch, upload_all):
    keys, _ = preiswatten
    path = f"/api/tournaments/{keys['director']}"
    finish(phone, path)

    def unsent_desk():
        [desk] = [p for p in json.loads(phone.unsent_streams()) if "director" in p["keys"]]
        return desk

    whole = unsent_desk()
    length = len(json.dumps(whole["new_stream"])) - 1
    monkeypatch.setattr("scorer.pocket.offline_app.MAX_PART_LENGTH", length)
    parts = [len(p["new_stream"]["streams"][0]["events"]) for p in (whole, unsent_desk())]
    assert parts[0] > parts[1] > 0
    assert upload_all(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")


def boxes_of(server, key):
    return server.json("GET", f"/pocket/streams/{key}")[1]["copy"]["boxes"]


def test_offline_round_is_linked_to_the_servers_round(phone, server, upload_all):
    """A round drawn offline is uploaded with the boxes that link the server's tables to it."""
    director = server.new_tournament(**NEW_TOURNAMENT)["director"]
    path = f"/api/tournaments/{director}"
    first = server.json("POST", f"{path}/draw", {}, Idempotency_Key="first")[1]["tables"]
    adopt_copy(phone, server, director)
    before = boxes_of(server, first[0]["scorer"])
    # The second round drawn offline has boxes for tables that the server does not have yet.
    for number in (1, 2):
        finish(phone, path, number)
        later = ask(phone, f"{path}/draw", {})["tables"]
        if number == 1:
            second = later
    assert upload_all(phone, server) == "sent"
    for table in (*first, *second):
        for seat in ("scorer", "opponent"):
            own = phone.store.dump([], [digest(table[seat])])["boxes"]
            assert [box for box in boxes_of(server, table[seat]) if box in own] == own
    assert len(boxes_of(server, first[0]["scorer"])) == len(before) + 2


@pytest.mark.parametrize("home", [False, True])
def test_season_joined_offline_is_uploaded(phone, server, preiswatten, home, upload_all):
    """The newest tournament is created offline. The two earlier ones are on the server."""
    oldest, last = (server.new_tournament(name="Davor", rounds=1) for _ in range(2))
    # Visitors may copy a tournament once all its rounds are drawn.
    server.draw(last["director"])
    counted = [("token", "s"), ("with", oldest["viewer"])]
    assert server.request("POST", f"/p/{last['director']}/season", counted)[0] == 303
    if home:
        upload_all(phone, server)
    adopt_copy(phone, server, last["viewer"])
    director = preiswatten[0]["director"]
    body = urlencode({"token": "s", "with": f"http://x/p/{last['viewer']}"}).encode()
    assert phone.answer("POST", f"/p/{director}/season", FORM, body)[0] == 303
    assert upload_all(phone, server) == "sent"
    assert server.request("GET", f"/p/{director}/season")[2].count('name="without"') == 2


def test_phone_pages_keep_the_servers_language_and_size(phone, server):
    key = server.table()["scorer"]
    chosen = {"Cookie": "big=1; language=it"}
    phone.adopt(key, server.request("GET", f"/pocket/streams/{key}", **chosen)[2])
    page = phone.answer("GET", f"/t/{key}", {})[2].decode()
    assert 'lang="it"' in page
    assert 'class="writer-table big"' in page


def test_start_page_lists_tables_of_server_and_phone(phone, server):
    keys = [server.table()["scorer"] for _ in range(3)]
    cookie = f"tables={'.'.join([*keys[::-1], 'closed'])}"
    lists = server.request("GET", "/pocket/streams", Cookie=cookie)[2]
    assert json.loads(phone.unknown_keys(lists)) == keys[::-1]
    for key in keys:
        adopt_copy(phone, server, key)
    own = open_table(phone)["scorer"]
    adopt_copy(phone, server, old := server.table()["scorer"])
    assert json.loads(phone.unknown_keys(lists)) == []
    assert phone.set_key_lists(lists)
    assert not phone.set_key_lists(lists)
    page = phone.answer("GET", "/", {})[2].decode()
    assert re.findall(r'<a href="/t/(\w+)"', page) == [own, *keys[::-1]]
    assert old not in page


def test_start_page_lists_ledgers_and_desks(phone, server):
    where = server.request("POST", "/regulars", [("name", "Donnerstag")])[1]["location"]
    desk = server.new_tournament(name="Beim Wirt")["director"]
    group = where.rsplit("/", 1)[1]
    cookie = f"groups={group}; tournaments={desk}"
    lists = server.request("GET", "/pocket/streams", Cookie=cookie)[2]
    assert json.loads(phone.unknown_keys(lists)) == [group, desk]
    for key in (group, desk):
        adopt_copy(phone, server, key)
    assert json.loads(phone.unknown_keys(lists)) == []
    form(phone, "/regulars", name="Im Keller")
    adopt_copy(phone, server, server.new_tournament(name="Früher")["director"])
    assert phone.set_key_lists(lists)
    assert not phone.set_key_lists(lists)
    page = phone.answer("GET", "/", {})[2].decode()
    assert {group, desk} <= set(re.findall(r'<a href="/[gp]/(\w{20,})', page))
    # The list still has a ledger that the server does not have yet.
    assert "Im Keller" in page
    assert "Früher" not in page
    for path, name in ((f"/g/{group}", "Donnerstag"), (f"/p/{desk}", "Beim Wirt")):
        status, _, text = phone.answer("GET", path, {})
        assert status == 200
        assert name in text.decode()


def test_uploaded_table_is_listed_as_opened_here(phone, server):
    key = open_table(phone)["scorer"]
    [parcel] = json.loads(phone.unsent_streams())
    sent = {"Bummerl_Key": parcel["proof"], "Content_Type": "application/json"}
    body = json.dumps(parcel["new_stream"]).encode()
    cookies = server.request("POST", "/pocket/streams", body, **sent)[1]["set-cookie"]
    assert f"tables={key};" in cookies
    assert f"opened={key[:8]};" in cookies


def test_forgotten_table_is_still_uploaded(phone, server, upload_all):
    key = open_table(phone)["scorer"]
    upload_all(phone, server)
    record(phone, key, WON)
    form(phone, "/forget", key=key)
    assert upload_all(phone, server) == "sent"
    assert server.seq(key) == 1


@pytest.fixture
def played(server):
    """The keys of a table on the server whose first game ended 10:0."""
    return server.table(played=[WON] * 5)


def confirm_offline(phone, key):
    """On the phone of the other side: open its link offline, claim the seat, confirm the game."""
    phone.answer("GET", f"/b/{key}", {})
    form(phone, f"/b/{key}/hold")
    form(phone, f"/b/{key}/say", do="bestaetigt", side=1, game=1, stand="10:0", token="t")


def signatures(server, keys):
    """The events after the first game as (name, role that signed it)."""
    events = server.record(keys["viewer"])["events"][5:]
    return [(event["do"], event["by"].partition(" ")[0]) for event in events]


def test_events_of_the_other_side_are_uploaded(phone, server, played, upload_all):
    adopt_copy(phone, server, played["opponent"])
    confirm_offline(phone, played["opponent"])
    assert upload_all(phone, server) == "sent"
    assert signatures(server, played) == [("uebernahme", "opponent"), ("bestaetigt", "opponent")]


def test_each_side_signs_its_own_events_again(phone, server, played, upload_all):
    adopt_copy(phone, server, played["scorer"])
    phone.answer("GET", f"/t/{played['scorer']}", {})
    confirm_offline(phone, played["opponent"])
    record(phone, played["scorer"], NEXT)
    server.play(played["scorer"], NEXT)
    assert upload_all(phone, server) == "conflict"
    decide(phone, counts="here")
    assert upload_all(phone, server) == "sent"
    next_game, corrected = ("neues_spiel", "scorer"), ("korrektur", "scorer")
    confirmed = [("uebernahme", "opponent"), ("bestaetigt", "opponent")]
    assert signatures(server, played) == [next_game, corrected, *confirmed, next_game]


def record_offline_tap(phone, server):
    """The key of a server's table at which the phone records a round offline."""
    key = server.table()["scorer"]
    adopt_copy(phone, server, key)
    record(phone, key, WON, name="first")
    return key


MISTAKEN = [WON, {"do": "korrektur", "of": 1, "with": None}]
ANSWERED = [{"do": "bieten", "side": 0}, {"do": "bleiben", "side": 1}]


@pytest.mark.parametrize(("here", "there"), [(MISTAKEN, LOST), (ANSWERED, ANSWERED[0])])
def test_writes_on_both_sides_are_a_conflict(phone, server, here, there, upload_all):
    key = record_offline_tap(phone, server)

    def both():
        server.play(key, there)
        record(phone, key, *here)

    assert upload_all(phone, server, both) == "conflict"
    assert phone.status() == {"pocket": "conflict", "unsent": 2}
    assert points(phone, key) == [2, 0]
    assert dos(server, key) == ["gewinnt", there["do"]]
    decide(phone, counts="here")
    assert upload_all(phone, server) == "sent"
    # The server's event stays in the record, struck out.
    said = [event["do"] for event in here]
    assert dos(server, key) == ["gewinnt", there["do"], "korrektur", *said]
    assert points(phone, key) == server.state(key)["points"] == [2, 0]


def test_same_tap_during_an_upload_counts_once(phone, server, upload_all):
    key = record_offline_tap(phone, server)

    def both():
        # The server records the tap, but its response is lost.
        assert server.write(key, WON, "second0")[0] == 201
        record(phone, key, WON, name="second")

    upload_all(phone, server, both)
    assert upload_all(phone, server) == "sent"
    assert points(phone, key) == [4, 0]


def test_opponent_cannot_choose_its_own_version(phone, server, played, upload_all):
    adopt_copy(phone, server, played["opponent"])
    confirm_offline(phone, played["opponent"])
    server.play(played["scorer"], NEXT)
    assert upload_all(phone, server) == "conflict"
    stream, _, choices = conflict_page(phone)
    assert choices == ["there"]
    body = urlencode({"stream": stream, "counts": "here"}).encode()
    assert phone.answer("POST", "/pocket", FORM, body)[0] == 403


def test_slip_works_without_its_tournament(phone, server, upload_all):
    slip = server.draw(server.new_tournament(**NEW_TOURNAMENT)["director"])[0]["scorer"]
    adopt_copy(phone, server, slip)
    record(phone, slip, WON)
    assert phone.answer("GET", f"/t/{slip}", {})[0] == 200
    assert upload_all(phone, server) == "sent"
    assert server.seq(slip) == 1


def test_wrong_clock_does_not_change_the_order(phone, server, upload_all):
    # Replaces the clock that the store's constructor takes.
    phone.store._clock = lambda: "2031-01-01T00:00:00.000Z"
    key = open_table(phone)["scorer"]
    upload_all(phone, server)
    record(phone, key, WON, LOST)
    assert upload_all(phone, server) == "sent"
    events = server.record(key)["events"]
    assert [event["side"] for event in events] == [0, 1]
    # Events that are uploaded one by one have the server's time, also on the phone.
    assert not [event for event in events if event["at"].startswith("2031")]
    assert ask(phone, f"/api/tables/{key}/record")["events"] == events


def test_uploaded_links_cannot_be_renewed_offline(phone, server, upload_all):
    key = open_table(phone)["scorer"]
    form(phone, f"/t/{key}/renew", role="viewer")
    upload_all(phone, server)
    body = urlencode({"role": "viewer"}).encode()
    assert phone.answer("POST", f"/t/{key}/renew", FORM, body)[0] == 503


@pytest.fixture
def closed_link(phone, server, upload_all):
    """A table whose writer link was renewed, so that the phone cannot upload its round. The value
    has the keys on the phone, and the new key on the server."""
    keys = open_table(phone)
    upload_all(phone, server)
    record(phone, keys["scorer"], WON)
    status, headers, _ = server.request("POST", f"/t/{keys['scorer']}/renew", [("role", "scorer")])
    assert status == 303
    assert upload_all(phone, server) == "put_aside_revoked"
    assert phone.status() == {"pocket": "conflict", "unsent": 1}
    return keys, headers["location"].split("/")[-2]


def points(phone, key):
    return ask(phone, f"/api/tables/{key}")["state"]["points"]


def test_entries_of_a_closed_link_become_a_new_table(phone, server, closed_link, upload_all):
    keys, _ = closed_link
    _, page, choices = conflict_page(phone)
    assert "data-closed" in page
    assert re.findall(r'class="result">([^<]+)', page) == ["2 : 0", "0 : 0"]
    # The phone can no longer choose that its own version counts.
    assert choices == ["there", "nothing"]
    decide(phone, counts="there")
    assert upload_all(phone, server) == "sent"
    assert server.state(own_key(phone))["points"] == [2, 0]
    # The closed link is closed on the phone, too. The viewer link still opens the table.
    assert phone.answer("GET", f"/t/{keys['scorer']}", {})[0] == 404
    assert points(phone, keys["viewer"]) == [0, 0]


def test_new_link_uploads_entries_of_the_closed_one(phone, server, closed_link, upload_all):
    _, new = closed_link
    assert adopt_copy(phone, server, new) == "updated"
    assert upload_all(phone, server) == "sent"
    assert server.state(new)["points"] == [2, 0]


def conflict_page(phone):
    """The id of the only stream in conflict, the page of unsent entries, and the choices on it."""
    [stream] = phone.store.conflicts()
    page = phone.answer("GET", "/pocket", {})[2].decode()
    assert f'data-aside="{stream}"' in page
    return stream, page, re.findall(r'name="counts" value="(\w+)"', page)


def overplayed_slip(phone, server, *taken):
    """The key of a slip. Offline, the phone finished the tournament's only game and went on.

    :param taken: the phone's first entries, which the server accepts
    """
    director = server.new_tournament(rules="oberoesterreich", games_per_round=1)["director"]
    slip = server.draw(director)[0]["scorer"]
    server.play(slip, *[WON] * (5 - len(taken)))
    adopt_copy(phone, server, slip)
    phone.answer("GET", f"/t/{slip}", {})
    record(phone, slip, *taken, NEXT, LOST)
    return slip


@pytest.fixture
def overplayed(phone, server, upload_all):
    """The key of a slip whose table recorded more offline than its tournament's only game."""
    slip = overplayed_slip(phone, server)
    assert upload_all(phone, server) == "put_aside_refused"
    assert phone.status() == {"pocket": "conflict", "unsent": 2}
    return slip


def test_refused_entries_may_be_sent_again(phone, server, overplayed, upload_all):
    _, page, choices = conflict_page(phone)
    assert choices == ["there", "again", "nothing"]
    # The page shows the server's reason and each entry that the server refused.
    [why] = re.findall(r'data-refused>.*?class="quoted">(.+?)<', page, re.S)
    assert why not in ("", "tournament-games")
    assert len(UNSENT.findall(page)) == 2
    [file] = re.findall(r'href="data:application/json;base64,([^"]+)"', page)
    assert json.loads(b64decode(file)) == ask(phone, f"/api/tables/{overplayed}/record")
    decide(phone, counts="again")
    assert phone.status() == {"pocket": "offline", "unsent": 2}
    assert upload_all(phone, server) == "put_aside_refused"
    # The phone sends it only once more, and then waits until somebody decides.
    assert not json.loads(phone.unsent_streams())


def test_accepted_part_of_an_upload_is_kept(phone, server, upload_all):
    slip = overplayed_slip(phone, server, WON, WON)
    assert upload_all(phone, server) == "put_aside_refused"
    assert phone.status() == {"pocket": "conflict", "unsent": 2}
    # Nobody else wrote, so the phone shows the server's reason and not two versions.
    _, page, choices = conflict_page(phone)
    assert choices == ["there", "again", "nothing"]
    assert len(UNSENT.findall(page)) == 2
    here, there = ask(phone, f"/api/tables/{slip}/record"), server.record(slip)
    assert here["events"][:5] == there["events"]
    # Sending again does not change the server's record.
    for _ in range(2):
        decide(phone, counts="again")
        assert upload_all(phone, server) == "put_aside_refused"
    assert server.record(slip) == there
    decide(phone, counts="nothing")
    assert upload_all(phone, server) == "sent"
    assert ask(phone, f"/api/tables/{slip}/record") == there


def test_replaced_version_is_struck_out_once(phone, server, upload_all):
    slip = overplayed_slip(phone, server, WON, WON)
    server.play(slip, LOST)
    assert upload_all(phone, server) == "conflict"
    decide(phone, counts="here")
    assert upload_all(phone, server) == "put_aside_refused"
    struck_out = ["gewinnt"] * 4 + ["korrektur"] + ["gewinnt"] * 2
    assert dos(server, slip) == struck_out
    for _ in range(2):
        decide(phone, counts="again")
        assert upload_all(phone, server) == "put_aside_refused"
    assert dos(server, slip) == struck_out


def test_link_closed_during_upload_keeps_server_entries(phone, server, sending):
    keys = server.table()
    key = keys["scorer"]
    adopt_copy(phone, server, key)
    record(phone, key, WON, LOST)
    taps = itertools.count()

    def renewed(request):
        if request.endswith("/events") and next(taps) == 1:
            server.request("POST", f"/t/{key}/renew", [("role", "scorer")])

    assert sending.send(phone, renewed)[-1] == "put_aside_revoked"
    [(stream, copy)] = phone.store.conflicts().items()
    [there] = server.record(keys["viewer"])["events"]
    assert [entry["event"] for entry in copy["streams"][0]["events"]] == [there]
    assert phone.store.events(stream)[0].event == there


@pytest.fixture
def table_with_erasure(phone, server):
    """The key of a table with unsent entries on the phone, and a function that erases a name from
    the table on the server."""
    sides = [{"players": ["Anna", "Bert"]}, {"players": ["Cilli", "Dora"]}]
    key = server.table("bayern", sides=sides, dealer="Anna", played=[WON])["scorer"]
    adopt_copy(phone, server, key)
    phone.answer("GET", f"/t/{key}", {})
    seats = {"do": "sitzordnung", "dealer": "Cilli", "note": "Cilli gibt"}
    corrected = {"do": "korrektur", "of": server.seq(key) + 1, "with": WON}
    record(phone, key, seats, {**LOST, "player": "Cilli"}, corrected)
    stream = phone.store.find(key).stream
    return key, lambda: erase_on_server(server, stream, "Cilli")


def dos(server, key):
    return [event["do"] for event in server.record(key)["events"]]


def test_erasure_on_the_server_is_no_conflict(phone, server, table_with_erasure, upload_all):
    key, erase = table_with_erasure
    erase()
    assert upload_all(phone, server) == "sent"
    assert dos(server, key) == ["gewinnt", "loeschung", "sitzordnung", "gewinnt", "korrektur"]
    # A correction still refers to its entry, although that moved behind the erasure.
    assert server.state(key)["points"] == points(phone, key) == [4, 0]
    assert "Cilli" not in json.dumps(server.record(key))
    assert ask(phone, f"/api/tables/{key}/record") == server.record(key)


def test_erasure_during_an_upload_is_taken_over(phone, server, table_with_erasure, sending):
    key, erase = table_with_erasure
    taps = itertools.count()

    def meanwhile(request):
        if request.endswith("/events") and next(taps) == 1:
            erase()

    sending.send(phone, meanwhile)
    assert phone.status() == {"pocket": "ready", "unsent": 0}
    assert dos(server, key) == ["gewinnt", "sitzordnung", "loeschung", "gewinnt", "korrektur"]
    assert server.state(key)["points"] == points(phone, key) == [4, 0]
    assert "Cilli" not in json.dumps(server.record(key))


@pytest.mark.parametrize("counts", ["here", "there"])
def test_erased_name_stays_erased(phone, server, table_with_erasure, upload_all, counts):
    key, erase = table_with_erasure
    points(phone, key)
    server.play(key, WON)
    erase()
    assert upload_all(phone, server) == "conflict"
    decide(phone, counts=counts)
    assert upload_all(phone, server) == "sent"
    own = own_key(phone)
    assert "Cilli" not in json.dumps([server.record(key), server.record(own)])
    assert hash_chain.first_broken_entry(*head_and_events(server.record(own))) is None


def erase_on_server(server, stream, name):
    with closing(open_store(server.db)) as store:
        assert erasure.erase(store, stream, name, "N. N. 1a2b")


def test_evening_with_an_erasure_becomes_a_new_table(phone, server, table_with_erasure, upload_all):
    key, erase = table_with_erasure
    erase()
    assert upload_all(phone, server) == "sent"
    record(phone, key, WON, {"do": "korrektur", "of": server.seq(key), "with": None}, name="later")
    server.play(key, LOST)
    assert upload_all(phone, server) == "conflict"
    decide(phone, counts="there")
    assert upload_all(phone, server) == "sent"
    own = own_key(phone)
    assert (server.state(own)["points"], "loeschung" in dos(server, own)) == ([4, 0], False)
    assert hash_chain.first_broken_entry(*head_and_events(server.record(own))) is None


def test_desk_uploads_after_an_erasure(phone, server, upload_all):
    pairs = [{"name": "Cilli"}, *PAIRS[1:]]
    director = server.new_tournament(**{**NEW_TOURNAMENT, "pairs": pairs})["director"]
    path = f"/api/tournaments/{director}"
    server.draw(director)
    adopt_copy(phone, server, director)
    stream = phone.store.find(director).stream
    finish(phone, path)
    erase_on_server(server, stream, "Cilli")
    assert upload_all(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    assert "Cilli" not in json.dumps(ranking(server, path))
    # If the two desks really differ, the phone's version is uploaded, too.
    ask(phone, f"{path}/draw", {})
    server.draw(director)
    assert upload_all(phone, server) == "conflict"
    decide(phone, counts="both")
    assert upload_all(phone, server) == "sent"
    assert server.tournament(own_key(phone, "tournaments"))["rounds"]


def test_refused_entries_become_a_new_table(phone, server, overplayed, upload_all):
    decide(phone, counts="there")
    assert upload_all(phone, server) == "sent"
    state = server.state(own_key(phone))
    assert (state["game"], state["points"]) == (2, [0, 2])
    assert server.state(overplayed)["game"] == 1


def test_refused_entries_can_be_discarded(phone, server, overplayed, upload_all):
    decide(phone, counts="nothing")
    assert upload_all(phone, server) == "sent"
    assert ask(phone, f"/api/tables/{overplayed}/record")["events"][-1]["do"] == "gewinnt"


def test_table_already_on_the_server_needs_a_decision(phone, server, upload_all):
    key = open_table(phone)["scorer"]
    record(phone, key, WON, name="first")
    # The server has this stream already, as if another phone were a full copy of this one.
    [parcel] = json.loads(phone.unsent_streams())
    assert server.json("POST", "/pocket/streams", parcel["new_stream"])[0] == 201
    server.write(key, LOST, "theirs")
    record(phone, key, WON, name="mine")
    assert upload_all(phone, server) == "put_aside_refused"
    assert phone.status() == {"pocket": "conflict", "unsent": 2}
    _, page, choices = conflict_page(phone)
    assert choices == ["again", "nothing"]
    assert "data:application/json" in page
    decide(phone, counts="again")
    assert phone.status() == {"pocket": "offline", "unsent": 2}
    # The page shows the waiting entries before anything is sent.
    assert "data-waits" in phone.answer("GET", "/pocket", {})[2].decode()
    assert upload_all(phone, server) == "put_aside_refused"
    decide(phone, counts="nothing")
    assert upload_all(phone, server) == "sent"
    assert key not in phone.answer("GET", "/", {})[2].decode()


def test_desk_of_a_closed_link_becomes_a_new_one(phone, server, preiswatten, upload_all):
    keys, _ = preiswatten
    upload_all(phone, server)
    path = f"/api/tournaments/{keys['director']}"
    mine = {"round": 1, "table": 1, "games": [[15, 3]]}
    ask(phone, f"{path}/results", mine, Idempotency_Key="mine")
    assert server.request("POST", f"/p/{keys['director']}/renew", [("role", "director")])[0] == 303
    assert upload_all(phone, server) == "put_aside_revoked"
    assert b"data-closed" in phone.answer("GET", "/pocket", {})[2]
    there = ask(phone, f"{path}/standings")
    decide(phone, counts="both")
    assert upload_all(phone, server) == "sent"
    own = own_key(phone, "tournaments")
    assert ranking(server, f"/api/tournaments/{own}")["standings"] == there["standings"]


def test_conflict_of_a_closed_ledger_can_be_discarded(phone, server, upload_all):
    ledger = form(phone, "/regulars", name="Donnerstag")
    upload_all(phone, server)
    key = counted_table(phone, ledger)
    access = phone.store.find(ledger)
    phone.put_aside_revoked(access.stream, ledger)
    assert b"data-closed" in phone.answer("GET", "/pocket", {})[2]
    form(phone, "/pocket", stream=access.stream, counts="nothing")
    assert upload_all(phone, server) == "sent"
    assert points(phone, key) == [2, 0]


def test_both_desks_of_a_conflict_are_kept(phone, server, preiswatten, upload_all):
    keys, drawn = preiswatten
    # Tables that are no longer in use belong to the desk, too.
    first, second = (table["pairs"][0] for table in drawn)
    swap = {"round": 1, "first": first, "second": second, "what": "pairs", "token": "swap"}
    form(phone, f"/p/{keys['director']}/swap", **swap)
    upload_all(phone, server)
    path = f"/api/tournaments/{keys['director']}"
    mine = {"round": 1, "table": 1, "games": [[15, 3]]}
    ask(phone, f"{path}/results", mine, Idempotency_Key="mine")
    live = f"/p/{keys['director']}/standings/stream"
    before = phone.answer("GET", live, {})[2]
    other = {**mine, "games": [[4, 15]]}
    assert server.json("POST", f"{path}/results", other, Idempotency_Key="theirs")[0] == 201
    assert upload_all(phone, server) == "conflict"
    assert phone.status()["pocket"] == "conflict"
    assert "Preis" in phone.answer("GET", "/pocket", {})[2].decode()
    decide(phone, counts="both")
    assert upload_all(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    # The live standings change, too, although the number of entries is the same.
    assert phone.answer("GET", live, {})[2] != before
    own = own_key(phone, "tournaments")
    assert ranking(server, f"/api/tournaments/{own}") != ranking(server, path)


def test_desk_cannot_name_foreign_tables(phone, server, preiswatten, upload_all):
    keys, _ = preiswatten
    upload_all(phone, server)
    stranger = server.table()
    stream = json.loads(server.request("GET", f"/pocket/streams/{stranger['viewer']}")[2])
    body = {"do": "stechtisch", "pairs": [1, 2], "stream": stream["copy"]["streams"][0]["id"]}
    path = f"/pocket/streams/{keys['director']}/events"
    seen = {"Idempotency_Key": "x", "If_Match": '"1"'}
    assert server.json("POST", path, body, **seen)[0] == 422


def test_boxes_of_others_are_refused(phone, server, preiswatten, upload_all):
    keys, drawn = preiswatten
    upload_all(phone, server)
    path, stranger = f"/pocket/streams/{keys['director']}/boxes", server.table()
    unknown = [("0" * 64, "hall"), ("0" * 64, "0" * 16), (digest(stranger["scorer"]), "0" * 16)]
    for holder, role in (*unknown, (digest(drawn[0]["scorer"]), "tournament:")):
        box = {"holder": holder, "role": role, "nonce": "00", "box": "00"}
        body = json.dumps([box]).encode()
        assert server.request("POST", path, body, Content_Type="application/json")[0] == 422


def test_desk_of_the_server_continues_offline(phone, server, upload_all):
    keys = server.new_tournament(**NEW_TOURNAMENT)
    path = f"/api/tournaments/{keys['director']}"
    server.json("POST", f"{path}/draw")
    assert adopt_copy(phone, server, keys["director"]) == "updated"
    assert phone.answer("GET", f"/p/{keys['director']}", {})[0] == 200
    finish(phone, path)
    ask(phone, f"{path}/draw", {})
    assert upload_all(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")


@pytest.fixture(scope="module")
def between(server, tmp_path_factory):
    """A proxy, and the script that sends through it."""
    folder = tmp_path_factory.mktemp("between")
    with Proxy(server.url) as proxy, Sending(folder, proxy.url) as sending:
        yield proxy, sending


# Also statuses that the standard does not define.
STATUSES = [*(status.value for status in HTTPStatus if status >= 200), 299, 399, 419, 499, 520, 599]


@pytest.mark.slow
@pytest.mark.parametrize("born", [*slow(False), True])
def test_responses_of_a_false_server_lose_nothing(phone, server, between, born):
    proxy, sending = between
    if born:
        key = open_table(phone)["scorer"]
        record(phone, key, WON)
    else:
        key = record_offline_tap(phone, server)
    before = phone.unsent_streams()
    answers = itertools.product(STATUSES, ("", "{}", "<h1>Sign in</h1>"))
    for answer in [*answers, (302, "/"), (303, "/")]:
        with proxy.answering(*answer):
            assert sending.send(phone) == ["unsent_streams"], answer
        assert phone.unsent_streams() == before
        assert phone.status() == {"pocket": "offline", "unsent": 1}
    sending.send(phone)
    assert phone.status() == {"pocket": "ready", "unsent": 0}
    assert server.seq(key) == 1


def test_saved_and_uploaded_entries_are_recorded_once(phone, server, upload_all, tmp_path):
    """Another phone reads a file of entries that the first phone uploads meanwhile."""
    known = server.table()["scorer"]
    adopt_copy(phone, server, known)
    record(phone, known, WON, WON)
    begun = open_table(phone)["scorer"]
    record(phone, begun, LOST)
    file = json.loads(json.dumps(phone.book()))
    assert upload_all(phone, server) == "sent"
    (tmp_path / "other").mkdir()
    other = OfflineApp(str(tmp_path / "other"), "http://bummerl.local")
    other.browser = mint()
    other.merge(file)
    assert other.unsent_count == 3
    assert upload_all(other, server) == "sent"
    assert [server.seq(key) for key in (known, begun)] == [2, 1]
    for key in (known, begun):
        for one in (phone, other):
            assert adopt_copy(one, server, key) != "conflict"
            assert ask(one, f"/api/tables/{key}/record") == server.record(key)
