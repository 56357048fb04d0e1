"""A draw as a draft: only the desk sees it until it is released."""

import re

import pytest

from tests.builders import helper
from tests.pages import translated
from tests.web.tournament.forms import pair_keys
from tests.web.tournament.hall import Hall

UNSEEN = "Nobody has seen this draft yet. If its slips are printed already, throw them away."
# What differs between two responses for the same content.
CHANGING = re.compile(r'data-seq="\d+"|name="token" value="[^"]*"|/static/[^"]*')


@pytest.fixture
def hall(server):
    """A tournament of five pairs with one round played; a bye counts as won."""
    hall = Hall(server, 5, rounds=3, scoring={"bye_wins": True})
    hall.play()
    return hall


def draw_draft(hall):
    hall.send("/draw", draft=1, round=2)


def visitor_pages(hall):
    """The pages that everybody but the director can open, by path, and the viewers' JSON."""
    server, viewer, signup = hall.server, hall.keys["viewer"], hall.keys["signup"]
    pairs = pair_keys(server, hall.key)
    files = ("results.csv", "standings.csv", "results.html")
    keys = [f"/p/{viewer}/{page}" for page in ("standings", "hall", "find?find=Anna", *files)]
    keys += [f"/p/{viewer}/print/{what}" for what in ("standings", "by-name", "by-table", "cross")]
    keys += [f"/p/{signup}/signup"]
    keys += [f"/e/{key}{page}" for key in pairs for page in ("", "/standings")]
    keys += [f"/api/tournaments/{viewer}", f"/api/tournaments/{viewer}/standings", f"/b/{pairs[0]}"]
    answers = {path: server.request("GET", path) for path in keys}
    assert {status for status, _, _ in answers.values()} == {200}
    return {path: CHANGING.sub("", text) for path, (_, _, text) in answers.items()}


def test_draft_is_visible_only_at_the_desk(hall):
    before = visitor_pages(hall)
    draw_draft(hall)
    assert visitor_pages(hall) == before
    assert hall.page().has(data_draft=True)
    typist = helper(hall.server, hall.key, work="entry")
    assert not hall.server.page(f"/p/{typist}").has(data_draft=True)
    assert hall.server.request("GET", f"/p/{typist}/match/2/1")[0] == 404
    assert hall.server.request("GET", f"/p/{hall.keys['viewer']}/print/by-name/2")[0] == 404
    # Its slips are printed before, and open nothing yet.
    table = hall.tournament()["draws"][1]["tables"][0]["table"]
    [key, _] = re.findall(r'/e/(\w+)"', hall.page(f"/match/2/{table}"))[:2]
    assert hall.server.request("GET", f"/e/{key}")[0] == 404


@pytest.mark.live
def test_draft_sends_no_stream_updates(hall):
    """Pages of pairs and visitors are told nothing that would reload them."""
    server, viewer = hall.server, hall.keys["viewer"]
    pairs = pair_keys(server, hall.key)
    paths = [f"/e/{key}/{part}" for key in pairs for part in ("stream", "standings/stream")]
    paths.append(f"/p/{viewer}/standings/stream")

    def first_news():
        news = {}
        for path in paths:
            with server.watch(path) as watch:
                news[path] = CHANGING.sub("", watch.next()["data"])
        return news

    before = first_news()
    draw_draft(hall)
    assert first_news() == before
    hall.send("/release", round=2)
    after = first_news()
    assert [path for path in paths if after[path] == before[path]] == []


def test_series_ignores_a_draft(server, hall):
    """A bye of a draft brings nothing yet."""
    year = Hall(server, 2, rounds=1)
    year.send("/season", rule="games-won", **{"with": hall.keys["viewer"]})
    path = f"/p/{year.keys['viewer']}/season"
    before = CHANGING.sub("", server.page(path).html)
    draw_draft(hall)
    assert CHANGING.sub("", server.page(path).html) == before


def test_released_draft_becomes_a_round(hall):
    draw_draft(hall)
    tables = hall.tournament()["draws"][1]["tables"]
    table = tables[0]["table"]
    assert hall.enter(2, table, (15, 8))[1]["error"]["code"] == "draft-open"
    assert hall.refusal_page("/draw", anyway=1).code == "draft-open"
    hall.send("/release", round=2)
    assert hall.refusal_page("/release", round=2).code == "no-draft"
    assert not hall.page().has(data_draft=True)
    shown = hall.server.tournament(hall.keys["viewer"])
    assert shown["draws"][1]["tables"] == tables
    assert hall.enter(2, table, (15, 8))[0] == 201


def test_draft_offers_no_entry_of_results(hall):
    assert hall.page().has("ul", css="counts")
    draw_draft(hall)
    page = hall.page()
    assert page.has(data_idle=True)
    assert not page.has("ul", css="counts")
    assert page.one(data_void=True).text == translated(UNSEEN)


def test_a_draft_can_be_changed_and_taken_back(hall):
    draw_draft(hall)
    first, second = (table["pairs"][0] for table in hall.tournament()["draws"][1]["tables"])
    hall.send("/swap", round=2, what="pairs", first=first, second=second, sure="1")
    hall.send("/take-back", round=2)
    assert len(hall.tournament()["draws"]) == 1
    hall.send("/draw", round=2)
    assert not hall.page().has(data_draft=True)


def test_offline_copy_is_refused_until_the_last_draw(hall):
    """A copy contains the seed, from which the draws follow."""
    server, path = hall.server, f"/pocket/streams/{hall.keys['viewer']}"
    for draft in ("", "1"):
        assert server.request("GET", path)[0] == 403
        hall.send("/draw", draft=draft, round=len(hall.tournament()["draws"]) + 1)
        if not draft:
            hall.finish()
    assert server.request("GET", path)[0] == 403
    hall.send("/release", round=3)
    assert server.request("GET", path)[0] == 200
