"""Slips, running slips and the list of printouts: their content and order."""

import pytest

from scorer.web.tournament.labels import STAGE_NAMES
from tests.pages import translated
from tests.web.tournament.hall import Hall


def table_numbers(page):
    """The table numbers of the slips on each sheet."""
    sheets = [sheet.all(css="table-number") for sheet in page.all("div", css="slips")]
    return [[int(seat.text.split()[-1]) for seat in sheet] for sheet in sheets]


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
    both = {"format": "groups", "groups": {"count": 2}, "finals": {"best": 4}}
    assert offered_sheets(**both) == {"cross", "bracket"}
    assert offered_sheets(format="knockout") == {"bracket"}


def test_cross_table_has_the_order_and_the_totals_of_the_standings(server):
    hall = Hall(server, 5, format="round-robin")
    hall.play()

    def rows(page, css):
        table = page.one("table", css=css)
        return [row.one("th").find(string=True).strip() for row in table.one("tbody").all("tr")]

    cross, standings = hall.page("/print/cross"), hall.page("/print/standings")
    assert rows(cross, "cross-table") == rows(standings, "ranking")
    first = standings.one("table", css="ranking").one("tbody").all("tr")[0]
    totals = [cell.text for cell in first.all("td")[1:]]
    assert [cell.text for cell in cross.all("td", css="total")][: len(totals)] == totals != []


def test_finals_leave_the_standings_of_groups_unchanged(server):
    settings = {"format": "groups", "groups": {"count": 2, "best": 2}, "finals": {"best": 4}}
    hall, groups = Hall(server, pairs=[{"name": f"Q{n}"} for n in range(1, 5)], **settings), []
    for number, stage in enumerate(("group", "semi-final", "final"), 1):
        for table in hall.draw():
            first, second = table["pairs"]
            # The pair with the lower number wins in the groups and loses in the finals.
            wins = (first < second) == (stage == "group")
            assert hall.enter(number, table["table"], (15, 3) if wins else (3, 15))[0] == 201
            if stage == "group":
                groups.append(sorted(table["pairs"]))
    for path in ("/print/standings", "/standings"):
        tables = hall.page(path).all("table", css="ranking")
        first, *others = [[int(th.text[1]) for th in t.all("th", scope="row")] for t in tables]
        assert first == hall.order()
        assert sorted(others) == sorted(groups)


def test_match_for_third_place_is_not_called_the_final(server):
    hall = Hall(server, 4, rounds=1, finals={"best": 4})
    for _ in range(3):
        hall.play()
    slips = hall.page("/print/ways").all("section", css="running-slip")
    last_rounds = [slip.all("th", scope="row")[-1].text for slip in slips]
    names = [translated(STAGE_NAMES[2]), translated("Place 3")]
    third = translated("Game for third place")
    assert [last_rounds.count(name) for name in names] == [2, 2]
    headings = [heading.text for heading in hall.page("/results.html").all("h2")]
    assert headings[-2:] == [names[0], third]


def test_running_slips_have_all_rounds_of_groups_and_the_partners_of_players(server):
    groups = Hall(server, 7, format="groups", rounds=99, groups={"count": 2})
    groups.draw()
    before = [
        [row.all("td")[1].text for row in slip.one("tbody").all("tr")]
        for slip in groups.page("/print/ways").all("section", css="running-slip")
    ]
    for slip in groups.page("/print/ways").all("section", css="running-slip"):
        assert [row.text for row in slip.all("th", scope="row")] == ["1", "2", "3"]
    groups.finish()
    for _ in range(2):
        groups.play()
    # The opponents of the coming rounds were right.
    assert before == [
        [row.all("td")[1].text for row in slip.one("tbody").all("tr")]
        for slip in groups.page("/print/ways").all("section", css="running-slip")
    ]
    players = Hall(server, 4, format="partners", rounds=1)
    players.draw()
    [table] = players.tournament()["draws"][0]["tables"]
    names = players.names()
    for slip in players.page("/print/ways").all("section", css="running-slip"):
        me = int(slip.one("h2").one("b").text)
        [partner] = next({*side} - {me} for side in table["teams"] if me in side)
        assert names[partner] in slip.one("tbody").one("small").text


def test_running_slip_shows_a_missed_round_in_its_place(server):
    hall = Hall(server, 4)
    hall.play()
    hall.send("/pairs", player=["Spät", "Dran"])
    hall.draw()
    slip = hall.page("/print/ways").all("section", css="running-slip")[-1]
    rows = [[cell.text for cell in row.all("td")] for row in slip.one("tbody").all("tr")]
    assert [row.one("th").text for row in slip.one("tbody").all("tr")] == ["1", "2"]
    missed = translated("did not play")
    assert rows[0] == ["–", missed, ""]


def test_running_slips_say_who_won_without_play(server):
    hall = Hall(server, rounds=1)
    [table, _] = hall.draw()
    number = table["table"]
    assert hall.enter(1, number, walkover="b")[0] == 201
    slips = hall.page("/print/ways").all("section", css="running-slip")
    texts = {pair: slip.text for pair, slip in zip(hall.names(), slips, strict=True)}
    loser, winner = table["pairs"]
    lost, won = translated("lost without play"), translated("won without play")
    assert won in texts[winner] and lost in texts[loser]


@pytest.mark.parametrize(("count", "has_two_columns"), [(6, False), (7, True)])
def test_list_of_more_than_twelve_names_has_two_columns(server, count, has_two_columns):
    pairs = [{"players": [f"Anna {n}", f"Bert Schwarzenlander-Rammerst {n}"]} for n in range(count)]
    hall = Hall(server, count, pairs=pairs)
    hall.draw()
    assert hall.page("/print/by-name").has("div", css="two-columns") == has_two_columns


@pytest.mark.parametrize("games", [1, 3, 5])
@pytest.mark.parametrize("count", [4, 8, 24])
def test_names_on_slips_share_one_size(server, games, count):
    names = ["A & B", "Huber Toni & Bauer Max", "Georg Niederwieser & Christian Mitterhofer"]
    pairs = [{"name": f"{names[n % 3]} {n}"} for n in range(count - 1)]
    hall = Hall(server, games_per_round=games, pairs=[*pairs, {"name": "Hinterschwepfinger & X"}])
    hall.draw()
    texts = hall.page("/print/slips/1").all(css="slip-name")
    sizes = {text["class"] for text in texts if "Hinterschwepfinger" not in text.text}
    assert len(sizes) == 1, sizes
