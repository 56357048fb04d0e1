"""A stream's id is public and opens nothing without a key."""

import json
import re
from contextlib import closing

import pytest

from scorer.book.key_check import missing_key_error
from scorer.store import Seal
from scorer.store.database_url import open_store
from scorer.store.keys import mint
from scorer.tournament import draw, read_settings
from scorer.tournament import new_tournament as opened_tournament
from tests.builders import BAYERN, NEW_LEDGER, NEW_TOURNAMENT, SEATED, phone_copy, sealed_box

DRAW = draw(opened_tournament(read_settings(NEW_TOURNAMENT))).to_json()


@pytest.fixture
def table(server):
    return server.table(sides=SEATED)


@pytest.fixture
def preis(server):
    return server.new_tournament(**NEW_TOURNAMENT)


@pytest.fixture
def ledger(server):
    return server.submit("/regulars", [("name", "Stammtisch")]).rsplit("/", 1)[1]


def id_of(server, key):
    [stream] = server.json("GET", f"/pocket/streams/{key}")[1]["copy"]["streams"]
    return stream["id"]


def upload_event(server, key, event, name="came", **proof):
    """Upload an event as an offline phone does; return the status and response."""
    seen = len(server.json("GET", f"/pocket/streams/{key}")[1]["copy"]["streams"][0]["events"])
    sent = {"Idempotency_Key": name, "If_Match": f'"{seen}"', **proof}
    return server.json("POST", f"/pocket/streams/{key}/events", event, **sent)


def upload_boxes(server, key, *boxes):
    path, body = f"/pocket/streams/{key}/boxes", json.dumps(boxes).encode()
    assert server.request("POST", path, body, Content_Type="application/json")[0] == 200


def seal_for_ledger(server, ledger, stream, key):
    """Upload the key of a stream, sealed for the readers of a ledger."""
    found = re.search(r'class="url"><a href="[^"]*/g/(\w+)"', server.page(f"/g/{ledger}").html)
    upload_boxes(server, ledger, sealed_box(found[1], f"table {stream}", key))


def evenings_of(server, ledger):
    return server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"]


def is_unproven(answer):
    status, body = answer
    return status == 422 and missing_key_error("table").say(str) in body["error"]["message"]


def test_closed_board_cannot_join_a_ledger(server, table, ledger):
    stream = id_of(server, table["viewer"])
    named, own = {"do": "abend", "table": stream}, {"Bummerl_Key": table["scorer"]}
    server.submit(f"/t/{table['scorer']}/renew", [("role", "viewer")])
    assert is_unproven(upload_event(server, ledger, named, **own))
    seal_for_ledger(server, ledger, stream, table["viewer"])
    assert is_unproven(upload_event(server, ledger, named, **own))
    # Neither dropping nor restoring the evening adds it.
    assert is_unproven(upload_event(server, ledger, {"do": "austragen", "table": stream}))
    server.request("POST", f"/g/{ledger}/restore", [("table", stream)])
    assert evenings_of(server, ledger) == 0


@pytest.mark.parametrize("role", ["scorer", "opponent", "viewer"])
def test_ledger_counts_a_board_with_its_writer_key(server, table, ledger, role):
    stream = id_of(server, table["viewer"])
    named = {"do": "abend", "table": stream}
    seal_for_ledger(server, ledger, stream, table[role])
    # The key of a viewer, of the other side or of another table adds no evening.
    for other in (table["viewer"], table["opponent"], server.table()["scorer"]):
        assert is_unproven(upload_event(server, ledger, named, Bummerl_Key=other))
    assert is_unproven(upload_event(server, ledger, named))
    assert upload_event(server, ledger, named, Bummerl_Key=table["scorer"])[0] == 201
    server.request("POST", f"/t/{table['scorer']}/renew", [("role", role)])
    dropped = {"do": "austragen", "table": stream}
    assert upload_event(server, ledger, dropped, "dropped")[0] == 201
    assert upload_event(server, ledger, named, "again")[0] == 201
    assert evenings_of(server, ledger) == 1


def test_ledger_does_not_accept_a_table_code(server, table, ledger):
    stream = id_of(server, table["viewer"])
    share = server.page(f"/t/{table['scorer']}/share").html
    code = re.search(r'class="code"[^>]*>(\w{6})', share)[1]
    seal_for_ledger(server, ledger, stream, code)
    named = {"do": "abend", "table": stream}
    assert is_unproven(upload_event(server, ledger, named, Bummerl_Key=table["scorer"]))


@pytest.mark.parametrize("text", [7, ["x"], "", "x\0", "x" * 41])
def test_invalid_table_id_is_refused(server, ledger, text):
    assert upload_event(server, ledger, {"do": "abend", "table": text})[0] == 422


@pytest.mark.parametrize("kind", ["ledger", "preis"])
def test_ledger_counts_only_tables(server, ledger, preis, kind):
    key = preis["director"] if kind == "preis" else ledger
    stream = id_of(server, key)
    seal_for_ledger(server, ledger, stream, key)
    named = {"do": "abend", "table": stream}
    assert is_unproven(upload_event(server, ledger, named, Bummerl_Key=key))
    server.page(f"/g/{ledger}")


def ring_of(server, director):
    with closing(open_store(server.db)) as store:
        return store.unseal(director, "desk-ring")


def series(*of):
    return {"do": "serie", "of": list(of), "rule": "places", "collects": "pair"}


