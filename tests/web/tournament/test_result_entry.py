"""The result of a table, as its two pairs enter it and see it."""

import re

from tests.web.tournament.forms import WON, boxes, page, post, seats


def test_a_result_is_entered_by_one_pair_and_confirmed_by_the_other(server, played):
    scorer, opponent = seats(server, played)
    games = [*WON, [15, 0]]
    assert post(server, f"/e/{scorer}", boxes(games))[0] == 303
    assert page(server, f"/e/{scorer}").has(role="status", data_entered=True)
    assert "15:8  12:15  15:3  15:0" in page(server, f"/e/{opponent}")
    assert page(server, f"/p/{played}").one(id="table-1")["data-status"] == "entered"
    yes = boxes(games, token="y", do="bestaetigung")
    assert post(server, f"/e/{scorer}", yes)[0] == 422
    assert post(server, f"/e/{opponent}", yes)[0] == 303
    assert "15:8 12:15 15:3 15:0" in page(server, f"/e/{opponent}").one(data_stands=True).text
    assert page(server, f"/p/{played}").one(id="table-1")["data-status"] == "done"


def test_nobody_confirms_what_was_changed_meanwhile(server, played):
    scorer, opponent = seats(server, played)
    games = [*WON, [15, 0]]
    post(server, f"/e/{scorer}", boxes(games))
    post(server, f"/e/{scorer}", boxes([*WON, [15, 2]], token="new"))
    status, _, text = post(server, f"/e/{opponent}", boxes(games, token="y", do="bestaetigung"))
    assert status == 422
    assert text.code == "another-result"
    assert "15:2" in text


def test_points_that_only_a_penalty_leads_to_are_asked_about_and_entered(server, played):
    scorer, _ = seats(server, played)
    games = [*WON, [15, 1]]
    for path in (f"/e/{scorer}", f"/p/{played}/match/1/1"):
        status, _, text = post(server, path, boxes(games, token=f"asked{path}"))
        assert (status, 'name="sure"' in text) == (422, True)
        for _ in range(2):
            assert post(server, path, boxes(games, token=path, sure="1"))[0] == 303
    table = server.json("GET", f"/api/tournaments/{played}")[1]["draws"][0]["tables"][0]
    assert (table["status"], table["games"]) == ("done", games)


def test_points_that_cannot_be_are_told_and_stay_in_the_boxes(server, played):
    scorer, _ = seats(server, played)
    status, _, text = post(server, f"/e/{scorer}", boxes([*WON, [15, 15]]))
    assert status == 422
    assert (text.code, "4" in text.one(data_code=True).text) == ("two-winners", True)
    assert text.count('value="15"') == 5


def test_what_was_scored_live_stands_in_the_boxes(server, played):
    scorer, _ = seats(server, played)
    assert page(server, f"/e/{scorer}").has("a", href=f"/t/{scorer}")
    for number, stake in enumerate((9, 3, 4)):
        won = {"do": "gewinnt", "side": 0, "stake": stake}
        assert server.write(scorer, won, str(number))[0] == 201
    assert re.search(r'name="a"[^>]*value="15"', page(server, f"/e/{scorer}"))
    live = page(server, f"/p/{played}").one(id="table-1").one(css="score").text
    assert re.findall(r"\d+", live) == ["1", "15", "0"]
    assert f'href="/e/{scorer}"' in page(server, f"/t/{scorer}")


def test_what_a_pair_entered_is_told_clearly_and_changed_where_it_is_folded(server, played):
    scorer, opponent = seats(server, played)
    assert "<details" not in page(server, f"/e/{scorer}")
    post(server, f"/e/{scorer}", boxes([*WON, [15, 0]]))
    told = page(server, f"/e/{scorer}")
    assert "15:8 12:15 15:3 15:0" in told.one(role="status", data_entered=True).text
    form = told.one("details").one("form", action=f"/e/{scorer}")
    assert form.has("button")
    assert not form.has("button", css="primary")
    # Where both differ it has to be entered again, by whoever was wrong.
    post(server, f"/e/{opponent}", boxes([*WON, [15, 2]], token="other"))
    assert "<details" not in page(server, f"/e/{scorer}")


def test_a_pair_gives_way_with_one_tap(server, played):
    scorer, opponent = seats(server, played)
    games = [*WON, [15, 0]]
    post(server, f"/e/{scorer}", boxes(games))
    post(server, f"/e/{opponent}", boxes([*WON, [0, 15]], token="other"))
    text = page(server, f"/e/{opponent}")
    form = text.partition('class="proposal"')[2].partition("</form>")[0]
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', form)
    assert post(server, f"/e/{opponent}", fields)[0] == 303
    assert page(server, f"/e/{scorer}").has(role="status", data_stands=True)


def test_a_table_hears_of_no_other_while_its_result_is_missing(server, played):
    scorer, opponent = seats(server, played)
    watch = server.watch(f"/e/{scorer}/stream")
    try:
        open_still = watch.next()["data"]
        assert open_still.startswith("0 ")
        # What another table enters would take what somebody types here out of the boxes.
        other = seats(server, played, 2)[0]
        post(server, f"/e/{other}", boxes([*WON, [15, 0]], token="two"))
        post(server, f"/e/{opponent}", boxes([*WON, [15, 0]], token="one"))
        assert watch.next()["data"].startswith("1 ")
    finally:
        watch.close()


def test_a_table_that_is_done_hears_of_the_others_and_of_the_next_draw(server, played):
    scorer, _ = seats(server, played)
    post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]], token="one"))
    watch = server.watch(f"/e/{scorer}/stream")
    try:
        heard = [watch.next()["data"]]
        post(server, f"/p/{played}/match/1/2", boxes([*WON, [15, 0]], token="two"))
        heard.append(watch.next()["data"])
        post(server, f"/p/{played}/draw", [("token", "d2")])
        heard.append(watch.next()["data"])
    finally:
        watch.close()
    assert len(set(heard)) == 3


def test_who_holds_a_slip_sees_the_standings_and_finds_back(server, played):
    scorer, opponent = seats(server, played)
    for key in (scorer, opponent):
        assert f'href="/e/{key}/standings"' in page(server, f"/e/{key}")
        text = page(server, f"/e/{key}/standings")
        assert 'class="ranking"' in text
        assert f'href="/e/{key}"' in text
        assert "/p/" not in text
    watch = server.watch(f"/e/{opponent}/standings/stream", Accept_Language="de")
    try:
        assert "15:0" not in watch.next()["data"]
        post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]]))
        assert "15:0" in watch.next()["data"]
    finally:
        watch.close()


def test_the_links_of_a_table_stay_as_its_slip_has_them(server, played):
    scorer, opponent = seats(server, played)
    for role in ("scorer", "opponent", "viewer"):
        assert post(server, f"/t/{scorer}/renew", [("role", role)])[0] == 403
    assert server.request("GET", f"/e/{opponent}")[0] == 200


def test_a_pair_never_sees_the_other_pairs_link(server, played):
    scorer, opponent = seats(server, played)
    assert opponent not in page(server, f"/e/{scorer}")
    assert scorer not in page(server, f"/e/{opponent}")
