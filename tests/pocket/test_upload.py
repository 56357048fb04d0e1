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
from scorer.pocket.host import Phone
from scorer.store import hash_chain
from scorer.store.database_url import open_store
from scorer.store.keys import digest, mint
from scorer.web.frame.device_cookies import NAME, SEED
from scorer.web.pocket.api import READS
from tests import serving
from tests.builders import BAYERN, LOST, NEXT, WON, split
from tests.pocket.upload_script import Sending
from tests.proxy import Proxy
from tests.slow import slow

UNSENT = re.compile(
    r'<li><small><time datetime="[^"]+">\d\d:\d\d [^<]+</time>'
    r"(?: <small[^>]*>[^<]+</small>)?</small> \S"
)
"""The time and text of an entry that the server did not accept, in HTML."""
FORM = {"content-type": "application/x-www-form-urlencoded"}
JSON = {"content-type": "application/json"}
PAIRS = [{"name": f"Paar {n}"} for n in range(4)]
PREIS = {"name": "Preis", "rules": "bayern", "pairs": PAIRS, "rounds": 3, "games_per_round": 1}


@pytest.fixture
def phone(tmp_path):
    made = Phone(str(tmp_path), "http://bummerl.local")
    made.browser = mint()
    return made


def cookie(phone):
    """The header with the browser's cookie, a secret that the app never sees."""
    return {"Cookie": f"phone={phone.browser}"} if phone.browser else {}


def fetched(server, key, **headers):
    """The server's copy of a key's stream, requested as by an app of this version."""
    return server.request("GET", f"/pocket/streams/{key}", Bummerl_Copy=READS, **headers)[2]


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


def opened(phone):
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
    [stream] = phone.store.parted()
    form(phone, "/pocket", stream=stream, **counts)


@pytest.fixture(scope="session")
def sending(server, tmp_path_factory):
    with Sending(tmp_path_factory.mktemp("sending"), server.url) as running:
        yield running


@pytest.fixture
def came_home(sending):
    """A function that uploads everything once with the phone's own script. It returns "closed",
    "parted" or "refused" if something was not accepted, else "sent"."""

    def sent(phone, server, meanwhile=None):
        """
        :param meanwhile: called after a table is uploaded and before its copy is fetched
        """

        def before(request):
            if meanwhile and request.startswith("GET /pocket/streams/"):
                meanwhile()

        came = sending.send(phone, before)
        found = [what for what in came if what in ("closed", "parted", "refused")]
        done = phone.stands() == {"pocket": "ready", "unsent": 0}
        assert found or meanwhile or done, came
        return found[-1] if found else "sent"

    return sent


@pytest.mark.parametrize("known", ["", "abcdefgh", "abcdefghijklmnopqrstuvwxyz"])
@pytest.mark.parametrize("release", ["this", "earlier"])
def test_a_tap_that_both_recorded_is_one(phone, server, known, release, came_home):
    table, there = server.table(), serving.Phone(server)
    there.cookies = {"phone": known} if known else {}
    # A phone of the first release has its old name until it opens a page. Under another name the
    # server would ask whether the same event is a second one.
    for visited, event in ((False, WON), (True, LOST)):
        if visited:
            there.open(f"/t/{table['scorer']}")
        sent = "; ".join(f"{name}={value}" for name, value in there.cookies.items())
        phone.adopt(table["scorer"], fetched(server, table["scorer"], Cookie=sent))
        phone.browser = there.cookies.get("phone", "")
        if not there.cookies:
            continue
        if release == "earlier":
            # An app of an earlier release read the name only.
            phone.cookies[NAME] = phone.cookies.pop(SEED)[:16]
        seen = server.seq(table["scorer"])
        tap = {"event": json.dumps(event), "seq": seen, "token": f"t{seen}"}
        # The server's response is lost, so the phone records the tap offline, too.
        assert there.send(f"/t/{table['scorer']}/events", list(tap.items())) == 303
        form(phone, f"/t/{table['scorer']}/events", **tap)
        assert came_home(phone, server) == "sent"
        assert server.seq(table["scorer"]) == seen + 1


@pytest.mark.parametrize("release", ["this", "earlier"])
def test_a_table_opened_offline_goes_on_under_one_name(phone, server, release, came_home):
    """Server and phone record the same taps at a table that began on the phone."""
    adopted(phone, server, server.table()["scorer"])
    if release == "earlier":
        phone.cookies[NAME] = phone.cookies.pop(SEED)[:16]
    keys = [opened(phone)["scorer"] for _ in range(2)]
    for key in keys:
        form(phone, f"/t/{key}/events", event=json.dumps(WON), seq=0, token="first")
    assert came_home(phone, server) == "sent"
    for key in keys:
        tap = {"event": json.dumps(LOST), "seq": 1, "token": "second"}
        sent = server.request("POST", f"/t/{key}/events", [*tap.items()], **cookie(phone))
        assert sent[0] == 303
        form(phone, f"/t/{key}/events", **tap)
    assert came_home(phone, server) == "sent"
    authors = [{event["by"] for event in server.record(key)["events"]} for key in keys]
    assert [len(names) for names in authors] == [1, 1]
    assert authors[0] != authors[1]
    # An earlier app's keys stay as they are, because it recognises its entries by them.
    former = json.loads(fetched(server, keys[0], **cookie(phone)))["name"]
    copies = [fetched(server, key) for key in keys]
    assert [former in copied for copied in copies] == [release == "earlier"] * 2


