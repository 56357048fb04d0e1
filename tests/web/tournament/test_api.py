"""The JSON API of tournaments."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

PAIRS = [{"name": f"Pair {n}", "players": [f"A{n}", f"B{n}"]} for n in range(1, 6)]
WON = [[15, 8], [12, 15], [15, 3]]


def created(server, **more):
    given = {"rounds": 3, "games_per_round": 3, "ranking": ["won", "difference", "points"]}
    return server.new_tournament(**{**given, "pairs": PAIRS, **more})


def draw(server, key, **body):
    return server.json("POST", f"/api/tournaments/{key}/draw", body)


def enter(server, key, table, games, number=1, **more):
    body = {"round": number, "table": table, "games": games, **more}
    return server.json("POST", f"/api/tournaments/{key}/results", body)


def ranking(server, key):
    return server.json("GET", f"/api/tournaments/{key}/standings")[1]


def test_a_round_from_draw_to_standings(server):
    keys = created(server)
    status, drawn = draw(server, keys["director"])
    assert (status, drawn["round"], drawn["seed"]) == (201, 1, "x")
    assert [table["table"] for table in drawn["tables"]] == [1, 2]
    playing = [pair for table in drawn["tables"] for pair in table["pairs"]]
    assert sorted([*playing, drawn["bye"]]) == [1, 2, 3, 4, 5]
    assert draw(server, keys["director"])[0] == 409
    for table in (1, 2):
        assert enter(server, keys["director"], table, WON)[0] == 201
    found = ranking(server, keys["viewer"])
    assert found["round"] == 1
    winner, loser = drawn["tables"][0]["pairs"]
    lines = {line["pair"]: line for line in found["standings"]}
    shown = ("name", "won", "difference", "points")
    assert [lines[winner][name] for name in shown] == [f"Pair {winner}", 2, 16, 42]
    assert [lines[loser][name] for name in shown] == [f"Pair {loser}", 1, -16, 26]
    assert [line["rank"] for line in found["standings"]] == [1, 2, 3, 4, 5]
    assert draw(server, keys["director"])[1]["round"] == 2


def test_the_same_seed_draws_the_same(server):
    def pairs(drawn):
        return [table["pairs"] for table in drawn[1]["tables"]], drawn[1]["bye"]

    one, other = created(server), created(server)
    assert pairs(draw(server, one["director"])) == pairs(draw(server, other["director"]))
    seeds = {draw(server, created(server, seed=None)["director"])[1]["seed"] for _ in range(2)}
    assert len(seeds) == 2


@pytest.mark.parametrize(
    "games",
    [
        [[15, 15], [15, 3], [15, 3]],
        [[15, 8]],
        [["15", 8], [15, 3], [15, 3]],
        None,
    ],
)
def test_points_that_cannot_be_are_refused(server, games):
    keys = created(server)
    draw(server, keys["director"])
    status, answer = enter(server, keys["director"], 1, games)
    assert status == 422
    assert answer["error"]["code"]
    assert answer["error"]["message"]
    assert all(line["won"] == 0 for line in ranking(server, keys["viewer"])["standings"])


def test_the_table_of_a_draw_is_scored_live(server):
    keys = created(server)
    table = draw(server, keys["director"])[1]["tables"][0]
    state = server.json("GET", f"/api/tables/{table['scorer']}")
    assert state[1]["role"] == "scorer"
    record = server.record(table["scorer"])
    assert [side["name"] for side in record["sides"]] == [f"Pair {n}" for n in table["pairs"]]
    server.play(table["scorer"], {"do": "gewinnt", "side": 0})


def test_result_counts_when_both_agree(server):
    keys = created(server)
    table = draw(server, keys["director"])[1]["tables"][0]
    status, answer = enter(server, table["scorer"], 1, WON)
    assert (status, answer["status"]) == (201, "entered")
    assert all(line["won"] == 0 for line in ranking(server, keys["viewer"])["standings"])
    assert enter(server, table["opponent"], 1, WON)[1]["status"] == "done"
    assert enter(server, table["opponent"], 1, WON)[0] == 409


def test_differing_results_turn_amber(server):
    keys = created(server)
    table = draw(server, keys["director"])[1]["tables"][0]
    enter(server, table["scorer"], 1, WON)
    assert enter(server, table["opponent"], 1, WON[::-1])[1]["status"] == "amber"
    assert enter(server, keys["director"], 1, WON)[1]["status"] == "done"


def test_nobody_enters_for_another_table(server):
    keys = created(server)
    tables = draw(server, keys["director"])[1]["tables"]
    assert enter(server, tables[0]["scorer"], 2, WON)[0] == 403
    assert enter(server, keys["viewer"], 1, WON)[0] == 403
    assert enter(server, keys["signup"], 1, WON)[0] == 403
    assert draw(server, keys["viewer"])[0] == 403
    assert draw(server, tables[0]["scorer"])[0] == 404
    assert enter(server, "nobody", 1, WON)[0] == 404
    links = server.request("GET", f"/t/{tables[0]['scorer']}/share")[2]
    board = re.search(r'/b/(\w+)"', links)[1]
    assert enter(server, board, 1, WON)[0] in (403, 404)


@pytest.mark.parametrize(
    "more",
    [{"by": "director"}, {"at": "2020"}, {"note": "\0"}, {"who": "director"}, {"fun": 1}],
)
def test_nobody_signs_a_result_for_another(server, more):
    keys = created(server)
    table = draw(server, keys["director"])[1]["tables"][0]
    assert enter(server, table["scorer"], 1, WON, **more)[0] == 422


def test_numbers_may_be_written_as_json_likes(server):
    keys = created(server)
    draw(server, keys["director"])
    assert enter(server, keys["director"], 1.0, WON, number=1.0)[0] == 201


def test_a_key_that_only_signs_up_reads_nothing(server):
    keys = created(server)
    for path in ("", "/standings"):
        assert server.request("GET", f"/api/tournaments/{keys['signup']}{path}")[0] == 403
    shown = server.tournament(keys["viewer"])["pairs"][0]
    assert "paid" not in shown


@pytest.mark.parametrize("call", ["draw", "results"])
def test_a_name_too_long_is_refused(server, call):
    keys = created(server)
    path = f"/api/tournaments/{keys['director']}/{call}"
    assert server.json("POST", path, {}, Idempotency_Key="x" * 201)[0] in (400, 422)


@pytest.mark.parametrize(("number", "table"), [(2, 1), (1, 9), (0, 1)])
def test_a_table_that_is_not_there_is_told(server, number, table):
    keys = created(server)
    draw(server, keys["director"])
    assert enter(server, keys["director"], table, WON, number=number)[0] in (404, 422)


def test_draw_despite_missing_results(server):
    keys = created(server)
    draw(server, keys["director"])
    assert draw(server, keys["director"], anyway=True)[1]["round"] == 2
    assert enter(server, keys["director"], 1, WON, number=1)[0] == 201


def test_the_rounds_end(server):
    keys = created(server, rounds=1, pairs=PAIRS[:2])
    draw(server, keys["director"])
    enter(server, keys["director"], 1, WON)
    status, answer = draw(server, keys["director"])
    assert (status, answer["error"]["code"]) == (409, "all-played")


def test_two_draws_at_once_with_one_name_are_one(server):
    keys = created(server)
    path = f"/api/tournaments/{keys['director']}/draw"

    def send(_):
        return server.json("POST", path, {}, Idempotency_Key="once")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(4)))
    assert {status for status, _ in answers} == {201}
    assert len({str(drawn["tables"]) for _, drawn in answers}) == 1
    assert ranking(server, keys["viewer"])["round"] == 1


def test_director_renewed_during_a_draw(server):
    pairs = [{"name": f"P{n}"} for n in range(60)]
    keys = created(server, pairs=pairs)
    key = keys["director"]
    with ThreadPoolExecutor(2) as pool:
        drawn = pool.submit(draw, server, key)
        renewed = pool.submit(
            server.request, "POST", f"/p/{key}/renew", [("role", "director")]
        ).result()
        drawn.result()
    new = renewed[1]["location"].split("/")[2]
    if ranking(server, keys["viewer"])["round"] == 0:
        draw(server, new)
    page = server.request("GET", f"/p/{new}/match/1/1")[2]
    scorer = re.search(r'href="/t/(\w+)"', page)[1]
    assert server.request("GET", f"/e/{scorer}")[0] == 200


def test_finals_are_scored_to_their_own_target(server):
    finals = {"best": 2, "games": 1, "target": 11}
    keys = created(server, rounds=1, games_per_round=1, pairs=PAIRS[:2], finals=finals)
    draw(server, keys["director"])
    assert enter(server, keys["director"], 1, [[15, 3]])[0] == 201
    table = draw(server, keys["director"])[1]["tables"][0]
    record = server.record(table["scorer"])
    assert record["resolved"]["values"]["target"] == 11
    assert enter(server, keys["director"], 1, [[10, 3]], number=2)[0] == 422
    assert enter(server, keys["director"], 1, [[11, 3]], number=2)[0] == 201


def test_sent_again_it_is_recorded_once(server):
    keys = created(server)
    draw(server, keys["director"])
    path = f"/api/tournaments/{keys['director']}/results"
    body = {"round": 1, "table": 1, "games": WON}
    for _ in range(2):
        assert server.json("POST", path, body, Idempotency_Key="once")[0] == 201
    status, _ = server.json("POST", path, {**body, "table": 2}, Idempotency_Key="once")
    assert status == 422


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"name": "T"},
        {"name": "T", "rules": "nowhere"},
        {"name": "T", "rules": "bayern", "pairs": [{"name": "A"}, {"name": "A"}]},
        {"name": "T", "rules": "bayern", "rounds": "three"},
        {"name": "T", "rules": "bayern", "ranking": ["luck"]},
        {"name": "T", "rules": "bayern", "set": {"target": 500}},
        {"name": "T", "rules": "bayern", "set": {"four_if_opponent_below": 2.5}},
        {"name": "T", "rules": "bayern", "set": {"fold_value": "often"}},
        {"name": "T", "rules": "bayern", "set": {"penalty_ends_round": 1}},
        {"name": "T", "rules": "bayern", "set": {"critical_cards": ["H5"]}},
        {"name": "T", "rules": "bayern", "set": {"blind_variants": ["dark"]}},
        {"name": "T", "rules": "bayern", "finals": {"target": 500}},
    ],
)
def test_what_is_no_tournament_is_told(server, body):
    status, answer = server.json("POST", "/api/tournaments", body or {"x": 1})
    assert status == 422
    assert answer["error"]["code"] == "bad-tournament"
    assert "{" not in answer["error"]["message"]


def test_too_few_pairs_cannot_be_drawn(server):
    assert draw(server, created(server, pairs=PAIRS[:1])["director"])[0] == 422


def test_everything_as_json(server):
    keys = created(server)
    draw(server, keys["director"])
    enter(server, keys["director"], 1, WON)
    found = server.tournament(keys["viewer"])
    assert found["pairs"][0]["name"] == "Pair 1"
    assert found["draws"][0]["tables"][0]["games"] == WON
    assert found["draws"][0]["tables"][1]["status"] == "open"
    assert "scorer" not in str(found)


@pytest.mark.slow
def test_256_pairs_in_one_draw(server):
    pairs = [
        {"name": f"Paar Nummer {n}", "players": [f"Anna {n}", f"Bert {n}"]} for n in range(256)
    ]
    keys = created(server, pairs=pairs)
    status, drawn = draw(server, keys["director"])
    assert (status, len(drawn["tables"])) == (201, 128)
    assert len({table["scorer"] for table in drawn["tables"]}) == 128


def test_second_worker_sees_the_draw(server):
    keys = created(server)
    draw(server, keys["director"])
    for _ in range(8):
        assert ranking(server, keys["viewer"])["round"] == 1
