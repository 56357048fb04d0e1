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


def nobody_has_won(server, keys):
    return all(line["won"] == 0 for line in ranking(server, keys["viewer"])["standings"])


@pytest.fixture
def keys(server):
    """The keys of a tournament of five pairs by role."""
    return create_tournament(server)


@pytest.fixture
def director(keys):
    return keys["director"]


@pytest.fixture
def tables(server, director):
    """The tables of the drawn first round."""
    return server.draw(director)


def test_round_is_drawn_scored_and_ranked(server, keys, director):
    status, drawn = draw(server, director)
    assert (status, drawn["round"], drawn["seed"]) == (201, 1, "x")
    assert [table["table"] for table in drawn["tables"]] == [1, 2]
    playing = [pair for table in drawn["tables"] for pair in table["pairs"]]
    assert sorted([*playing, drawn["bye"]]) == [1, 2, 3, 4, 5]
    assert draw(server, director)[0] == 409
    for table in (1, 2):
        assert enter(server, director, table, WON)[0] == 201
    standings = ranking(server, keys["viewer"])
    assert standings["round"] == 1
    winner, loser = drawn["tables"][0]["pairs"]
    lines = {line["pair"]: line for line in standings["standings"]}
    for pair, *expected in ((winner, 2, 16, 42), (loser, 1, -16, 26)):
        shown = [lines[pair][name] for name in ("name", "won", "difference", "points")]
        assert shown == [f"Pair {pair}", *expected]
    assert [line["rank"] for line in standings["standings"]] == [1, 2, 3, 4, 5]
    assert draw(server, director)[1]["round"] == 2


def test_same_seed_gives_the_same_draw(server):
    def drawn(**settings):
        answer = draw(server, create_tournament(server, **settings)["director"])[1]
        return answer["seed"], [table["pairs"] for table in answer["tables"]], answer["bye"]

    assert drawn() == drawn()
    assert drawn(seed=None)[0] != drawn(seed=None)[0]


@pytest.mark.parametrize(
    "games", [[[15, 15], [15, 3], [15, 3]], [[15, 8]], [["15", 8], [15, 3], [15, 3]], None]
)
def test_impossible_points_are_refused(server, keys, tables, games):
    status, answer = enter(server, keys["director"], 1, games)
    assert status == 422
    assert answer["error"]["code"] and answer["error"]["message"]
    assert nobody_has_won(server, keys)


def test_drawn_table_can_be_scored_live(server, tables):
    key = tables[0]["scorer"]
    assert server.json("GET", f"/api/tables/{key}")[1]["role"] == "scorer"
    sides = [side["name"] for side in server.record(key)["sides"]]
    assert sides == [f"Pair {n}" for n in tables[0]["pairs"]]
    server.play(key, {"do": "gewinnt", "side": 0})


def test_result_counts_when_both_agree(server, keys, tables):
    scorer, opponent = tables[0]["scorer"], tables[0]["opponent"]
    status, answer = enter(server, scorer, 1, WON)
    assert (status, answer["status"]) == (201, "entered")
    assert nobody_has_won(server, keys)
    assert enter(server, opponent, 1, WON[::-1])[1]["status"] == "amber"
    assert enter(server, opponent, 1, WON)[1]["status"] == "done"
    assert enter(server, opponent, 1, WON)[0] == 409


def test_results_need_the_key_of_the_table(server, keys, tables):
    scorer = tables[0]["scorer"]
    assert enter(server, scorer, 2, WON)[0] == 403
    for role in ("viewer", "signup"):
        assert enter(server, keys[role], 1, WON)[0] == 403
    assert draw(server, keys["viewer"])[0] == 403
    assert [draw(server, scorer)[0], enter(server, "nobody", 1, WON)[0]] == [404, 404]
    board = re.search(r'/b/(\w+)"', server.page(f"/t/{scorer}/share").html)[1]
    assert enter(server, board, 1, WON)[0] in (403, 404)


@pytest.mark.parametrize(
    "more", [{"by": "director"}, {"at": "2020"}, {"note": "\0"}, {"who": "director"}, {"fun": 1}]
)
def test_result_with_forbidden_fields_is_refused(server, tables, more):
    assert enter(server, tables[0]["scorer"], 1, WON, **more)[0] == 422


@pytest.mark.parametrize("call", ["draw", "results"])
def test_too_long_idempotency_key_is_refused(server, director, call):
    path = f"/api/tournaments/{director}/{call}"
    assert server.json("POST", path, {}, Idempotency_Key="x" * 201)[0] in (400, 422)


@pytest.mark.parametrize(("number", "table"), [(2, 1), (1, 9), (0, 1)])
def test_result_for_an_unknown_table_is_refused(server, director, tables, number, table):
    assert enter(server, director, table, WON, number=number)[0] in (404, 422)


def test_draw_can_ignore_missing_results(server, director, tables):
    assert draw(server, director, anyway=True)[1]["round"] == 2
    # A whole number may be a JSON float.
    assert enter(server, director, 1.0, WON, number=1.0)[0] == 201


