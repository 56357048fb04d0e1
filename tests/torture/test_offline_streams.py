"""Forged uploads of every kind, with every signature, time and key.

The server accepts only what the uploading phone could have recorded online.
"""

import hashlib
import itertools
import json
import random
from datetime import UTC, datetime

import pytest

from scorer import create_app
from scorer.store import hash_chain
from scorer.store.keys import digest, mint, mint_code, seal_key
from scorer.tournament import draw, new_tournament, read_settings
from scorer.web.frame.device_identity import SECRET_COOKIE
from scorer.web.frame.rate_limits import GUESS_LIMITS
from tests.serving import InProcessClient
from tests.torture import IS_LONG_RUN, repetitions

VICTIM = "vvvvvvvvvvvvvvvv"
"""The name of another phone. Any record shows such names."""
SIGNED = [
    "scorer",
    "opponent",
    "viewer",
    "director",
    "operator",
    "table",
    "server",
    "",
    "scorer a b",
]
WHENS = ["2020-01-01T12:00:00.000Z", "2999-01-01T00:00:00Z", "no time", "", 7, None]
HEAD = {"watten": 1, "rules": "oberoesterreich"}
NEW_TOURNAMENT = {"name": "Preis", "rules": "oberoesterreich", "seed": "s", "games_per_round": 1}
NEW_TOURNAMENT["pairs"] = [{"name": f"Paar {n}"} for n in range(4)]
ROLES = {
    "table": ("scorer", "opponent", "viewer"),
    "group": ("member", "reader"),
    "tournament": ("director", "hall", "signup"),
}
WON = [{"do": "gewinnt", "side": 0}] * 5
SAID = [
    {"do": "uebernahme", "link": "0" * 16},
    {"do": "einig", "side": 0},
    {"do": "einig", "side": 1},
    {"do": "bestaetigt", "side": 0, "game": 1, "stand": "10:0"},
    {"do": "bestaetigt", "side": 1, "game": 1, "stand": "10:0"},
    {"do": "strittig", "side": 0, "of": 0},
    {"do": "strittig", "side": 1, "of": 0},
    {"do": "vorschlag", "side": 0, "of": 0, "with": None},
    {"do": "vorschlag", "side": 1, "of": 0, "with": None},
    {"do": "zusage", "side": 1, "of": 5},
    {"do": "preis", "amount": 100, "unit": "euro", "per": "bummerl"},
    {"do": "loeschung", "sealed": []},
    {"do": "korrektur", "of": 0, "with": None},
    {"do": "neues_spiel"},
    {"do": "sitzordnung", "sides": [{"players": ["Anna"]}, {"players": ["Аnna"]}]},
]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    place = tmp_path_factory.mktemp("forger") / "bummerl.db"
    return create_app({"DATABASE": str(place), "RATE_LIMITS": False})


@pytest.fixture
def forger(app):
    return InProcessClient(app, Cookie=f"{SECRET_COOKIE}={mint()}")


def stream_copy(kind, head, said, keys=None, boxes=(), **about):
    """A stream as a phone would upload it, and its keys by role.

    :param said: body, signature and time of each event
    """
    keys = {role: mint() for role in ROLES[kind]} if keys is None else keys
    previous, events = hash_chain.head_hash(head), []
    for n, (body, by, at) in enumerate(said):
        event = {**body, **{name: value for name, value in (("by", by), ("at", at)) if value}}
        event["hash"] = previous = hash_chain.entry_hash(previous, event)
        events.append({"key": f"{n}", "body": body, "event": event})
    rows = [
        {"digest": digest(key), "role": role, "created": "2020", "revoked": None}
        for role, key in keys.items()
    ]
    stream = {"id": mint_id(), "kind": kind, "head": head, "created": "2020", "events": events}
    copy = {"bummerl": 1, "streams": [{**stream, "keys": rows, **about}], "boxes": list(boxes)}
    return copy, keys


