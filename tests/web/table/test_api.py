"""The JSON API of tables over real HTTP."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from scorer.book.tables import Tables
from scorer.engine import REGIONS, replay, result
from scorer.store import hash_chain
from scorer.store.database_url import open_store
from tests.builders import LOST, NAMED, WON, split


def test_a_new_table_has_three_keys_and_its_state(server):
    made = server.table("bayern", set={"target": 11})
    assert len({made["scorer"], made["opponent"], made["viewer"]}) == 3
    assert made["scorer_url"].endswith(f"/t/{made['scorer']}")
    assert made["opponent_url"].endswith(f"/b/{made['opponent']}")
    assert made["viewer_url"].endswith(f"/b/{made['viewer']}")
    assert made["state"]["points"] == [0, 0]


@pytest.mark.parametrize("region", REGIONS)
def test_api_state_matches_replay(server, region):
    made = server.table(region, sides=NAMED, dealer="Wir")
    events = [WON, {"do": "bieten", "side": 1}, {"do": "gehen", "side": 0}]
    for number, event in enumerate(events):
        status, answer = server.write(made["scorer"], event, str(number))
        assert (status, answer["seq"]) == (201, number + 1)
    record = server.record(made["viewer"])
    evening, _ = replay(record)
    assert answer["state"] == json.loads(json.dumps(result(evening.state)))


def test_only_the_scorer_writes(server):
    made = server.table()
    for role in ("scorer", "opponent", "viewer"):
        status, answer = server.json("GET", f"/api/tables/{made[role]}")
        assert (status, answer["role"], answer["seq"]) == (200, role, 0)
    for role in ("opponent", "viewer"):
        status, answer = server.write(made[role], WON, "x")
        assert (status, answer["error"]["code"]) == (403, "not-the-writer")
    assert server.seq(made["scorer"]) == 0


def test_the_etag_is_the_seq(server):
    key = server.table(played=[WON])["scorer"]
    _, headers, _ = server.request("GET", f"/api/tables/{key}", Accept_Encoding="gzip, br")
    assert headers["etag"] == '"1"'
    status, _, text = server.request("GET", f"/api/tables/{key}", If_None_Match='"1"')
    assert (status, text) == (304, "")


def test_repeated_request_returns_the_first_answer(server):
    key = server.table()["scorer"]
    first = server.write(key, WON, "same")
    server.write(key, WON, "other")
    again = server.write(key, WON, "same", If_Match='"0"')
    assert (first[0], again[0]) == (201, 200)
    assert again[1] == first[1]
    assert server.seq(key) == 2


def test_idempotency_key_of_another_event_is_refused(server):
    key = server.table()["scorer"]
    server.write(key, WON, "same")
    status, answer = server.write(key, LOST, "same")
    assert (status, answer["error"]["code"]) == (422, "key-reused")


@pytest.mark.parametrize("tag", ['"0"', '"7"', "0", "nonsense", 'W/"1"x'])
def test_stale_if_match_returns_the_current_state(server, tag):
    key = server.table(played=[WON])["scorer"]
    status, answer = server.write(key, WON, "2", If_Match=tag)
    assert status == 409
    assert (answer["seq"], answer["state"]["points"]) == (1, [2, 0])
    assert answer["error"]["code"] == "stale"


@pytest.mark.parametrize("tag", ['"1"', "1", "*"])
def test_matching_if_match_is_accepted(server, tag):
    key = server.table(played=[WON])["scorer"]
    assert server.write(key, WON, "2", If_Match=tag)[0] == 201


def test_illegal_event_names_the_rule(server):
    key = server.table(played=[{"do": "bieten", "side": 0}])["scorer"]
    status, answer = server.write(key, {"do": "bieten", "side": 0}, "2")
    assert status == 422
    assert answer["error"]["code"] == "twice-in-a-row"
    assert answer["error"]["rule"] == "O-43"
    assert answer["error"]["message"]
    assert server.seq(key) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 5000, 400),
        (b"[]", 422),
        (b'{"do": ["einig"]}', 422),
        (b"null", 422),
        (b'{"do": "fliegen"}', 422),
        (b'{"do": "gewinnt", "side": 9}', 422),
        (b'{"do": "gewinnt", "side": 2}', 422),
    ],
)
def test_malformed_event_is_refused(server, body, status):
    key = server.table()["scorer"]
    got, _, text = server.request("POST", f"/api/tables/{key}/events", body, Idempotency_Key="1")
    assert got == status
    error = json.loads(text)["error"]
    assert error["code"]
    assert error["message"]


def test_event_needs_an_idempotency_key(server):
    key = server.table()["scorer"]
    path = f"/api/tables/{key}/events"
    assert server.json("POST", path, WON)[0] == 400
    assert server.json("POST", path, WON, Idempotency_Key="x" * 201)[0] == 400
    assert server.json("POST", path, WON, Idempotency_Key="x" * 200)[0] == 201


@pytest.mark.parametrize("path", ["", "/record", "/stream"])
def test_unknown_key_returns_404(server, path):
    status, answer = server.json("GET", f"/api/tables/nosuchkey{path}")
    assert (status, answer["error"]["code"]) == (404, "unknown-key")


def test_a_body_over_64_kib_is_refused(server):
    key = server.table()["scorer"]
    status, answer = server.write(key, {**WON, "note": "x" * 70_000}, "1")
    assert (status, answer["error"]["code"]) == (413, "413")
    assert server.request("POST", "/api/tables", b"x" * 70_000)[0] == 413


@pytest.mark.parametrize(
    "head",
    [
        {"watten": 1},
        {"watten": 1, "rules": "tirol"},
        {"watten": 1, "rules": "bayern", "set": {"target": 0}},
        {"watten": 1, "rules": "bayern", "events": [WON]},
        {"watten": 1, "rules": "bayern", "events": {}},
        {"watten": 1, "rules": "bayern", "look_back": {}},
        {"watten": 1, "rules": "bayern", "sides": [{"name": "x" * 10_000}, {}]},
    ],
)
def test_invalid_table_is_refused(server, head):
    status, answer = server.json("POST", "/api/tables", head)
    assert (status, answer["error"]["code"]) == (422, "bad-record")


def test_record_has_a_valid_hash_chain(server):
    made = server.table(played=[WON] * 4)
    server.write(made["scorer"], {"do": "korrektur", "of": 3, "with": None}, "undo")
    record = server.record(made["opponent"])
    assert len(record["events"]) == 5
    assert hash_chain.check(*split(record)) is None
    assert all(event["at"] and event["by"] == "scorer" for event in record["events"])


def test_concurrent_writes_with_if_match_record_one(server):
    key = server.table("bayern")["scorer"]
    for expected in range(4):
        with ThreadPoolExecutor(16) as pool:
            answers = list(
                pool.map(
                    lambda n, at=expected: server.write(
                        key, {"do": "gewinnt", "side": n % 2}, f"{at} {n}", If_Match=f'"{at}"'
                    ),
                    range(16),
                )
            )
        statuses = sorted(status for status, _ in answers)
        assert statuses == [201] + [409] * 15
    assert server.seq(key) == 4


def test_concurrent_writes_without_if_match_all_count(server):
    key = server.table("suedtirol", set={"target": 99})["scorer"]
    with ThreadPoolExecutor(16) as pool:
        names = [str(n % 20) for n in range(40)]
        answers = list(pool.map(lambda name: server.write(key, WON, name), names))
    assert sorted(status for status, _ in answers) == [200] * 20 + [201] * 20
    seqs = {name: answer["seq"] for name, (_, answer) in zip(names, answers, strict=True)}
    assert sorted(seqs.values()) == list(range(1, 21))
    assert server.state(key)["points"] == [40, 0]


def test_stream_sends_every_state_and_resumes(server):
    made = server.table()
    watch = server.watch(f"/api/tables/{made['viewer']}/stream")
    first = watch.next()
    assert (first["event"], first["id"]) == ("state", "0")
    assert json.loads(first["data"])["points"] == [0, 0]
    server.write(made["scorer"], WON, "1")
    second = watch.next()
    assert (second["id"], json.loads(second["data"])["points"]) == ("1", [2, 0])
    watch.close()
    server.write(made["scorer"], WON, "2")
    again = server.watch(f"/api/tables/{made['viewer']}/stream", Last_Event_ID="1")
    third = again.next()
    assert (third["id"], json.loads(third["data"])["points"]) == ("2", [4, 0])
    again.close()


def test_streams_receive_events_of_other_workers(server):
    # Either worker may answer a request, and watchers of both must receive every event.
    made = server.table("suedtirol", set={"target": 99})
    watches = [server.watch(f"/api/tables/{made['viewer']}/stream") for _ in range(8)]
    for watch in watches:
        assert watch.next()["id"] == "0"
    for number in range(1, 6):
        server.write(made["scorer"], WON, str(number))
        for watch in watches:
            assert watch.next()["id"] == str(number)
    for watch in watches:
        watch.close()


def test_server_sets_time_and_author(server):
    keys = server.table()
    event = {"do": "einig", "side": 1, "at": "half past nine", "by": "scorer Anna"}
    server.play(keys["opponent"], event)
    entry = server.record(keys["viewer"])["events"][0]
    assert entry["by"] == "opponent"
    assert entry["at"].endswith("Z")


def test_invalid_time_is_not_shown(server):
    record = {"watten": 1, "rules": "bayern"}
    times = ("half past nine", "2026-99-99", "0001-01-01T00:00:00Z")
    for at in times:
        events = [{"do": "einig", "side": 1, "at": at}, {"do": "gewinnt", "side": 0, "at": at}]
        store = open_store(server.db)
        keys = Tables(store).open_record({**record, "events": events})
        store.close()
        for path in ("", "/history", "/sheet", "/rules", "/round/1"):
            status, _, text = server.request("GET", f"/b/{keys['viewer']}{path}")
            assert status == 200, path
            assert at not in text


def test_duplicate_fields_and_deep_nesting_are_refused(server):
    keys = server.table()
    event = WON
    for _ in range(400):
        event = {"do": "korrektur", "of": 0, "with": event}
    assert server.write(keys["scorer"], event, "1")[0] == 422
    path = f"/api/tables/{keys['scorer']}/events"
    twice = '{"do": "gewinnt", "side": 0, "side": 1}'
    assert server.request("POST", path, twice, Idempotency_Key="2")[0] == 400


def test_opponent_answers_only_if_allowed(server):
    for allowed in (True, False):
        keys = server.table(answers=allowed, played=[{"do": "bieten", "side": 0}])
        for role, event, status in (
            ("viewer", {"do": "bleiben", "side": 1}, 403),
            ("opponent", LOST, 403),
            ("opponent", {"do": "bieten", "side": 0}, 403),
            ("opponent", {"do": "bleiben", "side": 1}, 201 if allowed else 403),
        ):
            assert server.write(keys[role], event, f"{role}{event['do']}")[0] == status
        record = server.record(keys["viewer"])
        assert record.get("answers", False) is allowed
