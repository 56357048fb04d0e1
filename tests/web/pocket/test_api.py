"""Copies and uploads of streams over real HTTP."""

import json
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from scorer.book import ledgers, tournament_event_limits
from scorer.store import NewStream, Seal
from scorer.store.database_url import open_store
from scorer.store.keys import mint
from scorer.store.sqlite.phone_store import PhoneStore
from tests.builders import BAYERN, NEW_LEDGER, NEW_TOURNAMENT, WON, phone_copy, sealed_box
from tests.sampling import mostly_slow
from tests.serving import PATIENCE_SECONDS, serving


@pytest.fixture
def offline_table(tmp_path):
    """A copy of a table created and recorded offline on a phone, and its keys."""
    store = PhoneStore(tmp_path / "phone.db")
    keys = {"scorer": mint(), "opponent": mint(), "viewer": mint()}
    seals = [Seal(keys["scorer"], "viewer", keys["viewer"])]
    stream = store.create("table", NewStream(BAYERN, keys, seals)).id
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
    sent = json.dumps(body).encode()
    kind = "application/json"
    assert server.request("POST", "/pocket/streams", sent, Content_Type=kind)[0] == 422


def test_copy_with_a_lone_surrogate_is_refused(server, offline_table):
    copy, _ = offline_table
    copy["streams"][0]["created"] = "\ud83c"
    status, answer = server.json("POST", "/pocket/streams", copy)
    assert (status, answer["error"]["code"]) == (400, "not-json")


def test_copy_with_keys_in_use_is_refused(server, offline_table, tmp_path):
    copy, keys = offline_table
    server.json("POST", "/pocket/streams", copy)
    other = phone_copy(tmp_path, "table", BAYERN, keys=keys)
    assert server.json("POST", "/pocket/streams", other)[0] == 422
    assert server.seq(keys["viewer"]) == 3


@pytest.mark.parametrize(
    ("kind", "head", "roles", "events"),
    [
        ("nonsense", {"x": 1}, ["viewer"], []),
        ("table", {"x": 1}, ["viewer"], []),
        ("tournament", {"x": 1}, ["hall"], []),
        ("group", {"x": 1}, ["member"], []),
        ("table", BAYERN, ["director"], []),
        ("group", NEW_LEDGER, ["viewer"], []),
        ("group", NEW_LEDGER, ["member"], [WON]),
        ("tournament", NEW_TOURNAMENT, ["member"], []),
        ("tournament", NEW_TOURNAMENT, ["director"], [WON]),
        ("table", BAYERN, ["viewer"], [{"do": "loeschung"}]),
        ("group", NEW_LEDGER, ["member"], [{"do": "loeschung", "sealed": [1]}]),
    ],
)
def test_illegal_stream_is_refused(server, tmp_path, kind, head, roles, events):
    copy = phone_copy(tmp_path, kind, head, events, {role: mint() for role in roles})
    assert server.json("POST", "/pocket/streams", copy)[0] == 422


CORRECTED = {"do": "korrektur", "of": 0, "with": [{"do": "ansage", "schlag": "9"}]}
MARKED = {"do": "vermerk", "pair": 1, "paid": True, "here": True}
EVENING = {"do": "abend", "table": "0" * 16}
TOO_MUCH = [
    # A stream that takes long to replay is refused before it is replayed.
    ("table", BAYERN, [{"do": "ansage", "schlag": "7"}] * 900 + [CORRECTED] * 100, "table-full"),
    (
        "tournament",
        NEW_TOURNAMENT,
        [MARKED] * (tournament_event_limits.MAX_TOURNAMENT_EVENTS + 1),
        "tournament-full",
    ),
    ("group", NEW_LEDGER, [EVENING] * (ledgers.MAX_LEDGER_EVENTS + 1), "ledger-full"),
]


@pytest.mark.parametrize(
    ("kind", "head", "events", "code"), mostly_slow(TOO_MUCH), ids=lambda told: ""
)
def test_stream_over_the_event_limit_is_refused(server, tmp_path, kind, head, events, code):
    copy = phone_copy(tmp_path, kind, head, events, keys={})
    status, answer = server.json("POST", "/pocket/streams", copy)
    assert (status, answer["error"]["code"]) == (422, "bad-copy")
    assert code in answer["error"]["message"]


