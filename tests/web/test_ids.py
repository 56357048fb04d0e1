"""A stream's id is public and opens nothing without a key."""

import json
import re

import pytest

from scorer.book.key_check import missing_key_error
from scorer.store import Opening, Seal
from scorer.store.database_url import open_store
from scorer.store.keys import digest, mint, wrap
from scorer.store.sqlite.phone_store import PhoneStore
from scorer.tournament import draw, read_settings
from scorer.tournament import new_tournament as opened_tournament
from tests.pages import Page

PREIS = {"name": "Preis", "rules": "bayern", "pairs": [{"name": "A"}, {"name": "B"}], "seed": "s"}
DRAW = draw(opened_tournament(read_settings(PREIS))).to_json()


def create(server, path, body):
    status, made = server.json("POST", path, body)
    assert status == 201
    return made


@pytest.fixture
def table(server):
    return server.table(sides=[{"players": ["Anna", "Bert"]}, {"players": ["Cilli", "Dora"]}])


@pytest.fixture
def preis(server):
    return create(server, "/api/tournaments", PREIS)


@pytest.fixture
def ledger(server):
    _, headers, _ = server.request("POST", "/regulars", [("name", "Stammtisch")])
    return headers["location"].rsplit("/", 1)[1]


def id_of(server, key):
    [stream] = server.json("GET", f"/pocket/streams/{key}")[1]["copy"]["streams"]
    return stream["id"]


def upload_event(server, key, event, name="came", **proof):
    """Upload an event as an offline phone does; returns the status and response."""
    seen = len(server.json("GET", f"/pocket/streams/{key}")[1]["copy"]["streams"][0]["events"])
    sent = {"Idempotency_Key": name, "If_Match": f'"{seen}"', **proof}
    return server.json("POST", f"/pocket/streams/{key}/events", event, **sent)


def sealed_box(holder, role, key):
    nonce, box = wrap(key, holder)
    return {"holder": digest(holder), "role": role, "nonce": nonce, "box": box}


def upload_boxes(server, key, *boxes):
    path, body = f"/pocket/streams/{key}/boxes", json.dumps(boxes).encode()
    assert server.request("POST", path, body, Content_Type="application/json")[0] == 200


def reader(server, ledger):
    return re.search(
        r'class="url"><a href="[^"]*/g/(\w+)"', server.request("GET", f"/g/{ledger}")[2]
    )[1]


def evenings_of(server, ledger):
    return server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"]


def is_unproven(answer):
    status, body = answer
    return status == 422 and missing_key_error("table").say(str) in body["error"]["message"]


def test_closed_board_cannot_join_a_ledger(server, table, ledger):
    named = {"do": "abend", "table": id_of(server, table["viewer"])}
    closed = sealed_box(reader(server, ledger), f"table {named['table']}", table["viewer"])
    own = {"Bummerl_Key": table["scorer"]}
    status, _, _ = server.request("POST", f"/t/{table['scorer']}/renew", [("role", "viewer")])
    assert status == 303
    assert is_unproven(upload_event(server, ledger, named, **own))
    upload_boxes(server, ledger, closed)
    assert is_unproven(upload_event(server, ledger, named, **own))
    # Neither dropping nor restoring the evening adds it.
    dropped = {"do": "austragen", "table": named["table"]}
    assert is_unproven(upload_event(server, ledger, dropped))
    server.request("POST", f"/g/{ledger}/restore", [("table", named["table"])])
    assert evenings_of(server, ledger) == 0


@pytest.mark.parametrize("role", ["scorer", "opponent", "viewer"])
def test_ledger_counts_a_board_with_its_writer_key(server, table, ledger, role):
    named = {"do": "abend", "table": id_of(server, table["viewer"])}
    upload_boxes(
        server, ledger, sealed_box(reader(server, ledger), f"table {named['table']}", table[role])
    )
    # The key of a viewer, of the other side or of another table adds no evening.
    for other in ("viewer", "opponent"):
        assert is_unproven(upload_event(server, ledger, named, Bummerl_Key=table[other]))
    assert is_unproven(upload_event(server, ledger, named, Bummerl_Key=server.table()["scorer"]))
    assert is_unproven(upload_event(server, ledger, named))
    assert upload_event(server, ledger, named, Bummerl_Key=table["scorer"])[0] == 201
    server.request("POST", f"/t/{table['scorer']}/renew", [("role", role)])
    dropped = {"do": "austragen", "table": named["table"]}
    assert upload_event(server, ledger, dropped, "dropped")[0] == 201
    assert upload_event(server, ledger, named, "again")[0] == 201
    assert evenings_of(server, ledger) == 1


def test_ledger_does_not_accept_a_table_code(server, table, ledger):
    named = {"do": "abend", "table": id_of(server, table["viewer"])}
    code = re.search(
        r'class="code"[^>]*>(\w{6})', server.request("GET", f"/t/{table['scorer']}/share")[2]
    )
    upload_boxes(
        server, ledger, sealed_box(reader(server, ledger), f"table {named['table']}", code[1])
    )
    assert is_unproven(upload_event(server, ledger, named, Bummerl_Key=table["scorer"]))


@pytest.mark.parametrize("text", [7, ["x"], "", "x\0", "x" * 41])
def test_invalid_table_id_is_refused(server, ledger, text):
    assert upload_event(server, ledger, {"do": "abend", "table": text})[0] == 422