def adopted(phone, server, key):
    return phone.adopt(key, fetched(server, key, **cookie(phone)))


def counted_table(phone, ledger, name):
    """Create a table with one round on the phone, count it in a ledger, and return its key."""
    key = opened(phone)["scorer"]
    form(phone, "/regulars/evenings", group=ledger, table=key)
    ask(phone, f"/api/tables/{key}/events", WON, Idempotency_Key=name)
    return key


def evenings_of(server, ledger):
    return server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"]


def test_a_ledger_comes_home_and_both_sides_count(phone, server, came_home):
    ledger = form(phone, "/regulars", name="Donnerstag")
    counted_table(phone, ledger, "first")
    assert came_home(phone, server) == "sent"
    assert evenings_of(server, ledger) == 1
    # Now server and phone each count another evening without the other.
    there = server.table()
    fields = [("group", ledger), ("table", there["scorer"])]
    assert server.request("POST", "/regulars/evenings", fields)[0] == 303
    counted_table(phone, ledger, "second")
    assert came_home(phone, server) == "sent"
    assert evenings_of(server, ledger) == 3
    # The ledger's page on the server links to the boards of all evenings.
    page = server.request("GET", f"/g/{ledger}")[2]
    assert page.count('href="/b/') == 3
    # The phone does not count an evening that it does not have, and its page says so.
    status, _, body = phone.answer("GET", f"/g/{ledger}", {})
    assert status == 200
    assert 'data-elsewhere="1"' in body.decode()


@pytest.fixture
def preiswatten(phone):
    """The keys of a tournament created on the phone, and the tables of its first round."""
    keys = ask(phone, "/api/tournaments", PREIS)
    phone.answer("GET", f"/p/{keys['director']}", {})
    return keys, ask(phone, f"/api/tournaments/{keys['director']}/draw", {})["tables"]


def ranking(server, path):
    return server.json("GET", f"{path}/standings")[1]