def test_full_ledger_refuses_evenings(server):
    keys, table = {"member": mint(), "reader": mint()}, server.table()
    with closing(open_store(server.db)) as store:
        dropped = store.find(table["viewer"]).stream
        gone = [{"do": do, "table": dropped} for do in ("abend", "austragen")]
        full = [*gone, *[EVENING] * (ledgers.MAX_LEDGER_EVENTS - 2)]
        store.create("group", NewStream(NEW_LEDGER, keys, events=full))
    form = [("group", keys["member"]), ("table", table["scorer"])]
    server.submit_refused("/regulars/evenings", form)
    server.submit_refused("/new", [("rules", "bayern"), ("regulars", keys["member"])])
    for path, stream in (("drop", EVENING["table"]), ("restore", dropped)):
        page = server.submit_refused(f"/g/{keys['member']}/{path}", [("table", stream)])
        assert page.code == "ledger-full"


def test_box_for_a_foreign_key_is_refused(server, tmp_path):
    table = server.table()
    foreign = sealed_box(table["viewer"], "tournament", "0" * 16)
    for copy in (
        phone_copy(tmp_path, "table", BAYERN),
        phone_copy(tmp_path, "tournament", NEW_TOURNAMENT, keys={"director": mint()}),
        phone_copy(tmp_path, "group", NEW_LEDGER, keys={"member": mint()}),
    ):
        assert server.json("POST", "/pocket/streams", {**copy, "boxes": [foreign]})[0] == 422
        # Without the box the copy is accepted.
        assert server.json("POST", "/pocket/streams", copy) == (201, {"fresh": True})
    server.page(f"/b/{table['viewer']}")


def test_box_with_invalid_role_or_text_is_refused(server, offline_table):
    copy, keys = offline_table
    box = sealed_box(keys["viewer"], "tournament", mint())
    for change in ({"role": "desk-ring"}, {"box": "zz"}, {"box": "00" * 33}):
        birth = {**copy, "boxes": [*copy["boxes"], {**box, **change}]}
        assert server.json("POST", "/pocket/streams", birth)[0] == 422


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        ("viewer", {"viewer"}),
        ("opponent", {"opponent"}),
        ("scorer", {"scorer", "opponent", "viewer", "code"}),
    ],
)
def test_copy_has_only_keys_its_holder_may_see(server, role, seen):
    copy = server.json("GET", f"/pocket/streams/{server.table()[role]}")[1]["copy"]
    [stream] = copy["streams"]
    assert {row["role"] for row in stream["keys"]} == seen


def test_etag_of_a_desk_copy_changes_with_each_stream(server):
    """The ETag changes with any of the streams, and an unchanged copy is not sent again."""
    director = server.new_tournament(pairs=[{"name": f"P{n}"} for n in range(12)])["director"]
    path, known = f"/pocket/streams/{director}", []

    def changed():
        status, headers, text = server.request("GET", path)
        assert (status, headers["etag"] in known) == (200, False)
        assert server.request("GET", path, If_None_Match=headers["etag"])[0] == 304
        known.append(headers["etag"])
        return json.loads(text)["copy"]

    assert len(changed()["streams"]) == 1
    entry = server.draw(director)[0]["scorer"]
    copy = changed()
    assert len(copy["streams"]) == 7
    server.play(entry, WON)
    assert [len(held["events"]) for held in changed()["streams"]].count(1) == 2
    server.submit(f"/p/{director}/renew", [("role", "hall")])
    assert "boxes" in changed()
    assert server.json("GET", f"/p/{director}/export.json")[1].keys() == copy.keys()


@pytest.mark.slow
def test_large_copy_does_not_block_other_requests(tmp_path):
    with serving(tmp_path / "x.db", workers=1) as server:
        pairs = [{"name": f"P{n}"} for n in range(80)]
        director = server.new_tournament(pairs=pairs, rounds=3)["director"]
        for _ in range(2):
            server.draw(director, anyway=True)
        address = urlsplit(server.url)
        with closing(
            HTTPConnection(address.hostname, address.port, timeout=PATIENCE_SECONDS)
        ) as reader:
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

    def upload(role, name):
        path = f"/pocket/streams/{table[role]}/events"
        return server.json("POST", path, WON, Idempotency_Key=name, If_Match='"0"')

    taken = upload("scorer", "a:1")
    # The response contains the recorded entry, also when the event is sent again.
    [entry] = server.record(table["viewer"])["events"]
    assert taken == (201, {"seq": 1, "event": entry})
    assert upload("scorer", "a:1") == (200, {"seq": 1, "event": entry})
    assert upload("scorer", "b:1")[0] == 409
    assert upload("viewer", "a:1")[0] == 403
