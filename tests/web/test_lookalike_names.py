"""Names that look alike are refused, or numbered."""

import pytest

from tests.builders import BAYERN, SEATED

CYRILLIC = "\u0410nn\u0430"
"""Anna with the first and the last letter of another script."""


@pytest.mark.parametrize("again", ["Anna", "anna", CYRILLIC])
def test_players_with_lookalike_names_are_refused(server, again):
    twins = [{"players": ["Anna", "Bert"]}, {"players": [again, "Dora"]}]
    assert server.json("POST", "/api/tables", {**BAYERN, "sides": twins})[0] == 422
    key = server.table()["scorer"]
    seated = {"do": "sitzordnung", "sides": twins}
    assert server.write(key, seated, "1")[0] == 422
    server.play(key, {"do": "sitzordnung", "sides": SEATED})
    assert server.write(key, {"do": "korrektur", "of": 0, "with": [seated]}, "3")[0] == 422


@pytest.mark.parametrize("again", ["anna", CYRILLIC])
def test_pairs_with_lookalike_names_are_refused(server, again):
    given = {"name": "T", "rules": "bayern", "pairs": [{"name": "Anna"}, {"name": again}]}
    assert server.json("POST", "/api/tournaments", given)[0] == 422
    made = server.new_tournament(pairs=given["pairs"][:1])
    path = f"/p/{made['director']}/pairs"
    for where, form in (
        (path, [("name", again), ("player", ""), ("player", "")]),
        (f"{path}/list", [("list", again)]),
        (f"/p/{made['signup']}/signup", [("player", again)]),
    ):
        server.submit_refused(where, [*form, ("token", "t")])
    pairs = server.tournament(made["director"])["pairs"]
    assert [pair["name"] for pair in pairs] == ["Anna"]


def test_lookalike_side_names_are_numbered(server):
    made = server.table(sides=[{"name": "Adler"}, {"name": "adler"}])
    text = server.page(f"/b/{made['viewer']}").html
    assert "Adler (1)" in text and "adler (2)" in text