def test_a_preiswatten_comes_home_with_its_tables(phone, server, preiswatten, came_home):
    keys, drawn = preiswatten
    assert came_home(phone, server) == "sent"
    path = f"/api/tournaments/{keys['director']}"
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    # The link of a slip that was printed offline opens its table on the server.
    assert server.json("GET", f"/api/tables/{drawn[0]['scorer']}")[0] == 200
    # The phone continues offline and uploads again: results, then a draw with new tables.
    finish(phone, path)
    later = ask(phone, f"{path}/draw", {})["tables"]
    ask(phone, f"/api/tables/{later[0]['scorer']}/events", WON, Idempotency_Key="tap")
    assert came_home(phone, server) == "sent"
    assert came_home(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    assert server.seq(later[0]["scorer"]) == 1
    assert server.request("GET", f"/p/{keys['director']}")[0] == 200


def test_rounds_drawn_alone_come_home(phone, server, preiswatten, came_home):
    keys, first = preiswatten
    path = f"/api/tournaments/{keys['director']}"
    finish(phone, path)
    ask(phone, f"{path}/draw", {})
    assert came_home(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    # The server also has the boxes that lead a pair from its first table to its second.
    table = first[0]["scorer"]
    there = server.json("GET", f"/pocket/streams/{table}")[1]["copy"]["boxes"]
    assert there == phone.store.dump([phone.store.find(table).stream])["boxes"]


def test_large_streams_come_home_in_parts(phone, server, preiswatten, monkeypatch, came_home):
    keys, _ = preiswatten
    path = f"/api/tournaments/{keys['director']}"
    finish(phone, path)
    [whole] = [p for p in json.loads(phone.waiting()) if "director" in p["keys"]]
    monkeypatch.setattr("scorer.pocket.host.PART", len(json.dumps(whole["new_stream"])) - 1)
    [first] = [p for p in json.loads(phone.waiting()) if "director" in p["keys"]]
    parts = [len(p["new_stream"]["streams"][0]["events"]) for p in (whole, first)]
    assert parts[0] > parts[1] > 0
    assert came_home(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")


def boxes_of(server, key):
    return server.json("GET", f"/pocket/streams/{key}")[1]["copy"]["boxes"]


def test_round_alone_follows_a_servers_round(phone, server, came_home):
    """A round drawn offline is uploaded with the boxes that link the server's tables to it."""
    director = server.new_tournament(**PREIS)["director"]
    path = f"/api/tournaments/{director}"
    first = server.json("POST", f"{path}/draw", {}, Idempotency_Key="first")[1]["tables"]
    adopted(phone, server, director)
    before = boxes_of(server, first[0]["scorer"])
    # The second round drawn offline has boxes for tables that the server does not have yet.
    for number in (1, 2):
        finish(phone, path, number)
        later = ask(phone, f"{path}/draw", {})["tables"]
        if number == 1:
            second = later
    assert came_home(phone, server) == "sent"
    for table in (*first, *second):
        for seat in ("scorer", "opponent"):
            own = phone.store.dump([], [digest(table[seat])])["boxes"]
            assert [box for box in boxes_of(server, table[seat]) if box in own] == own
    assert len(boxes_of(server, first[0]["scorer"])) == len(before) + 2


@pytest.mark.parametrize("home", [False, True])
def test_a_year_counted_together_alone_comes_home(phone, server, preiswatten, home, came_home):
    """The newest tournament is created offline. The two earlier ones are on the server."""
    oldest, last = (server.new_tournament(name="Davor", rounds=1) for _ in range(2))
    # Visitors may copy a tournament once all its rounds are drawn.
    server.draw(last["director"])
    counted = [("token", "s"), ("with", oldest["viewer"])]
    assert server.request("POST", f"/p/{last['director']}/season", counted)[0] == 303
    if home:
        came_home(phone, server)
    adopted(phone, server, last["viewer"])
    director = preiswatten[0]["director"]
    body = urlencode({"token": "s", "with": f"http://x/p/{last['viewer']}"}).encode()
    assert phone.answer("POST", f"/p/{director}/season", FORM, body)[0] == 303
    assert came_home(phone, server) == "sent"
    assert server.request("GET", f"/p/{director}/season")[2].count('name="without"') == 2


def test_phone_pages_look_like_the_servers(phone, server):
    key = server.table()["scorer"]
    chosen = {"Cookie": "big=1; language=it"}
    phone.adopt(key, server.request("GET", f"/pocket/streams/{key}", **chosen)[2])
    page = phone.answer("GET", f"/t/{key}", {})[2].decode()
    assert 'lang="it"' in page
    assert 'class="table big"' in page


def test_start_page_lists_server_and_phone(phone, server):
    keys = [server.table()["scorer"] for _ in range(3)]
    cookie = f"tables={'.'.join([*keys[::-1], 'closed'])}"
    shelf = server.request("GET", "/pocket/streams", Cookie=cookie)[2]
    assert json.loads(phone.strange(shelf)) == keys[::-1]
    for key in keys:
        adopted(phone, server, key)
    own = ask(phone, "/api/tables", {"watten": 1, "rules": "bayern"})["scorer"]
    phone.answer("GET", f"/t/{own}", {})
    adopted(phone, server, old := server.table()["scorer"])
    assert json.loads(phone.strange(shelf)) == []
    assert phone.shelve(shelf)
    assert not phone.shelve(shelf)
    page = phone.answer("GET", "/", {})[2].decode()
    assert re.findall(r'<a href="/t/(\w+)"', page) == [own, *keys[::-1]]
    assert old not in page


def test_start_page_lists_ledgers_and_desks(phone, server):
    where = server.request("POST", "/regulars", [("name", "Donnerstag")])[1]["location"]
    desk = server.new_tournament(name="Beim Wirt")["director"]
    group = where.rsplit("/", 1)[1]
    cookie = f"groups={group}; tournaments={desk}"
    shelves = server.request("GET", "/pocket/streams", Cookie=cookie)[2]
    assert json.loads(phone.strange(shelves)) == [group, desk]
    for key in (group, desk):
        adopted(phone, server, key)
    assert json.loads(phone.strange(shelves)) == []
    form(phone, "/regulars", name="Im Keller")
    adopted(phone, server, server.new_tournament(name="Früher")["director"])
    assert phone.shelve(shelves)
    assert not phone.shelve(shelves)
    page = phone.answer("GET", "/", {})[2].decode()
    assert {group, desk} <= set(re.findall(r'<a href="/[gp]/(\w{20,})', page))
    # The list still has a ledger that the server does not have yet.
    assert "Im Keller" in page
    assert "Früher" not in page
    for path, name in ((f"/g/{group}", "Donnerstag"), (f"/p/{desk}", "Beim Wirt")):
        status, _, text = phone.answer("GET", path, {})
        assert status == 200
        assert name in text.decode()


def test_what_was_opened_alone_is_listed_as_opened_here(phone, server):
    key = opened(phone)["scorer"]
    [parcel] = json.loads(phone.waiting())
    sent = {"Bummerl_Key": parcel["proof"], "Content_Type": "application/json"}
    body = json.dumps(parcel["new_stream"]).encode()
    _, headers, _ = server.request("POST", "/pocket/streams", body, **sent)
    assert f"tables={key};" in headers["set-cookie"]
    assert f"opened={key[:8]};" in headers["set-cookie"]


def test_forgotten_table_comes_home(phone, server, came_home):
    key = opened(phone)["scorer"]
    came_home(phone, server)
    ask(phone, f"/api/tables/{key}/events", WON, Idempotency_Key="tap")
    form(phone, "/forget", key=key)
    assert came_home(phone, server) == "sent"
    assert server.seq(key) == 1


@pytest.fixture
def played(server):
    """The keys of a table on the server whose first game ended 10:0."""
    keys = server.table(played=[WON] * 5)
    return keys


def confirmed_alone(phone, key):
    """On the phone of the other side: open its link offline, claim the seat, confirm the game."""
    phone.answer("GET", f"/b/{key}", {})
    form(phone, f"/b/{key}/hold")
    form(phone, f"/b/{key}/say", do="bestaetigt", side=1, game=1, stand="10:0", token="t")


def signed(server, keys):
    """The events after the first game as (name, role that signed it)."""
    told = server.record(keys["viewer"])["events"][5:]
    return [(event["do"], event["by"].partition(" ")[0]) for event in told]


def test_other_sides_words_come_home(phone, server, played, came_home):
    adopted(phone, server, played["opponent"])
    confirmed_alone(phone, played["opponent"])
    assert came_home(phone, server) == "sent"
    assert signed(server, played) == [("uebernahme", "opponent"), ("bestaetigt", "opponent")]


def test_each_side_repeats_its_own_words(phone, server, played, came_home):
    """If the phone's version counts, each side signs its own events again after the correction."""
    adopted(phone, server, played["scorer"])
    phone.answer("GET", f"/t/{played['scorer']}", {})
    confirmed_alone(phone, played["opponent"])
    path, own = f"/api/tables/{played['scorer']}/events", NEXT
    ask(phone, path, own, Idempotency_Key="own")
    server.play(played["scorer"], own)
    assert came_home(phone, server) == "parted"
    decide(phone, counts="here")
    assert came_home(phone, server) == "sent"
    assert signed(server, played) == [
        ("neues_spiel", "scorer"),
        ("korrektur", "scorer"),
        ("uebernahme", "opponent"),
        ("bestaetigt", "opponent"),
        ("neues_spiel", "scorer"),
    ]


def tapped(phone, server):
    """The phone records a round offline at a server's table. Returns the table's key, the path for
    events and the event."""
    key = server.table()["scorer"]
    adopted(phone, server, key)
    path, event = f"/api/tables/{key}/events", WON
    ask(phone, path, event, Idempotency_Key="first")
    return key, path, event


MISTAKEN = [WON, {"do": "korrektur", "of": 1, "with": None}]
ANSWERED = [{"do": "bieten", "side": 0}, {"do": "bleiben", "side": 1}]


@pytest.mark.parametrize(("here", "there"), [(MISTAKEN, LOST), (ANSWERED, ANSWERED[0])])
def test_writing_here_and_there_parts(phone, server, here, there, came_home):
    key, path, first = tapped(phone, server)

    def both():
        server.play(key, there)
        for n, event in enumerate(here):
            ask(phone, path, event, Idempotency_Key=f"{n}")

    assert came_home(phone, server, both) == "parted"
    assert phone.stands() == {"pocket": "conflict", "unsent": 2}
    assert points(phone, key) == [2, 0]
    told = server.record(key)["events"]
    assert [event["do"] for event in told] == [first["do"], there["do"]]
    decide(phone, counts="here")
    assert came_home(phone, server) == "sent"
    # The server's event stays in the record, struck out.
    told = server.record(key)["events"]
    dos = [event["do"] for event in told]
    assert dos == [first["do"], there["do"], "korrektur", *(event["do"] for event in here)]
    assert points(phone, key) == server.state(key)["points"]
    assert points(phone, key) == [2, 0]


def test_same_tap_while_coming_home_is_one(phone, server, came_home):
    key, path, event = tapped(phone, server)

    def both():
        # The server records the tap, but its response is lost.
        assert server.write(key, event, "second")[0] == 201
        ask(phone, path, event, Idempotency_Key="second")

    came_home(phone, server, both)
    assert came_home(phone, server) == "sent"
    assert points(phone, key) == [4, 0]


def test_the_other_side_strikes_out_nothing(phone, server, played, came_home):
    adopted(phone, server, played["opponent"])
    confirmed_alone(phone, played["opponent"])
    server.play(played["scorer"], NEXT)
    assert came_home(phone, server) == "parted"
    page = phone.answer("GET", "/pocket", {})[2].decode()
    assert re.findall(r'name="counts" value="(\w+)"', page) == ["there"]
    [stream] = phone.store.parted()
    body = urlencode({"stream": stream, "counts": "here"}).encode()
    assert phone.answer("POST", "/pocket", FORM, body)[0] == 403


def test_slip_goes_on_without_tournament(phone, server, came_home):
    director = server.new_tournament(**PREIS)["director"]
    slip = server.draw(director)[0]["scorer"]
    adopted(phone, server, slip)
    ask(phone, f"/api/tables/{slip}/events", WON, Idempotency_Key="tap")
    assert phone.answer("GET", f"/t/{slip}", {})[0] == 200
    assert came_home(phone, server) == "sent"
    assert server.seq(slip) == 1


def test_wrong_clock_changes_no_order(phone, server, came_home):
    # Replaces the clock that the store's constructor takes.
    phone.store._clock = lambda: "2031-01-01T00:00:00.000Z"
    key = opened(phone)["scorer"]
    came_home(phone, server)
    for n, side in enumerate((0, 1)):
        event = {"do": "gewinnt", "side": side}
        ask(phone, f"/api/tables/{key}/events", event, Idempotency_Key=f"{n}")
    assert came_home(phone, server) == "sent"
    told = server.record(key)["events"]
    assert [event["side"] for event in told] == [0, 1]
    # Events that are uploaded one by one have the server's time, also on the phone.
    assert not [event for event in told if event["at"].startswith("2031")]
    assert ask(phone, f"/api/tables/{key}/record")["events"] == told


def test_known_links_stay_open_offline(phone, server, came_home):
    key = opened(phone)["scorer"]
    form(phone, f"/t/{key}/renew", role="viewer")
    came_home(phone, server)
    body = urlencode({"role": "viewer"}).encode()
    assert phone.answer("POST", f"/t/{key}/renew", FORM, body)[0] == 503


@pytest.fixture
def shut(phone, server, came_home):
    """A table whose writer link was renewed, so that the phone cannot upload its round. The value
    has the keys on the phone, and the new key on the server."""
    keys = opened(phone)
    came_home(phone, server)
    ask(phone, f"/api/tables/{keys['scorer']}/events", WON, Idempotency_Key="tap")
    status, headers, _ = server.request("POST", f"/t/{keys['scorer']}/renew", [("role", "scorer")])
    assert status == 303
    assert came_home(phone, server) == "closed"
    assert phone.stands() == {"pocket": "conflict", "unsent": 1}
    return keys, headers["location"].split("/")[-2]


def points(phone, key):
    return ask(phone, f"/api/tables/{key}")["state"]["points"]


def test_closed_link_becomes_an_own_table(phone, server, shut, came_home):
    keys, _ = shut
    page = phone.answer("GET", "/pocket", {})[2].decode()
    assert "data-closed" in page
    assert re.findall(r'class="result">([^<]+)', page) == ["2 : 0", "0 : 0"]
    # The phone can no longer choose that its own version counts.
    assert re.findall(r'name="counts" value="(\w+)"', page) == ["there", "nothing"]
    decide(phone, counts="there")
    assert came_home(phone, server) == "sent"
    own = phone.cookies["tables"].split(".")[0]
    assert server.state(own)["points"] == [2, 0]
    # The closed link is closed on the phone, too. The viewer link still opens the table.
    assert phone.answer("GET", f"/t/{keys['scorer']}", {})[0] == 404
    assert points(phone, keys["viewer"]) == [0, 0]


def test_closed_link_is_replaced_by_the_new(phone, server, shut, came_home):
    _, new = shut
    assert adopted(phone, server, new) == "moved"
    assert came_home(phone, server) == "sent"
    assert server.state(new)["points"] == [2, 0]


def waiting(phone):
    """The id of the only stream in conflict, the page of unsent entries, and the choices on it."""
    [stream] = phone.store.parted()
    page = phone.answer("GET", "/pocket", {})[2].decode()
    assert f'data-aside="{stream}"' in page
    return stream, page, re.findall(r'name="counts" value="(\w+)"', page)


@pytest.fixture
def overplayed(phone, server, came_home):
    """The key of a slip whose table recorded more offline than its tournament's only game."""
    director = server.new_tournament(rules="oberoesterreich", games_per_round=1)["director"]
    slip = server.draw(director)[0]["scorer"]
    server.play(slip, *[WON] * 5)
    adopted(phone, server, slip)
    phone.answer("GET", f"/t/{slip}", {})
    said = [NEXT, LOST]
    for n, event in enumerate(said):
        ask(phone, f"/api/tables/{slip}/events", event, Idempotency_Key=f"on{n}")
    assert came_home(phone, server) == "refused"
    assert phone.stands() == {"pocket": "conflict", "unsent": 2}
    return slip


def test_refused_entries_may_be_sent_again(phone, server, overplayed, came_home):
    stream, page, choices = waiting(phone)
    assert choices == ["there", "again", "nothing"]
    # The page shows the server's reason and each entry that the server refused.
    [why] = re.findall(r'data-refused>.*?class="said">(.+?)<', page, re.S)
    assert why not in ("", "tournament-games")
    assert len(UNSENT.findall(page)) == 2
    [file] = re.findall(r'href="data:application/json;base64,([^"]+)"', page)
    assert json.loads(b64decode(file)) == ask(phone, f"/api/tables/{overplayed}/record")
    form(phone, "/pocket", stream=stream, counts="again")
    assert phone.stands() == {"pocket": "offline", "unsent": 2}
    assert came_home(phone, server) == "refused"
    # The phone sends it only once more, and then waits until somebody decides.
    assert not json.loads(phone.waiting())


def partly_taken(phone, server, *taken):
    """The key of a slip. Offline, the phone finished the tournament's only game and went on.

    :param taken: the phone's first entries, which the server accepts
    """
    director = server.new_tournament(rules="oberoesterreich", games_per_round=1)["director"]
    slip = server.draw(director)[0]["scorer"]
    server.play(slip, *[WON] * (5 - len(taken)))
    adopted(phone, server, slip)
    phone.answer("GET", f"/t/{slip}", {})
    for n, event in enumerate((*taken, NEXT, LOST)):
        ask(phone, f"/api/tables/{slip}/events", event, Idempotency_Key=f"part{n}")
    return slip


def test_what_was_taken_of_a_parcel_stays_taken(phone, server, came_home):
    slip = partly_taken(phone, server, WON, WON)
    assert came_home(phone, server) == "refused"
    assert phone.stands() == {"pocket": "conflict", "unsent": 2}
    # Nobody else wrote, so the phone shows the server's reason and not two versions.
    _, page, choices = waiting(phone)
    assert choices == ["there", "again", "nothing"]
    assert len(UNSENT.findall(page)) == 2
    here, there = ask(phone, f"/api/tables/{slip}/record"), server.record(slip)
    assert here["events"][:5] == there["events"]
    # Sending again does not change the server's record.
    for _ in range(2):
        decide(phone, counts="again")
        assert came_home(phone, server) == "refused"
    assert server.record(slip) == there
    decide(phone, counts="nothing")
    assert came_home(phone, server) == "sent"
    assert ask(phone, f"/api/tables/{slip}/record") == there


def test_version_that_counts_is_struck_out_once(phone, server, came_home):
    slip = partly_taken(phone, server, WON, WON)
    server.play(slip, LOST)
    assert came_home(phone, server) == "parted"
    decide(phone, counts="here")
    assert came_home(phone, server) == "refused"
    dos = [event["do"] for event in server.record(slip)["events"]]
    assert dos == ["gewinnt"] * 4 + ["korrektur"] + ["gewinnt"] * 2
    for _ in range(2):
        decide(phone, counts="again")
        assert came_home(phone, server) == "refused"
    assert [event["do"] for event in server.record(slip)["events"]] == dos


def test_a_link_closed_in_a_parcel_leaves_the_servers_entries(phone, server, sending):
    keys = server.table()
    key, path = keys["scorer"], f"/api/tables/{keys['scorer']}/events"
    adopted(phone, server, key)
    for n, event in enumerate((WON, LOST)):
        ask(phone, path, event, Idempotency_Key=f"{n}")
    taps = itertools.count()

    def renewed(request):
        if request.endswith("/events") and next(taps) == 1:
            server.request("POST", f"/t/{key}/renew", [("role", "scorer")])

    assert sending.send(phone, renewed)[-1] == "closed"
    [(stream, copy)] = phone.store.parted().items()
    [there] = server.record(keys["viewer"])["events"]
    assert [entry["event"] for entry in copy["streams"][0]["events"]] == [there]
    assert phone.store.events(stream)[0].event == there


@pytest.fixture
def erased(phone, server):
    """The key of a table with unsent entries on the phone, and a function that erases a name from
    the table on the server."""
    sides = [{"players": ["Anna", "Bert"]}, {"players": ["Cilli", "Dora"]}]
    key = server.table("bayern", sides=sides, dealer="Anna", played=[WON])["scorer"]
    adopted(phone, server, key)
    phone.answer("GET", f"/t/{key}", {})
    wrong = server.seq(key) + 1
    said = [
        {"do": "sitzordnung", "dealer": "Cilli", "note": "Cilli gibt"},
        {**LOST, "player": "Cilli"},
        {"do": "korrektur", "of": wrong, "with": WON},
    ]
    for n, event in enumerate(said):
        ask(phone, f"/api/tables/{key}/events", event, Idempotency_Key=f"own{n}")
    stream = phone.store.find(key).stream

    return key, lambda: erased_from(server, stream, "Cilli")


def dos(server, key):
    return [event["do"] for event in server.record(key)["events"]]


def test_an_erasure_is_no_news_of_play(phone, server, erased, came_home):
    key, erase = erased
    erase()
    assert came_home(phone, server) == "sent"
    assert dos(server, key) == ["gewinnt", "loeschung", "sitzordnung", "gewinnt", "korrektur"]
    # A correction still refers to its entry, although that moved behind the erasure.
    assert server.state(key)["points"] == points(phone, key) == [4, 0]
    assert "Cilli" not in json.dumps(server.record(key))
    assert ask(phone, f"/api/tables/{key}/record") == server.record(key)


def test_an_erasure_between_two_entries_is_taken_over(phone, server, erased, sending):
    key, erase = erased
    taps = itertools.count()

    def meanwhile(request):
        if request.endswith("/events") and next(taps) == 1:
            erase()

    sending.send(phone, meanwhile)
    assert phone.stands() == {"pocket": "ready", "unsent": 0}
    assert dos(server, key) == ["gewinnt", "sitzordnung", "loeschung", "gewinnt", "korrektur"]
    assert server.state(key)["points"] == points(phone, key) == [4, 0]
    assert "Cilli" not in json.dumps(server.record(key))


@pytest.mark.parametrize("counts", ["here", "there"])
def test_an_erased_name_returns_with_no_version(phone, server, erased, came_home, counts):
    key, erase = erased
    points(phone, key)
    server.play(key, WON)
    erase()
    assert came_home(phone, server) == "parted"
    decide(phone, counts=counts)
    assert came_home(phone, server) == "sent"
    own = phone.cookies["tables"].split(".")[0]
    assert "Cilli" not in json.dumps([server.record(key), server.record(own)])
    assert hash_chain.check(*split(server.record(own))) is None


def erased_from(server, stream, name):
    with closing(open_store(server.db)) as store:
        assert erasure.erase(store, stream, name, "N. N. 1a2b")


def test_an_evening_with_an_erasure_becomes_an_own_table(phone, server, erased, came_home):
    key, erase = erased
    erase()
    assert came_home(phone, server) == "sent"
    here = {"do": "korrektur", "of": server.seq(key), "with": None}
    for event in (WON, here):
        ask(phone, f"/api/tables/{key}/events", event, Idempotency_Key=event["do"])
    server.play(key, LOST)
    assert came_home(phone, server) == "parted"
    decide(phone, counts="there")
    assert came_home(phone, server) == "sent"
    own = phone.cookies["tables"].split(".")[0]
    assert (server.state(own)["points"], "loeschung" in dos(server, own)) == ([4, 0], False)
    assert hash_chain.check(*split(server.record(own))) is None


def test_a_desk_goes_on_behind_an_erasure(phone, server, came_home):
    pairs = [{"name": "Cilli"}, *PAIRS[1:]]
    director = server.new_tournament(**{**PREIS, "pairs": pairs})["director"]
    path = f"/api/tournaments/{director}"
    server.draw(director)
    adopted(phone, server, director)
    stream = phone.store.find(director).stream
    for at in (1, 2):
        result = {"round": 1, "table": at, "games": [[15, 3]]}
        ask(phone, f"{path}/results", result, Idempotency_Key=f"r{at}")
    erased_from(server, stream, "Cilli")
    assert came_home(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    assert "Cilli" not in json.dumps(ranking(server, path))
    # If the two desks really differ, the phone's version is uploaded, too.
    ask(phone, f"{path}/draw", {})
    server.draw(director)
    assert came_home(phone, server) == "parted"
    decide(phone)
    assert came_home(phone, server) == "sent"
    own = phone.cookies["tournaments"].split(".")[0]
    assert server.tournament(own)["rounds"]


def test_refused_entries_become_an_own_table(phone, server, overplayed, came_home):
    stream, _, _ = waiting(phone)
    form(phone, "/pocket", stream=stream, counts="there")
    assert came_home(phone, server) == "sent"
    own = phone.cookies["tables"].split(".")[0]
    state = server.state(own)
    assert (state["game"], state["points"]) == (2, [0, 2])
    assert server.state(overplayed)["game"] == 1


def test_refused_entries_are_let_go(phone, server, overplayed, came_home):
    stream, _, _ = waiting(phone)
    form(phone, "/pocket", stream=stream, counts="nothing")
    assert came_home(phone, server) == "sent"
    assert ask(phone, f"/api/tables/{overplayed}/record")["events"][-1]["do"] == "gewinnt"


def test_unopened_table_waits_for_a_person(phone, server, came_home):
    key = opened(phone)["scorer"]
    first, second = ({"do": "gewinnt", "side": side} for side in (0, 1))
    ask(phone, f"/api/tables/{key}/events", first, Idempotency_Key="first")
    # The server has this stream already, as if another phone were a full copy of this one.
    [parcel] = json.loads(phone.waiting())
    assert server.json("POST", "/pocket/streams", parcel["new_stream"])[0] == 201
    server.write(key, second, "theirs")
    ask(phone, f"/api/tables/{key}/events", first, Idempotency_Key="mine")
    assert came_home(phone, server) == "refused"
    assert phone.stands() == {"pocket": "conflict", "unsent": 2}
    stream, page, choices = waiting(phone)
    assert choices == ["again", "nothing"]
    assert "data:application/json" in page
    form(phone, "/pocket", stream=stream, counts="again")
    assert phone.stands() == {"pocket": "offline", "unsent": 2}
    # The page shows the waiting entries before anything is sent.
    assert "data-waits" in phone.answer("GET", "/pocket", {})[2].decode()
    assert came_home(phone, server) == "refused"
    form(phone, "/pocket", stream=stream, counts="nothing")
    assert came_home(phone, server) == "sent"
    assert key not in phone.answer("GET", "/", {})[2].decode()


def test_desk_of_a_closed_link_goes_on(phone, server, preiswatten, came_home):
    keys, _ = preiswatten
    came_home(phone, server)
    path = f"/api/tournaments/{keys['director']}"
    mine = {"round": 1, "table": 1, "games": [[15, 3]]}
    ask(phone, f"{path}/results", mine, Idempotency_Key="mine")
    assert server.request("POST", f"/p/{keys['director']}/renew", [("role", "director")])[0] == 303
    assert came_home(phone, server) == "closed"
    assert b"data-closed" in phone.answer("GET", "/pocket", {})[2]
    [stream] = phone.store.parted()
    there = ask(phone, f"{path}/standings")
    form(phone, "/pocket", stream=stream)
    assert came_home(phone, server) == "sent"
    own = phone.cookies["tournaments"].split(".")[0]
    assert ranking(server, f"/api/tournaments/{own}")["standings"] == there["standings"]


def test_ledger_of_a_closed_link_stays_here(phone, server, came_home):
    ledger = form(phone, "/regulars", name="Donnerstag")
    came_home(phone, server)
    key = counted_table(phone, ledger, "first")
    access = phone.store.find(ledger)
    phone.closed(access.stream, ledger)
    assert b"data-closed" in phone.answer("GET", "/pocket", {})[2]
    form(phone, "/pocket", stream=access.stream, counts="nothing")
    assert came_home(phone, server) == "sent"
    assert points(phone, key) == [2, 0]


def test_two_desks_that_parted_both_go_on(phone, server, preiswatten, came_home):
    keys, drawn = preiswatten
    # Tables that are no longer in use belong to the desk, too.
    first, second = (table["pairs"][0] for table in drawn)
    swap = {"round": 1, "first": first, "second": second, "what": "pairs", "token": "swap"}
    form(phone, f"/p/{keys['director']}/swap", **swap)
    came_home(phone, server)
    path = f"/api/tournaments/{keys['director']}"
    mine, theirs = {"round": 1, "table": 1, "games": [[15, 3]]}, {"round": 1, "table": 1}
    ask(phone, f"{path}/results", mine, Idempotency_Key="mine")
    live = f"/p/{keys['director']}/standings/stream"
    before = phone.answer("GET", live, {})[2]
    other = {**theirs, "games": [[4, 15]]}
    assert server.json("POST", f"{path}/results", other, Idempotency_Key="theirs")[0] == 201
    assert came_home(phone, server) == "parted"
    assert phone.stands()["pocket"] == "conflict"
    page = phone.answer("GET", "/pocket", {})[2].decode()
    assert "Preis" in page
    decide(phone)
    assert came_home(phone, server) == "sent"
    own = phone.cookies["tournaments"].split(".")[0]
    assert ranking(server, path) == ask(phone, f"{path}/standings")
    # The live standings change, too, although the number of entries is the same.
    assert phone.answer("GET", live, {})[2] != before
    assert ranking(server, f"/api/tournaments/{own}") != ranking(server, path)


def test_a_desk_names_no_tables_but_its_own(phone, server, preiswatten, came_home):
    keys, _ = preiswatten
    came_home(phone, server)
    stranger = server.table()
    stream = json.loads(server.request("GET", f"/pocket/streams/{stranger['viewer']}")[2])
    body = {"do": "stechtisch", "pairs": [1, 2], "stream": stream["copy"]["streams"][0]["id"]}
    path = f"/pocket/streams/{keys['director']}/events"
    seen = {"Idempotency_Key": "x", "If_Match": '"1"'}
    assert server.json("POST", path, body, **seen)[0] == 422


def test_boxes_of_others_are_refused(phone, server, preiswatten, came_home):
    keys, drawn = preiswatten
    came_home(phone, server)
    path, stranger = f"/pocket/streams/{keys['director']}/boxes", server.table()
    for holder, role in (
        ("0" * 64, "hall"),
        ("0" * 64, "0" * 16),
        (digest(stranger["scorer"]), "0" * 16),
        (digest(drawn[0]["scorer"]), "tournament:"),
    ):
        box = {"holder": holder, "role": role, "nonce": "00", "box": "00"}
        body = json.dumps([box]).encode()
        assert server.request("POST", path, body, Content_Type="application/json")[0] == 422


def test_a_desk_of_the_servers_goes_on_without_it(phone, server, came_home):
    keys = server.new_tournament(**PREIS)
    path = f"/api/tournaments/{keys['director']}"
    server.json("POST", f"{path}/draw")
    assert adopted(phone, server, keys["director"]) == "moved"
    status, _, _ = phone.answer("GET", f"/p/{keys['director']}", {})
    assert status == 200
    finish(phone, path)
    ask(phone, f"{path}/draw", {})
    assert came_home(phone, server) == "sent"
    assert ranking(server, path) == ask(phone, f"{path}/standings")


@pytest.fixture(scope="module")
def between(server, tmp_path_factory):
    """A proxy, and the script that sends through it."""
    with (
        Proxy(server.url) as proxy,
        Sending(tmp_path_factory.mktemp("between"), proxy.url) as sending,
    ):
        yield proxy, sending


# Also statuses that the standard does not define.
STATUSES = [*(status.value for status in HTTPStatus if status >= 200), 299, 399, 419, 499, 520, 599]


@pytest.mark.parametrize("born", [*slow(False), True])
def test_nothing_is_lost_to_a_false_server(phone, server, between, born):
    proxy, sending = between
    if born:
        key = ask(phone, "/api/tables", {"watten": 1, "rules": "bayern"})["scorer"]
        phone.answer("GET", f"/t/{key}", {})
        ask(phone, f"/api/tables/{key}/events", WON, Idempotency_Key="first")
    else:
        key, _, _ = tapped(phone, server)
    before = phone.waiting()
    for answer in [
        *itertools.product(STATUSES, ("", "{}", "<h1>Sign in</h1>")),
        (302, "/"),
        (303, "/"),
    ]:
        with proxy.answering(*answer):
            assert sending.send(phone) == ["waiting"], answer
        assert phone.waiting() == before
        assert phone.stands() == {"pocket": "offline", "unsent": 1}
    sending.send(phone)
    assert phone.stands() == {"pocket": "ready", "unsent": 0}
    assert server.seq(key) == 1


def test_a_saved_book_that_was_sent_meanwhile_is_sent_once(phone, server, came_home, tmp_path):
    """Another phone reads a file of entries that the first phone uploads meanwhile."""
    known = server.table()["scorer"]
    adopted(phone, server, known)
    for name in ("one", "two"):
        ask(phone, f"/api/tables/{known}/events", WON, Idempotency_Key=name)
    begun = opened(phone)["scorer"]
    ask(phone, f"/api/tables/{begun}/events", LOST, Idempotency_Key="three")
    file = json.loads(json.dumps(phone.book()))
    assert came_home(phone, server) == "sent"
    (tmp_path / "other").mkdir()
    other = Phone(str(tmp_path / "other"), "http://bummerl.local")
    other.browser = mint()
    other.merge(file)
    assert other.unsent == 3
    assert came_home(other, server) == "sent"
    assert [server.seq(key) for key in (known, begun)] == [2, 1]
    for key in (known, begun):
        for one in (phone, other):
            assert adopted(one, server, key) != "parted"
            record = json.loads(one.answer("GET", f"/api/tables/{key}/record", {})[2])
            assert record == server.record(key)
