"""Copies and uploads of streams over real HTTP."""

import json
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from scorer.book import ledgers, tournament_event_limits
from scorer.store import Opening, Seal
from scorer.store.database_url import open_store
from scorer.store.keys import digest, mint, wrap
from scorer.store.sqlite.phone_store import PhoneStore
from tests.builders import BAYERN, WON
from tests.pages import Page
from tests.serving import PATIENCE, serving


@pytest.fixture
def offline_table(tmp_path):
    """A copy of a table created and recorded offline on a phone, and its keys."""
    store = PhoneStore(tmp_path / "phone.db")
    keys = {"scorer": mint(), "opponent": mint(), "viewer": mint()}
    seals = [Seal(keys["scorer"], "viewer", keys["viewer"])]
    stream = store.create("table", Opening(BAYERN, keys, seals)).id
    for n, side in enumerate((0, 1, 0)):
        event = {"do": "gewinnt", "side": side}
        store.append(stream, event, idempotency_key=f"tap{n}", by="scorer a", expected=n)
    return store.dump([stream]), keys


def test_uploaded_table_keeps_its_keys(server, offline_table):
    copy, keys = offline_table
    assert server.json("POST", "/pocket/streams", copy) == (201, {"fresh": True})
    assert server.json("POST", "/pocket/streams", copy) == (200, {"fresh": False})
    for role, key in keys.items():
        answer = server.json("GET", f"/api/tables/{key}")[1]
        assert (answer["role"], answer["state"]["points"]) == (role, [4, 2])
    # The copy contains only digests of the keys.
    assert not any(key in json.dumps(copy) for key in keys.values())


def test_broken_chain_is_refused(server, offline_table):
    copy, _ = offline_table
    copy["streams"][0]["events"][1]["event"]["side"] = 0
    status, answer = server.json("POST", "/pocket/streams", copy)
    assert (status, answer["error"]["code"]) == (422, "bad-copy")


@pytest.mark.parametrize("body", [{}, [], {"bummerl": 1, "streams": [], "boxes": []}, 7])
def test_malformed_copy_is_refused(server, body):
    status, _, _ = server.request(
        "POST", "/pocket/streams", json.dumps(body).encode(), Content_Type="application/json"
    )
    assert status == 422


def test_copy_with_a_lone_surrogate_is_refused(server, offline_table):
    copy, _ = offline_table
    copy["streams"][0]["created"] = "\ud83c"
    status, answer = server.json("POST", "/pocket/streams", copy)
    assert (status, answer["error"]["code"]) == (400, "not-json")


def test_copy_with_keys_in_use_is_refused(server, offline_table, tmp_path):
    copy, keys = offline_table
    server.json("POST", "/pocket/streams", copy)
    other = PhoneStore(tmp_path / "other.db")
    stream = other.create("table", Opening(BAYERN, keys)).id
    assert server.json("POST", "/pocket/streams", other.dump([stream]))[0] == 422
    assert server.seq(keys["viewer"]) == 3


def new_stream_copy(tmp_path, kind, head, events=(), roles=("viewer",)):
    """The copy of a new stream of any kind, as an offline phone uploads it."""
    store = PhoneStore(tmp_path / f"{mint()}.db")
    opening = Opening(head, {role: mint() for role in roles}, events=events)
    return store.dump([store.create(kind, opening).id])


def sealed_box(holder, role, opens=""):
    """A box with a key, sealed for the holder of another key."""
    nonce, box = wrap(opens or mint(), holder)
    return {"holder": digest(holder), "role": role, "nonce": nonce, "box": box}


PREIS = {"name": "Preis", "rules": "bayern", "pairs": [{"name": "A"}, {"name": "B"}], "seed": "s"}


