"""Slips, running slips and the list of printouts: their content and order."""

import pytest

from tests.web.tournament.hall import Hall


def table_numbers(page):
    """The table numbers of the slips on each sheet."""
    sheets = page.all("div", css="slips")
    return [
        [int(seat.text.split()[-1]) for seat in sheet.all(css="table-number")] for sheet in sheets
    ]


def test_slips_of_single_tables_can_be_printed(server):
    hall = Hall(server, 20)
    hall.draw()
    assert table_numbers(hall.page("/print/slips?tables=3+7")) == [[3, 7]]
    assert hall.page("/match/1/4").has(href=f"/p/{hall.key}/print/slips/1?tables=4")
    unknown = hall.page("/print/slips?tables=95,3")
    assert "95" in unknown.one(data_code="no-table").text
    assert unknown.one("input", name="tables")["aria-invalid"] == "true"
    assert not hall.page("/print/slips").has(data_code="no-table")


@pytest.mark.parametrize("per", [2, 4, 8])
def test_cut_slips_stack_in_table_order(server, per):
    """The piles of cut slips, laid on each other, are in the order of the tables."""
    hall = Hall(server, 26)
    hall.draw()
    page = hall.page(f"/print/slips?per={per}")
    assert [seat for sheet in table_numbers(page) for seat in sheet] == list(range(1, 14))
    stacked = page.one(data_order=True).all("a")[1]["href"]
    sheets = table_numbers(server.page(stacked))
    assert len(sheets) == -(-13 // per)
    piles = [[sheet[at] for sheet in sheets if at < len(sheet)] for at in range(per)]
    assert [seat for pile in piles for seat in pile] == list(range(1, 14))


def test_offered_sheets_depend_on_the_format(server):
    def offered_sheets(**settings):
        links = Hall(server, 8, **settings).page("/paper").all("a")
        return {link["href"].rpartition("/")[2] for link in links} & {"cross", "bracket"}

    assert offered_sheets() == set()
    assert offered_sheets(finals={"best": 4}) == {"bracket"}
    assert offered_sheets(format="round-robin") == {"cross"}
    assert offered_sheets(format="groups", groups={"count": 2}, finals={"best": 4}) == {
        "cross",
        "bracket",
    }
    assert offered_sheets(format="knockout") == {"bracket"}


def test_finals_leave_printed_group_standings_unchanged(server):
    settings = {"format": "groups", "groups": {"count": 2, "best": 2}, "finals": {"best": 4}}
    pairs = [{"name": f"Q{n}"} for n in range(4)]
    keys = server.new_tournament(**settings, pairs=pairs, games_per_round=1)
    director, path = keys["director"], f"/api/tournaments/{keys['director']}/results"
    last = {}
    for number, stage in enumerate(("group", "semi-final", "final"), 1):
        for table in server.draw(director):
            first, second = table["pairs"]
            # The pair with the lower number wins in the groups and loses in the finals.
            wins = (first < second) == (stage == "group")
            games = [[15, 3] if wins else [3, 15]]
            if stage == "group":
                last |= {first: second, second: first}
            result = {"round": number, "table": table["table"], "games": games}
            assert server.json("POST", path, result)[0] == 201
    places = [line["pair"] for line in server.tournament(director)["standings"]]
    tables = server.page(f"/p/{director}/print/standings").all("table", css="ranking")
    shown = [[int(row.one("th").text[1]) + 1 for row in table.all("tr")[1:]] for table in tables]
    assert shown[0] == places
    # The finals do not change the standings of a group.
    assert sorted(shown[1:]) == sorted(
        [min(two), max(two)] for two in {*map(frozenset, last.items())}
    )
    # The screen shows only the first table.
    assert len(server.page(f"/p/{director}/standings").all("table", css="ranking")) == 1
