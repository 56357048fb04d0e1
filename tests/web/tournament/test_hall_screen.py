"""The hall's screen: who plays where, missing results, and the leaders."""

import re

import pytest

from scorer.web.tournament.labels import REASONS, STAGE_NAMES
from tests.pages import translated
from tests.sampling import slow
from tests.web.tournament.forms import FOUR, boxes, post, visitor_and_signup_keys
from tests.web.tournament.hall import Hall


def screen_pages(hall):
    """The title and the lines of each page of the screen."""
    found, count = [], 1
    while len(found) < count:
        text = hall.page(f"/hall?page={len(found)}")
        pages, title = re.search(r'data-pages="(\d+)">(.+?)(?: · Seite .+)?</p>', text).groups()
        count = int(pages)
        rows = [row for table in text.all("table") for row in table.all("tr")[1:]]
        found.append((title, [row.text for row in rows]))
    return found


def next_address(text):
    return re.search(r'data-following="([^"]+)"', text)[1]


def test_hall_screen_cycles_through_its_pages(server, drawn):
    post(server, f"/p/{drawn}/match/1/1", boxes(FOUR))
    key, _ = visitor_and_signup_keys(server, drawn)
    seen, path = [], f"/p/{key}/hall"
    for _ in range(2):
        seen.append(server.page(path))
        path = re.search(r'http-equiv="refresh" content="\d+;url=([^"]+)"', seen[-1])[1]
    assert path.endswith("page=0")
    assert f'href="/p/{key}"' in seen[0]
    assert "Anna & Bert" in seen[0].text
    assert "Runde 1 von 2 · Seite 1 von 2" in seen[0]
    assert "Rangliste · Seite 2 von 2" in seen[1]


def test_hall_screen_lists_tables_and_open_results(server):
    hall = Hall(server, 5)
    tables = hall.draw()
    called = hall.names()
    one, two = (" – ".join(called[number] for number in table["pairs"]) for table in tables)
    free = called[hall.tournament()["draws"][0]["byes"][0]]
    lines = [f"1 {one} offen", f"2 {two} offen", f"{free} Freilos"]
    assert screen_pages(hall) == [("Runde 1 von 2", lines)]
    assert hall.enter(1, 2, (15, 8))[0] == 201
    title, lines = screen_pages(hall)[0]
    assert (title, lines[1]) == ("Runde 1 von 2", f"2 {two} 15:8")


def test_hall_screen_adds_a_page_of_open_tables(server):
    hall = Hall(server, 28)
    hall.draw()
    assert [title for title, _ in screen_pages(hall)] == ["Runde 1 von 2"] * 3
    for table in range(1, 12):
        assert hall.enter(1, table, (15, 8))[0] == 201
    seats, missing, *places = screen_pages(hall)
    assert len(seats[1]) == 32
    # Three columns need fewer pages than two.
    assert len(hall.page("/hall").all("table")) == 3
    assert [line.split()[0] for line in missing[1]] == ["12", "13", "14"]
    assert [title for title, _ in places] == ["Rangliste"] * 3


def test_hall_screen_splits_lines_evenly(server):
    hall = Hall(server, 33, rounds=1)
    assert [(title, len(lines)) for title, lines in screen_pages(hall)] == [
        ("Spieler", 19),
        ("Spieler", 18),
    ]
    assert [len(column.all("tr")) - 1 for column in hall.page("/hall").all("table")] == [10, 9]


def test_hall_screen_shows_no_ranking_before_results(server):
    hall = Hall(server)
    players = ("Anna 1", "Bert 1", "Cilli 2", "Dora 2", "Emil 3", "Fanny 3", "Gustl 4", "Hias 4")
    assert screen_pages(hall) == [("Spieler", list(players))]
    hall.draw()
    assert "Rangliste" not in [title for title, _ in screen_pages(hall)]
    assert hall.enter(1, 1, (15, 8))[0] == 201
    assert screen_pages(hall)[-1][0] == "Rangliste"


def test_hall_screen_cycle_restarts_after_changes(server):
    hall = Hall(server, 28)
    hall.draw()
    turned = next_address(hall.page("/hall?page=1"))
    assert "Runde 1 von 2 · Seite 3 von 3" in server.page(turned)
    hall.finish()
    assert "Rangliste · Seite 1 von 4" in server.page(turned)
    turned = next_address(hall.page("/hall?page=1"))
    hall.draw()
    assert "Runde 2 von 2 · Seite 1 von 6" in server.page(turned)


def test_stopped_hall_screen_still_refreshes(server):
    hall = Hall(server)
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    text = hall.page("/hall?still=1&page=1")
    assert next_address(text).endswith("still=1&page=1")
    assert "Rangliste · Seite 2 von 2" in text
    assert "15:8" in server.page(next_address(hall.page("/hall?still=1&page=0")))