@pytest.mark.parametrize(
    ("kind", "head", "roles", "events"),
    [
        ("nonsense", {"x": 1}, ["viewer"], []),
        ("table", {"x": 1}, ["viewer"], []),
        ("tournament", {"x": 1}, ["hall"], []),
        ("group", {"x": 1}, ["member"], []),
        ("table", BAYERN, ["director"], []),
        ("group", {"group": 1, "name": "G"}, ["viewer"], []),
        ("group", {"group": 1, "name": "G"}, ["member"], [WON]),
        ("tournament", PREIS, ["member"], []),
        ("tournament", PREIS, ["director"], [WON]),
        ("table", BAYERN, ["viewer"], [{"do": "loeschung"}]),
        ("group", {"group": 1, "name": "G"}, ["member"], [{"do": "loeschung", "sealed": [1]}]),
    ],
)
def test_illegal_stream_is_refused(server, tmp_path, kind, head, roles, events):
    copy = new_stream_copy(tmp_path, kind, head, events, roles)
    assert server.json("POST", "/pocket/streams", copy)[0] == 422


CORRECTED = {"do": "korrektur", "of": 0, "with": [{"do": "ansage", "schlag": "9"}]}
MARKED = {"do": "vermerk", "pair": 1, "paid": True, "here": True}
TOO_MUCH = [
    # A stream that takes long to fold is refused before it is folded.
    ("table", BAYERN, [{"do": "ansage", "schlag": "7"}] * 900 + [CORRECTED] * 100, "table-full"),
    ("tournament", PREIS, [MARKED] * (tournament_event_limits.MAX_EVENTS + 1), "tournament-full"),
    (
        "group",
        {"group": 1, "name": "G"},
        [{"do": "abend", "table": "0" * 16}] * (ledgers.MAX_EVENTS + 1),
        "ledger-full",
    ),
]


@pytest.mark.parametrize(("kind", "head", "events", "code"), TOO_MUCH, ids=lambda told: "")
def test_stream_over_the_event_limit_is_refused(server, tmp_path, kind, head, events, code):
    copy = new_stream_copy(tmp_path, kind, head, events, roles=())
    status, answer = server.json("POST", "/pocket/streams", copy)
    assert (status, answer["error"]["code"]) == (422, "bad-copy")
    assert code in answer["error"]["message"]


def test_full_ledger_refuses_evenings(server):
    store, keys = open_store(server.db), {"member": mint(), "reader": mint()}
    table = server.table()
    dropped = store.find(table["viewer"]).stream
    gone = [{"do": do, "table": dropped} for do in ("abend", "austragen")]
    full = [*gone, *[{"do": "abend", "table": "0" * 16}] * (ledgers.MAX_EVENTS - 2)]
    opening = Opening({"group": 1, "name": "G"}, keys, events=full)
    store.create("group", opening)
    store.close()
    form = [("group", keys["member"]), ("table", table["scorer"])]
    assert server.request("POST", "/regulars/evenings", form)[0] == 422
    form = [("rules", "bayern"), ("regulars", keys["member"])]
    assert server.request("POST", "/new", form)[0] == 422
    for path, table in (("drop", "0" * 16), ("restore", dropped)):
        form = [("table", table)]
        status, _, text = server.request("POST", f"/g/{keys['member']}/{path}", form)
        assert status == 422
        assert Page(text).code == "ledger-full"


def test_box_for_a_foreign_key_is_refused(server, tmp_path):
    table = server.table()
    foreign = sealed_box(table["viewer"], "tournament", "0" * 16)
    births = [
        new_stream_copy(tmp_path, "table", BAYERN),
        new_stream_copy(tmp_path, "tournament", PREIS, roles=["director"]),
        new_stream_copy(tmp_path, "group", {"group": 1, "name": "G"}, roles=["member"]),
    ]
    for copy in births:
        assert server.json("POST", "/pocket/streams", {**copy, "boxes": [foreign]})[0] == 422
        # Without the box the copy is accepted.
        assert server.json("POST", "/pocket/streams", copy) == (201, {"fresh": True})
    assert server.request("GET", f"/b/{table['viewer']}")[0] == 200


