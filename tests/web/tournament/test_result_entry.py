"""The two pairs of a table enter and see its result."""

import re

import pytest

from tests.web.tournament.forms import FOUR, WON, boxes, pair_keys, post, refusal_page, send


def test_result_is_entered_and_confirmed(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    send(server, f"/e/{scorer}", boxes(FOUR))
    assert server.page(f"/e/{scorer}").has(role="status", data_entered=True)
    # Both pairs read their own points first.
    games_shown = server.page(f"/e/{opponent}").one("section", css="proposal").all("li")
    assert [game.text for game in games_shown] == ["8:15", "15:12", "3:15", "0:15"]
    for key, columns in ((scorer, ["a", "b"]), (opponent, ["b", "a"])):
        first_row = server.page(f"/e/{key}").one("table", css="boxes").one("tbody").all("tr")[0]
        assert [box["name"] for box in first_row.all("input", inputmode=True)] == columns
    assert server.page(f"/p/{drawn}").one(id="table-1")["data-status"] == "entered"
    yes = boxes(FOUR, token="y", do="bestaetigung")
    assert refusal_page(server, f"/e/{scorer}", yes).code == "own-result"
    send(server, f"/e/{opponent}", yes)
    recorded = [server.page(f"/e/{key}").one(data_recorded=True).text for key in (scorer, opponent)]
    assert "15:8, 12:15, 15:3, 15:0" in recorded[0]
    assert "8:15, 15:12, 3:15, 0:15" in recorded[1]
    assert server.page(f"/p/{drawn}").one(id="table-1")["data-status"] == "done"


def test_confirming_a_changed_result_is_refused(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    send(server, f"/e/{scorer}", boxes(FOUR))
    send(server, f"/e/{scorer}", boxes([*WON, [15, 2]], token="new"))
    text = refusal_page(server, f"/e/{opponent}", boxes(FOUR, token="y", do="bestaetigung"))
    assert (text.code, "2:15" in text) == ("another-result", True)


def test_points_only_from_penalties_need_confirmation(server, drawn):
    scorer, _ = pair_keys(server, drawn)
    games = [*WON, [15, 1]]
    for path in (f"/e/{scorer}", f"/p/{drawn}/match/1/1"):
        assert 'name="sure"' in refusal_page(server, path, boxes(games, token=f"asked{path}"))
        for _ in range(2):
            send(server, path, boxes(games, token=path, sure="1"))
    table = server.tournament(drawn)["draws"][0]["tables"][0]
    assert (table["status"], table["games"]) == ("done", games)


def test_impossible_points_are_refused_and_kept(server, drawn):
    scorer, _ = pair_keys(server, drawn)
    text = refusal_page(server, f"/e/{scorer}", boxes([*WON, [15, 15]]))
    assert (text.code, "4" in text.one(data_code=True).text) == ("two-winners", True)
    assert text.count('value="15"') == 5


def test_live_score_prefills_the_result_form(server, drawn):
    scorer, _ = pair_keys(server, drawn)
    assert server.page(f"/e/{scorer}").has("a", href=f"/t/{scorer}")
    server.play(scorer, *({"do": "gewinnt", "side": 0, "stake": stake} for stake in (9, 3, 4)))
    assert re.search(r'name="a"[^>]*value="15"', server.page(f"/e/{scorer}"))
    live = server.page(f"/p/{drawn}").one(id="table-1").one(css="score").text
    assert re.findall(r"\d+", live) == ["1", "15", "0"]
    assert f'href="/e/{scorer}"' in server.page(f"/t/{scorer}")


def test_entered_result_is_shown_with_a_folded_form(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    assert "<details" not in server.page(f"/e/{scorer}")
    post(server, f"/e/{scorer}", boxes(FOUR))
    page = server.page(f"/e/{scorer}")
    assert "15:8, 12:15, 15:3, 15:0" in page.one(role="status", data_entered=True).text
    form = page.one("details").one("form", action=f"/e/{scorer}")
    assert form.has("button") and not form.has("button", css="primary")
    # If the two results differ, the form is not folded.
    post(server, f"/e/{opponent}", boxes([*WON, [15, 2]], token="other"))
    other_entry = server.page(f"/e/{opponent}").one("section", css="proposal")
    assert "2:15" in other_entry.one("mark").text
    assert "<details" not in server.page(f"/e/{scorer}")


def test_pair_accepts_the_other_result_with_one_tap(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    post(server, f"/e/{scorer}", boxes(FOUR))
    post(server, f"/e/{opponent}", boxes([*WON, [0, 15]], token="other"))
    text = server.page(f"/e/{opponent}")
    # The points are those that the other pair entered. The differing game is marked.
    asked = text.one("section", css="proposal")
    assert [game.text.split()[0] for game in asked.all("li")] == ["8:15", "15:12", "3:15", "0:15"]
    [other] = asked.all("li", data_differs=True)
    assert "15:0" in other.one("mark").text
    send(server, f"/e/{opponent}", asked.one("form").fields)
    assert server.page(f"/e/{scorer}").has(role="status", data_recorded=True)


@pytest.mark.parametrize("reader", [0, 1])
@pytest.mark.parametrize(
    ("games", "score", "winner"),
    [
        ([[15, 8], [12, 15], [15, 3], [15, 0]], "3 : 1", 0),
        ([[15, 8], [12, 15]], "1 : 1", None),
        ([[9, 15]], "15 : 9", 1),
    ],
)
def test_proposed_result_is_worded_for_its_reader(server, games, score, winner, reader):
    keys = server.new_tournament(rounds=1, games_per_round=len(games))
    [table, _] = server.draw(keys["director"])
    links = (table["scorer"], table["opponent"])
    send(server, f"/e/{links[1 - reader]}", boxes(games))
    asked = server.page(f"/e/{links[reader]}").one("section", css="proposal")
    verdict = asked.one(css="verdict").text
    assert score in verdict
    # The verdict names the other pair if that won, but never the reader's own.
    [other] = re.findall(r"P\d", asked.one("h2").text)
    assert re.findall(r"P\d", verdict) == ([other] if winner == 1 - reader else [])


@pytest.mark.live
def test_open_table_gets_no_updates_of_others(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    with server.watch(f"/e/{scorer}/stream") as watch:
        assert watch.next()["data"].startswith("0 ")
        # A refresh because of another table would empty the boxes that somebody fills in.
        other = pair_keys(server, drawn, 2)[0]
        post(server, f"/e/{other}", boxes(FOUR, token="two"))
        post(server, f"/e/{opponent}", boxes(FOUR, token="one"))
        assert watch.next()["data"].startswith("1 ")


@pytest.mark.live
def test_finished_table_gets_updates_of_others(server, drawn):
    scorer, _ = pair_keys(server, drawn)
    post(server, f"/p/{drawn}/match/1/1", boxes(FOUR))
    with server.watch(f"/e/{scorer}/stream") as watch:
        messages = {watch.next()["data"]}
        for path, form in (("match/1/2", boxes(FOUR, token="two")), ("draw", [("token", "d2")])):
            post(server, f"/p/{drawn}/{path}", form)
            messages.add(watch.next()["data"])
    assert len(messages) == 3


@pytest.mark.live
def test_slip_shows_the_standings(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    own_pairs = server.tournament(drawn)["draws"][0]["tables"][0]["pairs"]
    for key, pair in zip((scorer, opponent), own_pairs, strict=True):
        entry, text = server.page(f"/e/{key}"), server.page(f"/e/{key}/standings")
        # The link leads to the row of the key's own pair.
        assert f'href="/e/{key}/standings#standing-{pair}"' in entry
        assert text.has("tr", id=f"standing-{pair}")
        assert 'class="ranking"' in text
        assert f'href="/e/{key}"' in text
        assert "/p/" not in text
    with server.watch(f"/e/{opponent}/standings/stream", Accept_Language="de") as watch:
        assert "15:0" not in watch.next()["data"]
        post(server, f"/p/{drawn}/match/1/1", boxes(FOUR))
        assert "15:0" in watch.next()["data"]


def test_slip_links_cannot_be_renewed(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    for role in ("scorer", "opponent", "viewer"):
        assert post(server, f"/t/{scorer}/renew", [("role", role)])[0] == 403
    assert server.request("GET", f"/e/{opponent}")[0] == 200


def test_a_pair_never_sees_the_other_pairs_link(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    assert opponent not in server.page(f"/e/{scorer}")
    assert scorer not in server.page(f"/e/{opponent}")