def mint_id():
    return hashlib.sha256(mint().encode()).hexdigest()[:16]


def upload(phone, copy, key=""):
    return phone.json("POST", "/pocket/streams", copy, Bummerl_Key=key)


def recorded_events(app, key):
    store = app.extensions["tables"].store
    return [stored.event for stored in store.events(store.find(key).stream)]


def own_name(app, phone, key):
    with app.test_request_context(headers=phone.headers):
        from scorer.web.frame.device_identity import device_name

        return device_name(app.extensions["tables"].store.find(key).stream)


def signatures():
    return [f"{role} {VICTIM}".strip() for role in SIGNED] + SIGNED


def sample_of(every):
    """The same sample of the cases in each run. `make torture` gets all cases."""
    every = list(every)
    return every if IS_LONG_RUN else random.Random(27).sample(every, min(len(every), 60))


@pytest.mark.parametrize("by", signatures())
def test_uploads_are_signed_by_their_phone(app, forger, by):
    begun = datetime.now(UTC).replace(microsecond=0)
    for body, at in sample_of(itertools.product(SAID, WHENS)):
        won = [(event, f"scorer {VICTIM}", at) for event in WON]
        copy, keys = stream_copy("table", HEAD, [*won, (body, by, at)])
        status, _ = upload(forger, copy, keys["scorer"])
        assert status in (201, 422), (body, by, at)
        if status == 422:
            assert app.extensions["tables"].store.find(keys["scorer"]) is None
            continue
        me = own_name(app, forger, keys["scorer"])
        for entry in recorded_events(app, keys["scorer"]):
            assert entry["by"] in (f"scorer {me}", f"opponent {me}")
            # No event is dated after its upload.
            received = datetime.fromisoformat(entry["received"])
            assert begun <= received
            assert datetime.fromisoformat(entry["at"]) <= received
        assert entry["do"] != "loeschung"
        assert 'data-confirmed="phone"' not in forger.request("GET", f"/b/{keys['viewer']}")[2]


@pytest.mark.parametrize("body", SAID, ids=lambda body: body["do"])
def test_uploads_obey_the_rules_of_online_events(app, forger, body):
    """The server accepts an upload exactly if it accepts the same event of that role online."""
    for cut, role in itertools.product((False, True), ("scorer", "opponent")):
        head = {**HEAD, "cut": cut}
        played = [*WON, {"do": "neues_spiel"}, {"do": "gewinnt", "side": 1}]
        copy, keys = stream_copy(
            "table", head, [*((event, "scorer a", "") for event in played), (body, f"{role} a", "")]
        )
        table = forger.json("POST", "/api/tables", head)[1]
        for n, event in enumerate(played):
            assert forger.write(table["scorer"], event, f"{n}")[0] == 201
        if role == "opponent":
            forger.request("POST", f"/b/{table['opponent']}/hold", [])
        path = f"/pocket/streams/{table[role]}/events"
        length = forger.json("GET", f"/api/tables/{table['viewer']}")[1]["seq"]
        sent = {"Idempotency_Key": "door", "If_Match": f'"{length}"'}
        if body["do"] == "uebernahme":
            body = {**body, "link": digest(table["opponent"])[:16]}
        door = forger.json("POST", path, body, **sent)[0]
        assert (upload(forger, copy, keys["scorer"])[0] == 201) == (door == 201), (cut, role, door)


def test_uploaded_draw_needs_the_announced_seed(forger):
    honest = draw(new_tournament(read_settings(NEW_TOURNAMENT))).to_json()
    for seed, status in (("0" * 32, 422), ("", 422), (honest["seed"], 201)):
        copy, keys = stream_copy(
            "tournament", NEW_TOURNAMENT, [({**honest, "seed": seed}, "director a", "")]
        )
        assert upload(forger, copy, keys["director"])[0] == status
    # The address for single events has the same check.
    made = forger.json("POST", "/api/tournaments", NEW_TOURNAMENT)[1]["director"]
    path, sent = f"/pocket/streams/{made}/events", {"Idempotency_Key": "d", "If_Match": '"0"'}
    assert forger.json("POST", path, {**honest, "seed": "0" * 32}, **sent)[0] == 422


