"""Slips, running slips and the list of printouts: their content and order."""

import pytest

from tests.web.tournament.hall import Hall


def seats(page):
    """The tables of the slips, as they lie on the sheets."""
    sheets = page.all("div", css="slips")
    return [
        [int(seat.text.split()[-1]) for seat in sheet.all(css="table-number")] for sheet in sheets
    ]


def test_slips_of_single_tables(server):
    hall = Hall(server, 20)
    hall.draw()
    assert seats(hall.page("/print/slips?tables=3+7")) == [[3, 7]]
    assert hall.page("/match/1/4").has(href=f"/p/{hall.key}/print/slips/1?tables=4")
    unknown = hall.page("/print/slips?tables=95,3")
    assert "95" in unknown.one(data_code="no-table").text
    assert unknown.one("input", name="tables")["aria-invalid"] == "true"
    assert not hall.page("/print/slips").has(data_code="no-table")


@pytest.mark.parametrize("per", [2, 4, 8])
def test_a_cut_stack_is_in_order(server, per):
    """Piles of cut slips, laid on each other, are the tables in order."""
    hall = Hall(server, 26)
    hall.draw()
    page = hall.page(f"/print/slips?per={per}")
    assert [seat for sheet in seats(page) for seat in sheet] == list(range(1, 14))
    stacked = page.one(data_order=True).all("a")[1]["href"]
    sheets = seats(server.page(stacked))
    assert len(sheets) == -(-13 // per)
    piles = [[sheet[at] for sheet in sheets if at < len(sheet)] for at in range(per)]
    assert [seat for pile in piles for seat in pile] == list(range(1, 14))


def test_sheets_suit_the_format(server):
    def listed(**settings):
        links = Hall(server, 8, **settings).page("/paper").all("a")
        return {link["href"].rpartition("/")[2] for link in links} & {"cross", "bracket"}

    assert listed() == set()
    assert listed(finals={"best": 4}) == {"bracket"}
    assert listed(format="round-robin") == {"cross"}
    assert listed(format="groups", groups={"count": 2}, finals={"best": 4}) == {"cross", "bracket"}
    assert listed(format="knockout") == {"bracket"}