def test_series_takes_only_viewable_tournaments(server, preis, table):
    first, second = (server.new_tournament(**NEW_TOURNAMENT) for _ in range(2))
    ids = [id_of(server, made["director"]) for made in (first, second)]
    third, ring = preis["director"], ring_of(server, preis["director"])
    links = [("token", "s"), ("with", first["viewer"]), ("rule", "places"), ("collects", "pair")]
    server.submit(f"/p/{second['director']}/season", links)
    assert is_unproven(upload_event(server, third, series(*ids)))
    # The link for signing up does not permit viewing.
    board = id_of(server, table["viewer"])
    for stream, key in ((ids[0], first["signup"]), (board, table["viewer"])):
        upload_boxes(server, third, sealed_box(ring, stream, key))
        assert is_unproven(upload_event(server, third, series(stream)))
    upload_boxes(server, third, sealed_box(ring, ids[1], second["viewer"]))
    assert upload_event(server, third, series(*ids))[0] == 201
    # The tournament remains in the series after its link is closed.
    server.request("POST", f"/p/{second['director']}/renew", [("role", "hall")])
    assert upload_event(server, third, series(ids[0]), "less")[0] == 201
    assert server.page(f"/p/{third}/season").html.count('name="without"') == 1


def test_uploaded_ledger_needs_keys_of_its_tables(server, table, tmp_path):
    stream, keys = id_of(server, table["viewer"]), {"member": mint(), "reader": mint()}
    own = Seal(keys["member"], "reader", keys["reader"])
    counted = [{"do": "abend", "table": stream}]
    bare = phone_copy(tmp_path, "group", NEW_LEDGER, counted, keys, [own])
    member = {"Bummerl_Key": f"{keys['member']}.{table['scorer']}"}
    assert is_unproven(server.json("POST", "/pocket/streams", bare, **member))
    board = Seal(keys["reader"], f"table {stream}", table["viewer"])
    copy = phone_copy(tmp_path, "group", NEW_LEDGER, counted, keys, [own, board])
    assert is_unproven(server.json("POST", "/pocket/streams", copy))
    for others in ("", f".{table['viewer']}", f".{table['opponent']}"):
        proof = {"Bummerl_Key": f"{keys['member']}{others}"}
        assert is_unproven(server.json("POST", "/pocket/streams", copy, **proof))
    assert server.json("POST", "/pocket/streams", copy, **member)[0] == 201
    assert evenings_of(server, keys["reader"]) == 1
    # The server still accepts the copy a second time, although a link was closed meanwhile.
    server.request("POST", f"/t/{table['scorer']}/renew", [("role", "viewer")])
    assert server.json("POST", "/pocket/streams", copy, **member) == (200, {"fresh": False})


@pytest.mark.parametrize("event", ["auslosung", "stechtisch", "serie"])
def test_uploaded_tournament_needs_its_streams_keys(server, table, preis, tmp_path, event):
    opening = preis["viewer"] if event == "serie" else table["scorer"]
    stream = id_of(server, preis["director"] if event == "serie" else opening)
    drawn = [{**table, "stream": stream} for table in DRAW["tables"]]
    said = {
        "auslosung": {**DRAW, "tables": drawn},
        "stechtisch": {"do": "stechtisch", "pairs": [1, 2], "stream": stream},
        "serie": series(stream),
    }[event]
    keys, ring = {role: mint() for role in ("director", "hall", "signup")}, mint()
    own, held = Seal(keys["director"], "desk-ring", ring), Seal(ring, stream, opening)
    watched = Seal(ring, stream, preis["signup"] if event == "serie" else table["viewer"])
    director = {"Bummerl_Key": keys["director"]}
    for seals, sent, status in (
        ([own], director, 422),
        ([own, watched], director, 422),
        ([own, held], {}, 422),
        ([own, held], director, 201),
    ):
        copy = phone_copy(tmp_path, "tournament", NEW_TOURNAMENT, [said], keys, seals)
        assert server.json("POST", "/pocket/streams", copy, **sent)[0] == status


def test_table_cannot_claim_a_tournament(server, preis, tmp_path):
    keys = {"scorer": mint(), "viewer": mint()}
    belongs = Seal(keys["scorer"], "tournament", id_of(server, preis["director"]))
    copy = phone_copy(tmp_path, "table", BAYERN, [], keys, [belongs])
    assert server.json("POST", "/pocket/streams", copy)[0] == 201
    for page in ("", "/standings", "/stream", "/standings/stream"):
        assert server.request("GET", f"/e/{keys['scorer']}{page}")[0] == 404
    server.page(f"/t/{keys['scorer']}")


def test_pages_skip_old_foreign_streams(server, preis, ledger, table):
    director = id_of(server, preis["director"])
    foreign = series(id_of(server, table["viewer"]), id_of(server, ledger))
    with closing(open_store(server.db)) as store:
        for key, event in (
            (ledger, {"do": "abend", "table": director}),
            (ledger, {"do": "abend", "table": "nowhere"}),
            (preis["director"], foreign),
        ):
            store.append(store.find(key).stream, event, idempotency_key=mint(), by="x")
    for path in ("", "/ledger.json", "/ledger.csv"):
        assert server.request("GET", f"/g/{ledger}{path}")[0] == 200
    for key in (preis["director"], preis["viewer"]):
        assert server.page(f"/p/{key}/season").data("missing") == ["2"]