def test_hand_picked_pairs_are_refused(forger):
    settings = {**NEW_TOURNAMENT, "pairs": [{"name": name} for name in "ABCDEFGH"], "rounds": 2}
    honest = draw(new_tournament(read_settings(settings))).to_json()
    tables = [dict(table) for table in honest["tables"]]
    (a, b), (c, d) = (table["pairs"] for table in tables[:2])
    for table, two in zip(tables, ([a, d], [c, b]), strict=False):
        table.update({"pairs": two, "lots": two})
    for drawn, status in (({**honest, "tables": tables}, 422), (honest, 201)):
        copy, keys = stream_copy("tournament", settings, [(drawn, "director a", "")])
        assert upload(forger, copy, keys["director"])[0] == status
        made = forger.json("POST", "/api/tournaments", settings)[1]["director"]
        path, sent = f"/pocket/streams/{made}/events", {"Idempotency_Key": "d", "If_Match": '"0"'}
        answered = forger.json("POST", path, drawn, **sent)
        assert (answered[0] == 422) == (status == 422)
    # A revoked draw may be repeated, but not with hand-picked pairs.
    back = {"do": "ruecknahme", "round": 1}
    for first, again, status in (
        (honest, honest, 201),
        ({**honest, "tables": tables}, {**honest, "tables": tables}, 422),
        ({**honest, "tables": tables}, honest, 422),
        (honest, {**honest, "tables": tables}, 422),
    ):
        said = [(body, "director a", "") for body in (first, back, again)]
        copy, keys = stream_copy("tournament", settings, said)
        assert upload(forger, copy, keys["director"])[0] == status


def test_one_phone_for_both_pairs_is_reported(app, forger):
    honest = draw(new_tournament(read_settings(NEW_TOURNAMENT))).to_json()
    where = {"round": 1, "table": 1, "games": [[9, 4]]}
    said = [
        (honest, f"director {VICTIM}", ""),
        ({"do": "ergebnis", "who": "a", **where}, f"scorer {VICTIM}", "2020-01-01T12:00:00Z"),
        ({"do": "bestaetigung", "who": "b", **where}, "opponent wwwwwwwwwwwwwwww", ""),
    ]
    copy, keys = stream_copy("tournament", NEW_TOURNAMENT, said)
    assert upload(forger, copy, keys["director"])[0] == 201
    assert {entry["by"].partition(" ")[2] for entry in recorded_events(app, keys["director"])} == {
        own_name(app, forger, keys["director"])
    }
    page = forger.request("GET", f"/p/{keys['director']}/match/1/1")[2]
    assert "one phone spoke for both pairs" in page


@pytest.mark.parametrize(
    ("kind", "head"),
    [
        ("table", {**HEAD, "sides": [{"players": ["Anna"]}, {"players": ["Аnna"]}]}),
        ("tournament", {**NEW_TOURNAMENT, "pairs": [{"name": "Anna"}, {"name": "Аnna"}]}),
    ],
)
def test_lookalike_names_are_refused(forger, kind, head):
    copy, keys = stream_copy(kind, head, [])
    assert upload(forger, copy, next(iter(keys.values())))[0] == 422


