"""The desk's line: results typed from paper, and what is looked for in it."""

import re
from urllib.parse import urlencode

import pytest

from tests.web.tournament.forms import boxes, post, refused


def test_a_result_from_paper_takes_ten_keys(server, played):
    text = server.page(f"/p/{played}")
    assert re.search(r'name="table"[^>]*value="1"', text)
    status, where, _ = post(server, f"/p/{played}/quick", [("token", "q"), ("table", "1")])
    assert status == 303
    assert re.search(r'name="points"[^>]*autofocus', server.page(where))
    points = "8-1238"
    form = [("token", "q1"), ("table", "1"), ("round", "1"), ("points", points)]
    status, where, _ = post(server, f"/p/{played}/quick", form)
    assert status == 303
    # The table's number, two Enters and the points, here of four games.
    assert len("1") + 2 + len(points) <= 10
    text = server.page(where)
    assert "15:8  12:15  15:3  15:8" in text
    assert re.search(r'name="table"[^>]*value="2"', text)
    other = [*form[1:3], ("token", "q2"), ("points", "8-1237")]
    assert refused(server, f"/p/{played}/quick", other).code == "reason-missing"


@pytest.mark.parametrize(
    ("typed", "code"),
    [("8 9", "games-missing"), ("8x 9 2 2", "unreadable"), ("8 1 2 3", "loser-in-doubt")],
)
def test_mistyped_line_stays(server, played, typed, code):
    form = [("token", "q"), ("table", "1"), ("points", typed)]
    text = refused(server, f"/p/{played}/quick", form)
    assert text.code == code
    assert f'value="{typed}"' in text


@pytest.mark.parametrize(
    ("points", "read"),
    [("", ""), ("8-", "15:8"), ("8*2 3r", "15:8  12:15  15:3 R"), ("<b>", ""), ("8<b>", "15:8")],
)
def test_points_are_read_while_they_are_typed(server, played, points, read):
    asked = urlencode({"points": points})
    assert server.page(f"/p/{played}/typed?{asked}") == read


def test_examples_of_typed_points(server):
    for rules, target, examples in (("bayern", 15, 3), ("oberoesterreich", 11, 2)):
        keys = server.new_tournament(rules=rules, set={"target": target}, games_per_round=2)
        server.draw(keys["director"])
        text = server.page(f"/p/{keys['director']}?table=1")
        folded = text.partition('<details class="examples">')[2].partition("</details>")[0]
        assert folded.count("<kbd>") == examples
        assert f"<kbd>8 3</kbd> → {target}:8 {target}:3 " in folded
        assert ("12:15" in folded) == (target == 15)


def test_a_pair_is_found_by_its_name_in_the_line(server, played):
    text = server.page(f"/p/{played}?table=cilli")
    assert 'name="points"' in text
    assert not text.has(data_nobody=True)
    assert server.page(f"/p/{played}?table=Zenzi").has(data_nobody=True)


def test_desk_filters_by_status(server, played):
    assert "show-open" in server.page(f"/p/{played}?show=open")
    assert "show-" not in server.page(f"/p/{played}?show=x").partition('id="live"')[2][:60]
    form = [("token", "q"), ("table", "1"), ("points", "8 3 2 0"), ("show", "open")]
    assert post(server, f"/p/{played}/quick", form)[1].endswith("done=1&show=open")


def test_same_result_again_is_a_plain_yes(server, played):
    quick = f"/p/{played}/quick"
    line = [("round", "1"), ("table", "1")]
    games = [(15, 8), (12, 15), (15, 3), (15, 0)]
    assert post(server, quick, [("token", "1"), *line, ("points", "8 -12 3 0")])[0] == 303
    before = server.tournament(played)
    # Typed again, and once more in the boxes that a phone shows.
    for token, more in (("2", [("points", "8 -12 3 0")]), ("3", boxes(games)[1:])):
        fields = [("token", token), *line, ("boxes", "1"), *more]
        status, where, _ = post(server, quick, fields)
        assert status == 303
        stands = server.page(where).one(role="status", data_stands=True).text
        assert "15:8 12:15 15:3 15:0" in stands
    match = f"/p/{played}/match/1/1"
    status, where, _ = post(server, match, boxes(games, "4", seen="0"))
    assert (status, "stands=1" in where) == (303, True)
    assert server.tournament(played) == before
    other = [("token", "5"), *line, ("points", "8 12 3 0")]
    text = refused(server, quick, other)
    standing, typed = text.one(css="against").all("p")
    assert re.search(r"\d\d:\d\d", standing.one("bdi").text)
    assert standing.one("b").text == "15:8 12:15 15:3 15:0"
    assert typed.one("b").text == "15:8 15:12 15:3 15:0"
    assert 'name="reason"' in text
    assert post(server, quick, [*other, ("reason", "verlesen")])[0] == 303
    assert "verlesen" in server.page(match)


def test_boxes_are_of_one_table(server, played):
    fields = [("token", "1"), ("round", "1"), ("table", "2"), ("boxes", "1"), ("points", "")]
    status, where, _ = post(server, f"/p/{played}/quick", [*fields, *boxes([(15, 8)] * 4)[1:]])
    assert (status, "table=2" in where) == (303, True)
    assert server.page(f"/p/{played}").data("status") == ["open", "open"]