def test_box_with_invalid_role_or_text_is_refused(server, offline_table):
    copy, keys = offline_table
    for box in (
        sealed_box(keys["viewer"], "desk-ring"),
        {**sealed_box(keys["viewer"], "tournament"), "box": "zz"},
        {**sealed_box(keys["viewer"], "tournament"), "box": "00" * 33},
    ):
        birth = {**copy, "boxes": [*copy["boxes"], box]}
        assert server.json("POST", "/pocket/streams", birth)[0] == 422


def test_copy_has_only_keys_its_holder_may_see(server):
    table = server.table()
    rows = {}
    for role in ("scorer", "opponent", "viewer"):
        copy = server.json("GET", f"/pocket/streams/{table[role]}")[1]["copy"]
        [stream] = copy["streams"]
        rows[role] = {row["role"] for row in stream["keys"]}
    assert rows["viewer"] == {"viewer"}
    assert rows["opponent"] == {"opponent"}
    assert rows["scorer"] == {"scorer", "opponent", "viewer", "code"}


def test_etag_of_a_desk_copy_changes_with_each_stream(server):
    """The ETag changes with any of the streams, and an unchanged copy is not sent again."""
    pairs = [{"name": f"P{n}"} for n in range(12)]
    director = server.new_tournament(pairs=pairs)["director"]
    path, known = f"/pocket/streams/{director}", []

    def changed():
        status, headers, text = server.request("GET", path)
        assert status == 200
        assert server.request("GET", path, If_None_Match=headers["etag"])[0] == 304
        known.append(headers["etag"])
        assert len(set(known)) == len(known)
        return json.loads(text)["copy"]

    assert len(changed()["streams"]) == 1
    entry = server.draw(director)[0]["scorer"]
    copy = changed()
    assert len(copy["streams"]) == 7
    server.play(entry, WON)
    assert [len(held["events"]) for held in changed()["streams"]].count(1) == 2
    assert server.request("POST", f"/p/{director}/renew", [("role", "hall")])[0] == 303
    assert "boxes" in changed()
    assert server.json("GET", f"/p/{director}/export.json")[1].keys() == copy.keys()


def test_large_copy_does_not_block_other_requests(tmp_path):
    with serving(tmp_path / "x.db", workers=1) as server:
        pairs = [{"name": f"P{n}"} for n in range(80)]
        director = server.new_tournament(pairs=pairs, rounds=3)["director"]
        for _ in range(2):
            server.draw(director, anyway=True)
        address = urlsplit(server.url)
        with closing(HTTPConnection(address.hostname, address.port, timeout=PATIENCE)) as reader:
            reader.request("GET", f"/p/{director}/export.json")
            answer = reader.getresponse()
            begun = answer.read(1000)
            assert server.request("GET", "/health")[0] == 200
            # The copy is sent in parts.
            assert answer.getheader("Transfer-Encoding") == "chunked"
            whole = json.loads(begun + answer.read())
        assert len(whole["streams"]) == 1 + 2 * 40


def test_event_kept_offline_is_recorded_once(server):
    table = server.table()
    path, event = f"/pocket/streams/{table['scorer']}/events", WON
    sent = {"Idempotency_Key": "a:1", "If_Match": '"0"'}
    taken = server.json("POST", path, event, **sent)
    # The response contains the recorded entry, also when the event is sent again.
    [entry] = server.record(table["viewer"])["events"]
    assert taken == (201, {"seq": 1, "event": entry})
    assert server.json("POST", path, event, **sent) == (200, {"seq": 1, "event": entry})
    late = {"Idempotency_Key": "b:1", "If_Match": '"0"'}
    assert server.json("POST", path, event, **late)[0] == 409
    assert server.json("POST", f"/pocket/streams/{table['viewer']}/events", event, **sent)[0] == 403