def test_only_the_streams_own_keys_are_stored(app, forger):
    for kind, head in (
        ("table", HEAD),
        ("tournament", NEW_TOURNAMENT),
        ("group", {"group": 1, "name": "G"}),
    ):
        copy, keys = stream_copy(kind, head, [])
        rows, opener = copy["streams"][0]["keys"], keys[ROLES[kind][0]]
        many = [{**rows[1], "digest": digest(mint_code())} for _ in range(1000)]
        for wrong in (
            [*rows, *many],
            [*rows, {**rows[0], "role": "operator"}],
            [{**rows[0], "digest": "AB3K9W"}],
        ):
            forged = {**copy, "streams": [{**copy["streams"][0], "keys": wrong}]}
            assert upload(forger, forged, opener)[0] == 422
        # The server does not keep revoked keys or a code.
        closed = [{**row, "revoked": "2020"} for row in many]
        code = [{**rows[0], "role": "code", "digest": digest("AB3K9W")}] if kind == "table" else []
        sent = {**copy, "streams": [{**copy["streams"][0], "keys": [*rows, *closed, *code]}]}
        assert upload(forger, sent, opener) == (201, {"fresh": True})
        store = app.extensions["tables"].store
        [kept] = store.dump([store.find(opener).stream])["streams"]
        assert {row["digest"] for row in kept["keys"]} == set(map(digest, keys.values()))
        # The server sets the time of creation itself.
        assert kept["created"] > "2026" and all(row["created"] > "2026" for row in kept["keys"])


def test_body_that_differs_from_its_event_is_refused(forger):
    copy, keys = stream_copy("table", HEAD, [(event, "scorer a", "") for event in WON])
    for forged in ({"do": "gewinnt", "side": 1}, {**WON[0], "note": "x"}):
        other = json.loads(json.dumps(copy))
        other["streams"][0]["events"][2]["body"] = forged
        assert upload(forger, other, keys["scorer"])[0] == 422
    assert upload(forger, copy, keys["scorer"])[0] == 201
    assert upload(forger, copy, keys["scorer"])[0] == 200


def test_uploads_without_proof_count_as_guesses(tmp_path):
    """Keys without proof count as guesses, so that uploads cannot find out which codes exist."""
    app = create_app({"DATABASE": str(tmp_path / "bummerl.db")})
    forger, answers = InProcessClient(app), []
    for _ in range(GUESS_LIMITS[0].most):
        keys = {role: mint_code() for role in ROLES["table"]}
        answers.append(upload(forger, stream_copy("table", HEAD, [], keys)[0])[0])
    assert answers.count(201) == GUESS_LIMITS[0].most // len(ROLES["table"])
    assert set(answers) == {201, 429}


def test_uploads_with_proof_are_not_limited(tmp_path):
    """An offline desk may upload any number of tables."""
    app = create_app({"DATABASE": str(tmp_path / "bummerl.db")})
    desk, keys = InProcessClient(app), {role: mint() for role in ROLES["table"]}
    for _ in range(2 * GUESS_LIMITS[0].most // len(keys)):
        keys = {role: mint() for role in ROLES["table"]}
        boxes = []
        for role in ("opponent", "viewer"):
            nonce, box = seal_key(keys[role], keys["scorer"])
            boxes.append(
                {"holder": digest(keys["scorer"]), "role": role, "nonce": nonce, "box": box}
            )
        assert (
            upload(desk, stream_copy("table", HEAD, [], keys, boxes)[0], keys["scorer"])[0] == 201
        )


def test_malformed_uploads_cause_no_server_error(forger):
    """An upload with any one value replaced is accepted or refused, but never fails the server."""
    rng = random.Random(27)
    odd = [None, 0, -1, 2**70, "", "\0", "x" * 300, [], {}, [[]], {"do": {}}, True, "\ud83c"]
    sample, _ = stream_copy("table", HEAD, [(event, "scorer a", "") for event in WON])
    for _ in range(repetitions(300, 20_000)):
        copy = json.loads(json.dumps(sample))
        place = copy["streams"][0]
        while isinstance(place, dict | list) and place:
            at = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
            if not isinstance(place[at], dict | list) or not place[at] or rng.random() < 0.2:
                place[at] = rng.choice(odd)
                break
            place = place[at]
        status, answer = upload(forger, copy, mint())
        # Half of a surrogate pair is not valid JSON and gets 400.
        assert status in (200, 201, 400, 422), (copy, answer)