@pytest.mark.parametrize("kind", ["ledger", "preis"])
def test_ledger_counts_only_tables(server, ledger, preis, kind):
    key = preis["director"] if kind == "preis" else ledger
    stream = id_of(server, key)
    upload_boxes(server, ledger, sealed_box(reader(server, ledger), f"table {stream}", key))
    assert is_unproven(
        upload_event(server, ledger, {"do": "abend", "table": stream}, Bummerl_Key=key)
    )
    assert server.request("GET", f"/g/{ledger}")[0] == 200


def ring_of(server, director):
    store = open_store(server.db)
    ring = store.unseal(director, "desk-ring")
    store.close()
    return ring


def series(*of):
    return {"do": "serie", "of": list(of), "rule": "places", "collects": "pair"}


def test_series_takes_only_viewable_tournaments(server, preis, table):
    first, second = (create(server, "/api/tournaments", PREIS) for _ in range(2))
    ids = [id_of(server, made["director"]) for made in (first, second)]
    third, ring = preis["director"], ring_of(server, preis["director"])
    links = [("token", "s"), ("with", first["viewer"]), ("rule", "places"), ("collects", "pair")]
    assert server.request("POST", f"/p/{second['director']}/season", links)[0] == 303
    assert is_unproven(upload_event(server, third, series(*ids)))
    # The link for signing up does not permit viewing.
    upload_boxes(server, third, sealed_box(ring, ids[0], first["signup"]))
    assert is_unproven(upload_event(server, third, series(ids[0])))
    board = id_of(server, table["viewer"])
    upload_boxes(server, third, sealed_box(ring, board, table["viewer"]))
    assert is_unproven(upload_event(server, third, series(board)))
    upload_boxes(server, third, sealed_box(ring, ids[1], second["viewer"]))
    assert upload_event(server, third, series(*ids))[0] == 201
    # The tournament remains in the series after its link is closed.
    server.request("POST", f"/p/{second['director']}/renew", [("role", "hall")])
    assert upload_event(server, third, series(ids[0]), "less")[0] == 201
    assert server.request("GET", f"/p/{third}/season")[2].count('name="without"') == 1


def stream_copy(tmp_path, kind, head, events, keys, seals=()):
    """The copy of a stream, as an offline phone uploads it."""
    store = PhoneStore(tmp_path / f"{mint()}.db")
    stream = store.create(kind, Opening(head, keys, seals, events)).id
    rings = [digest(seal.key) for seal in seals if seal.role == "desk-ring"]
    copy = store.dump([stream], rings)
    store.close()
    return copy


def test_uploaded_ledger_needs_keys_of_its_tables(server, table, tmp_path):
    stream, head = id_of(server, table["viewer"]), {"group": 1, "name": "G"}
    keys = {"member": mint(), "reader": mint()}
    own = Seal(keys["member"], "reader", keys["reader"])
    counted = [{"do": "abend", "table": stream}]
    bare = stream_copy(tmp_path, "group", head, counted, keys, [own])
    member = {"Bummerl_Key": f"{keys['member']}.{table['scorer']}"}
    assert is_unproven(server.json("POST", "/pocket/streams", bare, **member))
    board = Seal(keys["reader"], f"table {stream}", table["viewer"])
    copy = stream_copy(tmp_path, "group", head, counted, keys, [own, board])
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
    for seals, sent in (([own], director), ([own, watched], director), ([own, held], {})):
        copy = stream_copy(tmp_path, "tournament", PREIS, [said], keys, seals)
        assert server.json("POST", "/pocket/streams", copy, **sent)[0] == 422
    copy = stream_copy(tmp_path, "tournament", PREIS, [said], keys, [own, held])
    assert server.json("POST", "/pocket/streams", copy, **director)[0] == 201


def test_table_cannot_claim_a_tournament(server, preis, tmp_path):
    victim = id_of(server, preis["director"])
    keys = {"scorer": mint(), "viewer": mint()}
    belongs = Seal(keys["scorer"], "tournament", victim)
    copy = stream_copy(tmp_path, "table", {"watten": 1, "rules": "bayern"}, [], keys, [belongs])
    assert server.json("POST", "/pocket/streams", copy)[0] == 201
    for page in ("", "/standings", "/stream", "/standings/stream"):
        assert server.request("GET", f"/e/{keys['scorer']}{page}")[0] == 404
    assert server.request("GET", f"/t/{keys['scorer']}")[0] == 200


def test_pages_skip_old_foreign_streams(server, preis, ledger, table):
    store = open_store(server.db)
    for key, event in (
        (ledger, {"do": "abend", "table": id_of(server, preis["director"])}),
        (ledger, {"do": "abend", "table": "nowhere"}),
        (preis["director"], series(id_of(server, table["viewer"]), id_of(server, ledger))),
    ):
        store.append(store.find(key).stream, event, idempotency_key=mint(), by="x")
    store.close()
    for path in ("", "/ledger.json", "/ledger.csv"):
        assert server.request("GET", f"/g/{ledger}{path}")[0] == 200
    for key in (preis["director"], preis["viewer"]):
        status, _, text = server.request("GET", f"/p/{key}/season")
        assert (status, Page(text).data("elsewhere")) == (200, ["2"])