def test_draw_after_the_last_round_is_refused(server):
    director = create_tournament(server, rounds=1, pairs=PAIRS[:2])["director"]
    draw(server, director)
    enter(server, director, 1, WON)
    status, answer = draw(server, director)
    assert (status, answer["error"]["code"]) == (409, "all-played")


def test_concurrent_draws_with_one_key_draw_once(server, keys):
    path = f"/api/tournaments/{keys['director']}/draw"

    def send(_):
        return server.json("POST", path, {}, Idempotency_Key="once")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(4)))
    assert {status for status, _ in answers} == {201}
    assert len({str(drawn["tables"]) for _, drawn in answers}) == 1
    assert ranking(server, keys["viewer"])["round"] == 1


def test_director_key_can_be_renewed_during_a_draw(server):
    keys = create_tournament(server, pairs=[{"name": f"P{n}"} for n in range(60)])
    path, form = f"/p/{keys['director']}/renew", [("role", "director")]
    with ThreadPoolExecutor(2) as pool:
        drawn = pool.submit(draw, server, keys["director"])
        renewed = pool.submit(server.request, "POST", path, form).result()
        drawn.result()
    new = renewed[1]["location"].split("/")[2]
    if ranking(server, keys["viewer"])["round"] == 0:
        draw(server, new)
    page = server.request("GET", f"/p/{new}/match/1/1")[2]
    scorer = re.search(r'href="/t/(\w+)"', page)[1]
    assert server.request("GET", f"/e/{scorer}")[0] == 200


def test_finals_are_scored_to_their_own_target(server):
    finals = {"best": 2, "games": 1, "target": 11}
    more = {"rounds": 1, "games_per_round": 1, "pairs": PAIRS[:2], "finals": finals}
    director = create_tournament(server, **more)["director"]
    server.draw(director)
    assert enter(server, director, 1, [[15, 3]])[0] == 201
    [table] = server.draw(director)
    assert server.record(table["scorer"])["resolved"]["values"]["target"] == 11
    assert enter(server, director, 1, [[10, 3]], number=2)[0] == 422
    assert enter(server, director, 1, [[11, 3]], number=2)[0] == 201


def test_resent_result_is_recorded_once(server, director, tables):
    path = f"/api/tournaments/{director}/results"
    for table, status in ((1, 201), (1, 201), (2, 422)):
        body = {"round": 1, "table": table, "games": WON}
        assert server.json("POST", path, body, Idempotency_Key="once")[0] == status


VALID = {"name": "T", "rules": "bayern"}


@pytest.mark.parametrize(
    "body",
    [
        {"x": 1},
        {"name": "T"},
        {"name": "T", "rules": "nowhere"},
        {**VALID, "pairs": [{"name": "A"}, {"name": "A"}]},
        {**VALID, "rounds": "three"},
        {**VALID, "ranking": ["luck"]},
        {**VALID, "set": {"target": 500}},
        {**VALID, "set": {"four_if_opponent_below": 2.5}},
        {**VALID, "set": {"fold_value": "often"}},
        {**VALID, "set": {"penalty_ends_round": 1}},
        {**VALID, "set": {"critical_cards": ["H5"]}},
        {**VALID, "set": {"blind_variants": ["dark"]}},
        {**VALID, "finals": {"target": 500}},
    ],
)
def test_invalid_tournament_is_refused(server, body):
    status, answer = server.json("POST", "/api/tournaments", body)
    assert (status, answer["error"]["code"]) == (422, "bad-tournament")
    assert "{" not in answer["error"]["message"]


def test_too_few_pairs_cannot_be_drawn(server):
    assert draw(server, create_tournament(server, pairs=PAIRS[:1])["director"])[0] == 422


def test_viewer_reads_the_tournament_as_json(server, keys, tables):
    enter(server, keys["director"], 1, WON)
    tournament = server.tournament(keys["viewer"])
    assert tournament["pairs"][0]["name"] == "Pair 1"
    assert "paid" not in tournament["pairs"][0]
    won, other = tournament["draws"][0]["tables"]
    assert (won["games"], other["status"]) == (WON, "open")
    assert "scorer" not in str(tournament)
    for path in ("", "/standings"):
        assert server.request("GET", f"/api/tournaments/{keys['signup']}{path}")[0] == 403


@pytest.mark.slow
def test_draw_of_256_pairs_gives_128_tables(server):
    pairs = [{"name": f"Paar Nummer {n}", "players": [f"A {n}", f"B {n}"]} for n in range(256)]
    drawn = server.draw(create_tournament(server, pairs=pairs)["director"])
    assert len(drawn) == len({table["scorer"] for table in drawn}) == 128


@pytest.mark.live
def test_second_worker_sees_the_draw(server, keys, tables):
    for _ in range(8):
        assert ranking(server, keys["viewer"])["round"] == 1
