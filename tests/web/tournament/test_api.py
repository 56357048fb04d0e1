"""The JSON API of tournaments."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

PAIRS = [{"name": f"Pair {n}", "players": [f"A{n}", f"B{n}"]} for n in range(1, 6)]
WON = [[15, 8], [12, 15], [15, 3]]


def create_tournament(server, **more):
    given = {"rounds": 3, "games_per_round": 3, "ranking": ["won", "difference", "points"]}
    return server.new_tournament(**{**given, "pairs": PAIRS, **more})


def draw(server, key, **body):
    return server.json("POST", f"/api/tournaments/{key}/draw", body)


def enter(server, key, table, games, number=1, **more):
    body = {"round": number, "table": table, "games": games, **more}
    return server.json("POST", f"/api/tournaments/{key}/results", body)


def ranking(server, key):
    return server.json("GET", f"/api/tournaments/{key}/standings")[1]


def test_round_is_drawn_scored_and_ranked(server):
    keys = create_tournament(server)
    status, drawn = draw(server, keys["director"])
    assert (status, drawn["round"], drawn["seed"]) == (201, 1, "x")
    assert [table["table"] for table in drawn["tables"]] == [1, 2]
    playing = [pair for table in drawn["tables"] for pair in table["pairs"]]
    assert sorted([*playing, drawn["bye"]]) == [1, 2, 3, 4, 5]
    assert draw(server, keys["director"])[0] == 409
    for table in (1, 2):
        assert enter(server, keys["director"], table, WON)[0] == 201
    standings = ranking(server, keys["viewer"])
    assert standings["round"] == 1
    winner, loser = drawn["tables"][0]["pairs"]
    lines = {line["pair"]: line for line in standings["standings"]}
    shown = ("name", "won", "difference", "points")
    assert [lines[winner][name] for name in shown] == [f"Pair {winner}", 2, 16, 42]
    assert [lines[loser][name] for name in shown] == [f"Pair {loser}", 1, -16, 26]
    assert [line["rank"] for line in standings["standings"]] == [1, 2, 3, 4, 5]
    assert draw(server, keys["director"])[1]["round"] == 2


def test_same_seed_gives_the_same_draw(server):
    def pairs(drawn):
        return [table["pairs"] for table in drawn[1]["tables"]], drawn[1]["bye"]

    first, other = create_tournament(server), create_tournament(server)
    assert pairs(draw(server, first["director"])) == pairs(draw(server, other["director"]))
    seeds = {
        draw(server, create_tournament(server, seed=None)["director"])[1]["seed"] for _ in range(2)
    }
    assert len(seeds) == 2


@pytest.mark.parametrize(
    "games", [[[15, 15], [15, 3], [15, 3]], [[15, 8]], [["15", 8], [15, 3], [15, 3]], None]
)
def test_impossible_points_are_refused(server, games):
    keys = create_tournament(server)
    draw(server, keys["director"])
    status, answer = enter(server, keys["director"], 1, games)
    assert status == 422
    assert answer["error"]["code"]
    assert answer["error"]["message"]
    assert all(line["won"] == 0 for line in ranking(server, keys["viewer"])["standings"])


def test_drawn_table_can_be_scored_live(server):
    keys = create_tournament(server)
    table = draw(server, keys["director"])[1]["tables"][0]
    state = server.json("GET", f"/api/tables/{table['scorer']}")
    assert state[1]["role"] == "scorer"
    record = server.record(table["scorer"])
    assert [side["name"] for side in record["sides"]] == [f"Pair {n}" for n in table["pairs"]]
    server.play(table["scorer"], {"do": "gewinnt", "side": 0})


def test_result_counts_when_both_agree(server):
    keys = create_tournament(server)
    table = draw(server, keys["director"])[1]["tables"][0]
    status, answer = enter(server, table["scorer"], 1, WON)
    assert (status, answer["status"]) == (201, "entered")
    assert all(line["won"] == 0 for line in ranking(server, keys["viewer"])["standings"])
    assert enter(server, table["opponent"], 1, WON)[1]["status"] == "done"
    assert enter(server, table["opponent"], 1, WON)[0] == 409


def test_differing_results_turn_amber(server):
    keys = create_tournament(server)
    table = draw(server, keys["director"])[1]["tables"][0]
    enter(server, table["scorer"], 1, WON)
    assert enter(server, table["opponent"], 1, WON[::-1])[1]["status"] == "amber"
    assert enter(server, keys["director"], 1, WON)[1]["status"] == "done"


def test_results_need_the_key_of_the_table(server):
    keys = create_tournament(server)
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
    "more", [{"by": "director"}, {"at": "2020"}, {"note": "\0"}, {"who": "director"}, {"fun": 1}]
)
def test_result_with_forbidden_fields_is_refused(server, more):
    keys = create_tournament(server)
    table = draw(server, keys["director"])[1]["tables"][0]
    assert enter(server, table["scorer"], 1, WON, **more)[0] == 422


def test_whole_numbers_may_be_json_floats(server):
    keys = create_tournament(server)
    draw(server, keys["director"])
    assert enter(server, keys["director"], 1.0, WON, number=1.0)[0] == 201


def test_signup_key_cannot_read_the_tournament(server):
    keys = create_tournament(server)
    for path in ("", "/standings"):
        assert server.request("GET", f"/api/tournaments/{keys['signup']}{path}")[0] == 403
    shown = server.tournament(keys["viewer"])["pairs"][0]
    assert "paid" not in shown


@pytest.mark.parametrize("call", ["draw", "results"])
def test_too_long_idempotency_key_is_refused(server, call):
    keys = create_tournament(server)
    path = f"/api/tournaments/{keys['director']}/{call}"
    assert server.json("POST", path, {}, Idempotency_Key="x" * 201)[0] in (400, 422)


@pytest.mark.parametrize(("number", "table"), [(2, 1), (1, 9), (0, 1)])
def test_result_for_an_unknown_table_is_refused(server, number, table):
    keys = create_tournament(server)
    draw(server, keys["director"])
    assert enter(server, keys["director"], table, WON, number=number)[0] in (404, 422)


def test_draw_can_ignore_missing_results(server):
    keys = create_tournament(server)
    draw(server, keys["director"])
    assert draw(server, keys["director"], anyway=True)[1]["round"] == 2
    assert enter(server, keys["director"], 1, WON, number=1)[0] == 201


def test_draw_after_the_last_round_is_refused(server):
    keys = create_tournament(server, rounds=1, pairs=PAIRS[:2])
    draw(server, keys["director"])
    enter(server, keys["director"], 1, WON)
    status, answer = draw(server, keys["director"])
    assert (status, answer["error"]["code"]) == (409, "all-played")


def test_concurrent_draws_with_one_key_draw_once(server):
    keys = create_tournament(server)
    path = f"/api/tournaments/{keys['director']}/draw"

    def send(_):
        return server.json("POST", path, {}, Idempotency_Key="once")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(4)))
    assert {status for status, _ in answers} == {201}
    assert len({str(drawn["tables"]) for _, drawn in answers}) == 1
    assert ranking(server, keys["viewer"])["round"] == 1


def test_director_key_can_be_renewed_during_a_draw(server):
    pairs = [{"name": f"P{n}"} for n in range(60)]
    keys = create_tournament(server, pairs=pairs)
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
    keys = create_tournament(server, rounds=1, games_per_round=1, pairs=PAIRS[:2], finals=finals)
    draw(server, keys["director"])
    assert enter(server, keys["director"], 1, [[15, 3]])[0] == 201
    table = draw(server, keys["director"])[1]["tables"][0]
    record = server.record(table["scorer"])
    assert record["resolved"]["values"]["target"] == 11
    assert enter(server, keys["director"], 1, [[10, 3]], number=2)[0] == 422
    assert enter(server, keys["director"], 1, [[11, 3]], number=2)[0] == 201


def test_resent_result_is_recorded_once(server):
    keys = create_tournament(server)
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
def test_invalid_tournament_is_refused(server, body):
    status, answer = server.json("POST", "/api/tournaments", body or {"x": 1})
    assert status == 422
    assert answer["error"]["code"] == "bad-tournament"
    assert "{" not in answer["error"]["message"]


def test_too_few_pairs_cannot_be_drawn(server):
    assert draw(server, create_tournament(server, pairs=PAIRS[:1])["director"])[0] == 422


def test_viewer_reads_the_tournament_as_json(server):
    keys = create_tournament(server)
    draw(server, keys["director"])
    enter(server, keys["director"], 1, WON)
    tournament = server.tournament(keys["viewer"])
    assert tournament["pairs"][0]["name"] == "Pair 1"
    assert tournament["draws"][0]["tables"][0]["games"] == WON
    assert tournament["draws"][0]["tables"][1]["status"] == "open"
    assert "scorer" not in str(tournament)


@pytest.mark.slow
def test_draw_of_256_pairs_gives_128_tables(server):
    pairs = [
        {"name": f"Paar Nummer {n}", "players": [f"Anna {n}", f"Bert {n}"]} for n in range(256)
    ]
    keys = create_tournament(server, pairs=pairs)
    status, drawn = draw(server, keys["director"])
    assert (status, len(drawn["tables"])) == (201, 128)
    assert len({table["scorer"] for table in drawn["tables"]}) == 128


@pytest.mark.live
def test_second_worker_sees_the_draw(server):
    keys = create_tournament(server)
    draw(server, keys["director"])
    for _ in range(8):
        assert ranking(server, keys["viewer"])["round"] == 1