def test_hall_screen_has_a_page_for_each_group(server):
    hall = Hall(server, 8, format="groups", groups={"count": 2, "best": 2}, finals={"best": 4})
    hall.draw()
    _, matches = screen_pages(hall)[0]
    titles = [translated("Group %(n)s") % {"n": number} for number in (1, 2)]
    groups = [next(title for title in titles if title in row) for row in matches]
    assert sorted(groups) == [titles[0], titles[0], titles[1], titles[1]]
    for table in range(1, 5):
        hall.enter(1, table, (15, table + 2))
    pages = [rows for title, rows in screen_pages(hall) if title in titles]
    assert [len(rows) for rows in pages] == [4, 4]
    assert all(row.startswith(str(place)) for rows in pages for place, row in enumerate(rows, 1))
    newest = translated("Round %(n)s of %(all)s") % {"n": 1, "all": 2}
    assert newest in hall.page("/standings")
    for path in ("/standings", "/print/standings"):
        assert len(hall.page(path).all("tr", css="last-to-qualify")) == 2
        assert len(hall.page(path).all(data_advancing=True)) == 1
    last = hall.page("/hall").one("tr", css="last-to-qualify")
    assert last.td.text == "2"


def test_bracket_is_shown_once_the_finals_are_drawn(server):
    hall = Hall(server, 8, rounds=1, finals={"best": 4})
    hall.play()
    assert not hall.page("/standings").has(css="bracket")
    titles = [translated(STAGE_NAMES[pairs]) for pairs in (4, 2)]
    winner, loser = (
        translated(text) % {"table": 2}
        for text in ("Winner of table %(table)s", "Loser of table %(table)s")
    )
    third = translated("For the third place")
    for is_final_drawn in (False, True):
        hall.draw()
        for path in ("/standings", "/hall?page=1"):
            bracket = hall.page(path).all("section")
            assert [column.h2.text for column in bracket][:2] == titles
            assert bracket[1].has(data_coming=True) != is_final_drawn
        if not is_final_drawn:
            assert hall.enter(2, 1, (15, 8))[0] == 201
            final, third_place = hall.page("/standings").all("li", data_coming=True)
            first, second = final.all("p")
            assert first.text == hall.page("/standings").all("p", css="won")[0].text
            assert second.text == winner
            semifinal = hall.page("/standings").all("section")[0].all("li")[0]
            beaten = next(p.text for p in semifinal.all("p") if "won" not in p.get("class", ""))
            assert [p.text for p in third_place.all("p")] == [beaten, loser]
        assert bracket[-1].h2.text == third
        hall.finish()
    result = hall.page("/standings").all("section")[0].all("li")[0]
    assert result.text.endswith("15:8")


def test_rounds_that_are_over_make_room_for_the_final_on_the_hall_screen(server):
    long_name = "Schwarzenlander Maximilian & Hinterberger-Kreuzhuber Resi"
    pairs = [{"name": f"{long_name} {n}"} for n in range(9)]
    hall = Hall(server, pairs=pairs, rounds=1, finals={"best": 8})
    hall.play()
    shown = {}
    for pair_count in (8, 4, 2):
        hall.draw()
        count = int(hall.page("/hall").one(data_pages=True)["data-pages"])
        pages = [hall.page(f"/hall?page={number}") for number in range(count)]
        shown[pair_count] = [
            [column.h2.text for column in page.all("section")]
            for page in pages
            if page.has(css="bracket")
        ]
        hall.finish()
    titles = {pairs: translated(STAGE_NAMES[pairs]) for pairs in (8, 4, 2)}
    assert shown[8][0][0] == titles[8]
    assert titles[2] in shown[2][0] and len(shown[2]) == 1
    assert titles[8] not in shown[2][0]


def test_no_winner_is_shown_before_all_level_pairs_have_played(server):
    hall = Hall(server, 6, rounds=1, ranking=["won"])
    hall.play()
    first, second, third = hall.order()[:3]
    for loser, is_over in ((second, False), (third, True)):
        hall.send("/decider", winner=first, loser=loser)
        screen = hall.page("/hall")
        assert (screen.has(data_winners=True), screen.has(data_level="1")) == (is_over, not is_over)
        reason = translated(REASONS["lot" if is_over else "level"])
        assert reason in hall.page("/standings").one("tr", id=f"standing-{third}").text


@pytest.mark.parametrize(("count", "most"), [(64, 120), *slow((256, 240))])
def test_hall_screen_cycle_ends_within_its_limit(server, count, most):
    hall = Hall(server, count)
    hall.draw()
    text = hall.page("/hall")
    pages = int(re.search(r"· Seite 1 von (\d+)", text)[1])
    assert pages * int(text.one(data_seconds=True)["data-seconds"]) <= most


def test_hall_screen_shortens_results_of_many_games(server):
    hall = Hall(server, 4, games_per_round=20)
    hall.draw()
    assert hall.enter(1, 1, *[(15, 8)] * 12, *[(8, 15)] * 8)[0] == 201
    assert screen_pages(hall)[0][1][0].endswith(" 12:8")
