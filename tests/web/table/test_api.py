"""The JSON API of tables over real HTTP."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial

import pytest

from scorer.book.tables import Tables
from scorer.engine import REGIONS, replay, result
from scorer.store import hash_chain
from scorer.store.database_url import open_store
from tests.builders import BAYERN, LOST, NAMED, RAISED, WON, head_and_events


def test_a_new_table_has_three_keys_and_its_state(server):
    made = server.table("bayern", set={"target": 11})
    assert len({made["scorer"], made["opponent"], made["viewer"]}) == 3
    for role, place in (("scorer", "t"), ("opponent", "b"), ("viewer", "b")):
        assert made[f"{role}_url"].endswith(f"/{place}/{made[role]}")
    assert made["state"]["points"] == [0, 0]


@pytest.mark.parametrize("region", REGIONS)
def test_api_state_matches_replay(server, region):
    made = server.table(region, sides=NAMED, dealer="Wir")
    events = [WON, {"do": "bieten", "side": 1}, {"do": "gehen", "side": 0}]
    for number, event in enumerate(events):
        status, answer = server.write(made["scorer"], event, str(number))
        assert (status, answer["seq"]) == (201, number + 1)
    evening, _ = replay(server.record(made["viewer"]))
    assert answer["state"] == json.loads(json.dumps(result(evening.state)))


def test_only_the_scorer_writes(server):
    made = server.table()
    for role in ("scorer", "opponent", "viewer"):
        status, answer = server.json("GET", f"/api/tables/{made[role]}")
        assert (status, answer["role"], answer["seq"]) == (200, role, 0)
        if role != "scorer":
            status, answer = server.write(made[role], WON, "x")
            assert (status, answer["error"]["code"]) == (403, "not-the-writer")
    assert server.seq(made["scorer"]) == 0


def test_the_etag_is_the_seq(server):
    path = f"/api/tables/{server.table(played=[WON])['scorer']}"
    assert server.request("GET", path, Accept_Encoding="gzip, br")[1]["etag"] == '"1"'
    status, _, text = server.request("GET", path, If_None_Match='"1"')
    assert (status, text) == (304, "")


def test_repeated_request_returns_the_first_answer(server):
    key = server.table()["scorer"]
    status, first = server.write(key, WON, "same")
    assert status == 201
    server.write(key, WON, "other")
    assert server.write(key, WON, "same", If_Match='"0"') == (200, first)
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
    assert (status, answer["error"]["code"]) == (409, "stale")
    assert (answer["seq"], answer["state"]["points"]) == (1, [2, 0])


@pytest.mark.parametrize("tag", ['"1"', "1", "*"])
def test_matching_if_match_is_accepted(server, tag):
    key = server.table(played=[WON])["scorer"]
    assert server.write(key, WON, "2", If_Match=tag)[0] == 201


def test_illegal_event_names_the_rule(server):
    key = server.table(played=[RAISED])["scorer"]
    status, answer = server.write(key, RAISED, "2")
    error = answer["error"]
    assert (status, error["code"], error["rule"]) == (422, "twice-in-a-row", "O-43")
    assert error["message"]
    assert server.seq(key) == 1


TWICE = b'{"do": "gewinnt", "side": 0, "side": 1}'
UNREADABLE = [b"", b"{", b"\xff\xfe", b"[" * 5000, TWICE]
INVALID = [b"[]", b'{"do": ["einig"]}', b"null", b'{"do": "fliegen"}']
INVALID += [b'{"do": "gewinnt", "side": 9}', b'{"do": "gewinnt", "side": 2}']


@pytest.mark.parametrize("body", [*UNREADABLE, *INVALID])
def test_malformed_event_is_refused(server, body):
    path = f"/api/tables/{server.table()['scorer']}/events"
    got, _, text = server.request("POST", path, body, Idempotency_Key="1")
    assert got == (400 if body in UNREADABLE else 422)
    error = json.loads(text)["error"]
    assert error["code"] and error["message"]


def test_event_needs_an_idempotency_key(server):
    key = server.table()["scorer"]
    assert server.json("POST", f"/api/tables/{key}/events", WON)[0] == 400
    assert server.write(key, WON, "x" * 201)[0] == 400
    assert server.write(key, WON, "x" * 200)[0] == 201


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
        {**BAYERN, "set": {"target": 0}},
        {**BAYERN, "events": [WON]},
        {**BAYERN, "events": {}},
        {**BAYERN, "look_back": {}},
        {**BAYERN, "sides": [{"name": "x" * 10_000}, {}]},
    ],
)
def test_invalid_table_is_refused(server, head):
    status, answer = server.json("POST", "/api/tables", head)
    assert (status, answer["error"]["code"]) == (422, "bad-record")


def test_record_has_a_valid_hash_chain(server):
    made = server.table(played=[*[WON] * 4, {"do": "korrektur", "of": 3, "with": None}])
    head, events = head_and_events(server.record(made["opponent"]))
    assert len(events) == 5
    assert hash_chain.first_broken_entry(head, events) is None
    assert all(event["at"] and event["by"] == "scorer" for event in events)


def test_concurrent_writes_with_if_match_record_one(server):
    key = server.table("bayern")["scorer"]

    def write(at, number):
        event = {"do": "gewinnt", "side": number % 2}
        return server.write(key, event, f"{at} {number}", If_Match=f'"{at}"')[0]

    for at in range(4):
        with ThreadPoolExecutor(16) as pool:
            assert sorted(pool.map(partial(write, at), range(16))) == [201] + [409] * 15
    assert server.seq(key) == 4


def test_concurrent_writes_without_if_match_all_count(server):
    key = server.table("suedtirol", set={"target": 99})["scorer"]
    names = [str(n % 20) for n in range(40)]
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda name: server.write(key, WON, name), names))
    assert sorted(status for status, _ in answers) == [200] * 20 + [201] * 20
    seqs = {name: answer["seq"] for name, (_, answer) in zip(names, answers, strict=True)}
    assert sorted(seqs.values()) == list(range(1, 21))
    assert server.state(key)["points"] == [40, 0]


def test_stream_sends_every_state_and_resumes(server):
    made = server.table()
    path = f"/api/tables/{made['viewer']}/stream"

    def next_state(watch):
        message = watch.next()
        assert message["event"] == "state"
        return message["id"], json.loads(message["data"])["points"]

    with server.watch(path) as watch:
        assert next_state(watch) == ("0", [0, 0])
        server.play(made["scorer"], WON)
        assert next_state(watch) == ("1", [2, 0])
    server.play(made["scorer"], WON)
    with server.watch(path, Last_Event_ID="1") as watch:
        assert next_state(watch) == ("2", [4, 0])


def test_streams_receive_events_of_other_workers(server):
    # Either worker may answer a request, and watchers of both must receive every event.
    made = server.table("suedtirol", set={"target": 99})
    with ExitStack() as open_:
        path = f"/api/tables/{made['viewer']}/stream"
        watches = [open_.enter_context(server.watch(path)) for _ in range(8)]
        for number in range(6):
            assert [watch.next()["id"] for watch in watches] == [str(number)] * 8
            server.play(made["scorer"], WON)


def test_server_sets_time_and_author(server):
    keys = server.table()
    event = {"do": "einig", "side": 1, "at": "half past nine", "by": "scorer Anna"}
    server.play(keys["opponent"], event)
    [entry] = server.record(keys["viewer"])["events"]
    assert (entry["by"], entry["at"][-1]) == ("opponent", "Z")


@pytest.mark.parametrize("at", ["half past nine", "2026-99-99", "0001-01-01T00:00:00Z"])
def test_invalid_time_is_not_shown(server, at):
    events = [{"do": "einig", "side": 1, "at": at}, {**WON, "at": at}]
    with closing(open_store(server.db)) as store:
        key = Tables(store).create_from_record({**BAYERN, "events": events})["viewer"]
    for path in ("", "/history", "/sheet", "/rules", "/round/1"):
        assert at not in server.page(f"/b/{key}{path}").html


def test_deep_nesting_is_refused(server):
    event = WON
    for _ in range(400):
        event = {"do": "korrektur", "of": 0, "with": event}
    assert server.write(server.table()["scorer"], event, "1")[0] == 422


@pytest.mark.parametrize("allowed", [True, False])
def test_opponent_answers_only_if_allowed(server, allowed):
    keys = server.table(answers=allowed, played=[RAISED])
    answer = {"do": "bleiben", "side": 1}
    assert server.write(keys["viewer"], answer, "viewer")[0] == 403
    for event in (LOST, RAISED):
        assert server.write(keys["opponent"], event, event["do"])[0] == 403
    assert server.write(keys["opponent"], answer, "answer")[0] == (201 if allowed else 403)
    assert server.record(keys["viewer"]).get("answers", False) is allowed
